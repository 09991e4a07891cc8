// SPDX-License-Identifier: Apache-2.0
#include "choose/wheel_stock.h"

#include "wheel/name.h"
#include "wheel/wheel_filename.h"

#include <algorithm>

namespace fitment {

Result<std::vector<Tag>> wheel_tags_of(const Machine& machine) {
  FITMENT_TRY_ASSIGN(const PythonVersion python,
                     parse_python_version(machine.python.version.value_or("")));
  const Libc libc = machine.system.libc.value_or(Libc{"glibc", DottedVersion({2, 17})});
  return supported_tags(python, machine.system.arch.value_or("x86_64"), libc.family, libc.version);
}

bool is_wheel_of(const ChosenBuild& choice, std::string_view name, const Version& version) {
  const std::string text = to_string(version);
  const bool is_labelled = choice.requirement.find('+') != std::string::npos;
  const std::string wanted = to_string(choice.version) + (is_labelled ? "+" + choice.backend : "");
  return name == normalize_name(choice.name)
         && (is_labelled ? text : text.substr(0, text.find('+'))) == wanted;
}

Result<BuildStock> wheel_stock(const std::vector<std::string>& names, const Machine& machine) {
  FITMENT_TRY_ASSIGN(const std::vector<Tag> tags, wheel_tags_of(machine));
  std::vector<WheelFilename> wheels;
  for (const std::string& name : names) {
    auto wheel = parse_wheel_filename(name);
    if (wheel && best_rank(*wheel, tags)) {
      wheels.push_back(std::move(*wheel));
    }
  }
  return BuildStock([wheels = std::move(wheels)](const ChosenBuild& choice) {
    return std::any_of(wheels.begin(), wheels.end(), [&](const WheelFilename& wheel) {
      return is_wheel_of(choice, normalize_name(wheel.distribution), wheel.version);
    });
  });
}

}  // namespace fitment
