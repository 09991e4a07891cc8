// SPDX-License-Identifier: Apache-2.0
// Private to simple_page.cpp: the anchors of an HTML page. No tree is built: index pages are flat,
// and everything that matters stands in the attributes of start tags.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Attributes by lower-case name, with character references decoded; the first of equal names
/// counts.
using HtmlAttributes = std::map<std::string, std::string>;

struct HtmlPage {
  std::string base_href;                ///< of `<base href>`, or empty
  std::string repository_version;       ///< of `<meta name="pypi:repository-version">`, or empty
  std::vector<HtmlAttributes> anchors;  ///< those with an `href`
};

/// Never fails: what is not a start tag is skipped, as browsers do.
HtmlPage read_html_links(std::string_view html);

/// `&gt;` becomes `>`; unknown references stay.
std::string decode_html(std::string_view text);

}  // namespace fitment
