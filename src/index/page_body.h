// SPDX-License-Identifier: Apache-2.0
// A finished page: its bytes, as they are and compressed, each with its ETag. What is asked for
// once is asked for often, so every form is made once.
#pragma once

#include "index/negotiate.h"
#include "index/served_message.h"

#include <array>
#include <memory>
#include <mutex>
#include <string>

namespace fitment {

class PageBody {
 public:
  PageBody(std::string bytes, PageFormat format);

  /// 200 with the page, or 304 where the client has it.
  ServedResponse respond(const ServedRequest& request) const;

 private:
  struct Form {
    std::shared_ptr<const std::string> bytes;
    std::string etag;  ///< with its quotes
  };
  Form form(Encoding encoding) const;

  PageFormat format_;
  std::string digest_;
  mutable std::mutex mutex_;
  mutable std::array<Form, 3> forms_;
};

/// For formats that HTTP knows; the bytes themselves for identity.
std::string compress_page(const std::string& bytes, Encoding encoding);

}  // namespace fitment
