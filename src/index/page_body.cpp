// SPDX-License-Identifier: Apache-2.0
#include "index/page_body.h"

#include "base/digest.h"

#include <fmt/format.h>
#include <zstd.h>

#include <zlib.h>

namespace fitment {

namespace {

/// Shorter pages gain nothing.
constexpr std::size_t kWorthCompressing = 512;
constexpr std::size_t kEtagDigits = 32;

std::string gzip(const std::string& bytes) {
  constexpr int kGzipWindow = 15 + 16;
  constexpr int kMemoryLevel = 8;
  z_stream stream{};
  if (::deflateInit2(
          &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY)
      != Z_OK) {
    return {};
  }
  std::string out(::deflateBound(&stream, bytes.size()), '\0');
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib's input is not const
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int code = ::deflate(&stream, Z_FINISH);
  out.resize(code == Z_STREAM_END ? stream.total_out : 0);
  ::deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& bytes) {
  constexpr int kLevel = 6;
  std::string out(::ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ::ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), kLevel);
  out.resize(::ZSTD_isError(size) != 0U ? 0 : size);
  return out;
}

}  // namespace

std::string compress_page(const std::string& bytes, Encoding encoding) {
  switch (encoding) {
    case Encoding::identity:
      return bytes;
    case Encoding::gzip:
      return gzip(bytes);
    case Encoding::zstd:
      return zstd(bytes);
  }
  return bytes;
}

PageBody::PageBody(std::string bytes, PageFormat format)
    : format_(format), digest_(sha256_hex(bytes).substr(0, kEtagDigits)) {
  forms_[0] = {std::make_shared<const std::string>(std::move(bytes)),
               fmt::format("\"{}\"", digest_)};
}

PageBody::Form PageBody::form(Encoding encoding) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  Form& form = forms_.at(static_cast<std::size_t>(encoding));
  if (!form.bytes) {
    form.bytes = std::make_shared<const std::string>(compress_page(*forms_[0].bytes, encoding));
    form.etag = fmt::format("\"{}-{}\"", digest_, to_string(encoding));
  }
  return form;
}

ServedResponse PageBody::respond(const ServedRequest& request) const {
  Encoding encoding = choose_encoding(request.accept_encoding);
  Form page = form(Encoding::identity);
  if (encoding != Encoding::identity && page.bytes->size() >= kWorthCompressing) {
    Form smaller = form(encoding);
    if (smaller.bytes->empty()) {
      encoding = Encoding::identity;
    } else {
      page = std::move(smaller);
    }
  } else {
    encoding = Encoding::identity;
  }
  ServedResponse response;
  response.content_type = content_type_of(format_);
  response.headers = {
      {"ETag", page.etag}, {"Cache-Control", "no-cache"}, {"Vary", "Accept, Accept-Encoding"}};
  if (names_etag(request.if_none_match, page.etag)) {
    response.status = 304;
    return response;
  }
  if (encoding != Encoding::identity) {
    response.headers.emplace_back("Content-Encoding", to_string(encoding));
  }
  response.body = std::move(page.bytes);
  return response;
}

}  // namespace fitment
