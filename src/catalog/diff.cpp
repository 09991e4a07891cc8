// SPDX-License-Identifier: Apache-2.0
#include "catalog/diff.h"

#include "base/text.h"
#include "catalog/framework_fields.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

/// Compares rows that are alike by their fields, and lists rows that only one side has.
class Differ {
 public:
  explicit Differ(std::vector<CatalogChange>& changes) : changes_(changes) {}

  void fields(const std::string& where, const FieldTexts& before, const FieldTexts& after) {
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].second != after[i].second) {
        changes_.push_back({CatalogChange::Kind::changed,
                            where,
                            before[i].first,
                            before[i].second,
                            after[i].second});
      }
    }
  }
  void row(CatalogChange::Kind kind, std::string where) {
    changes_.push_back({kind, std::move(where), {}, {}, {}});
  }

 private:
  std::vector<CatalogChange>& changes_;
};

std::string key_of(const Build& build) {
  return build.backend.text + " " + build.arch;
}

template <typename Row, typename Key>
const Row* find_row(const std::vector<Row>& rows, const std::string& wanted, Key key) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return key(row) == wanted; });
  return found == rows.end() ? nullptr : &*found;
}

/// Calls `both(before, after)` for rows of the same key, and notes the others.
template <typename Row, typename Key, typename Both>
void match_rows(Differ& differ,
                const std::string& prefix,
                const std::vector<Row>& before,
                const std::vector<Row>& after,
                Key key,
                Both both) {
  for (const Row& row : before) {
    const Row* other = find_row(after, key(row), key);
    if (other == nullptr) {
      differ.row(CatalogChange::Kind::removed, prefix + key(row));
    } else {
      both(row, *other);
    }
  }
  for (const Row& row : after) {
    if (find_row(before, key(row), key) == nullptr) {
      differ.row(CatalogChange::Kind::added, prefix + key(row));
    }
  }
}

}  // namespace

std::string_view to_string(CatalogChange::Kind kind) {
  switch (kind) {
    case CatalogChange::Kind::added:
      return "added";
    case CatalogChange::Kind::removed:
      return "removed";
    case CatalogChange::Kind::changed:
      break;
  }
  return "changed";
}

std::vector<CatalogChange> diff_frameworks(const Framework& before, const Framework& after) {
  std::vector<CatalogChange> changes;
  Differ differ(changes);
  differ.fields(before.name, field_texts(before), field_texts(after));
  const auto version = [](const Release& release) { return release.version; };
  const std::string prefix = before.name + " ";
  match_rows(differ,
             prefix,
             before.releases,
             after.releases,
             version,
             [&](const Release& left, const Release& right) {
               const std::string where = prefix + left.version;
               differ.fields(where, field_texts(left), field_texts(right));
               match_rows(differ,
                          where + " ",
                          left.builds,
                          right.builds,
                          key_of,
                          [&](const Build& a, const Build& b) {
                            differ.fields(where + " " + key_of(a), field_texts(a), field_texts(b));
                          });
             });
  return changes;
}

Result<std::vector<CatalogChange>> diff_catalogs(const Catalog& before, const Catalog& after) {
  std::vector<CatalogChange> changes;
  std::set<std::string> names;
  for (const Catalog* catalog : {&before, &after}) {
    for (std::string& name : catalog->framework_names()) {
      names.insert(std::move(name));
    }
  }
  for (const std::string& name : names) {
    FITMENT_TRY_ASSIGN(const Framework* left, before.find_framework(name));
    FITMENT_TRY_ASSIGN(const Framework* right, after.find_framework(name));
    if (left == nullptr || right == nullptr) {
      Differ(changes).row(
          left == nullptr ? CatalogChange::Kind::added : CatalogChange::Kind::removed, name);
      continue;
    }
    auto found = diff_frameworks(*left, *right);
    changes.insert(changes.end(), found.begin(), found.end());
  }
  return changes;
}

}  // namespace fitment
