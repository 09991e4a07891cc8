// SPDX-License-Identifier: Apache-2.0
// Numbers of the zip format that reading and writing share. Used by the zip files of this module
// alone.
#pragma once

#include <cstdint>
#include <string>

namespace fitment::zip_format {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kCentralRecord = 0x02014b50;
constexpr std::uint32_t kEndRecord = 0x06054b50;
constexpr std::uint32_t kZip64EndRecord = 0x06064b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;

constexpr std::uint64_t kLocalHeaderBytes = 30;
constexpr std::uint64_t kCentralRecordBytes = 46;
constexpr std::uint64_t kEndRecordBytes = 22;
constexpr std::uint64_t kZip64EndRecordBytes = 56;
constexpr std::uint64_t kZip64LocatorBytes = 20;
constexpr std::uint64_t kLongestComment = 0xffff;

constexpr std::uint16_t kZip64Extra = 0x0001;
constexpr std::uint16_t kIn64Bits16 = 0xffff;     ///< the true number is in the zip64 record
constexpr std::uint32_t kIn64Bits = 0xffffffffU;  ///< the same for a 32-bit field

constexpr std::uint16_t kEncrypted = 1U << 0U;
constexpr std::uint16_t kDescriptor = 1U << 3U;
constexpr std::uint16_t kPatched = 1U << 5U;
constexpr std::uint16_t kStrongEncryption = 1U << 6U;
constexpr std::uint16_t kUtf8 = 1U << 11U;
constexpr std::uint16_t kMaskedDirectory = 1U << 13U;

constexpr std::uint16_t kMadeOnUnix = 3U << 8U;
constexpr std::uint16_t kVersionDeflate = 20;
constexpr std::uint16_t kVersionZip64 = 45;

}  // namespace fitment::zip_format
