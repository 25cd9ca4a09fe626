// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/cxx_conditionals.h"

namespace graph_coverage {

CxxConditionals::Arm CxxConditionals::ArmOf(const std::string& condition) {
  if (condition == "0" || condition == "false") return Arm::kOff;
  if (condition == "1" || condition == "true") return Arm::kOn;
  return Arm::kUnknown;
}

void CxxConditionals::Read(const Place& place, const std::string& name,
                           const std::string& condition) {
  if (name == "if" || name == "ifdef" || name == "ifndef") {
    const Arm arm = name == "if" ? ArmOf(condition) : Arm::kUnknown;
    groups_.push_back({arm, arm == Arm::kOn, place});
    off_ += arm == Arm::kOff;
    return;
  }
  if (name != "elif" && name != "else" && name != "endif") return;
  if (groups_.empty()) {
    throw InputError::At(place, "#" + name, "an #if before it");
  }
  Group& group = groups_.back();
  off_ -= group.arm == Arm::kOff;
  if (name == "endif") {
    groups_.pop_back();
    return;
  }
  if (group.was_on) {
    group.arm = Arm::kOff;
  } else if (name == "elif") {
    group.arm = ArmOf(condition);
    group.was_on = group.arm == Arm::kOn;
  } else {
    group.arm = Arm::kUnknown;
  }
  off_ += group.arm == Arm::kOff;
}

void CxxConditionals::CheckClosed() const {
  if (groups_.empty()) return;
  throw InputError::At(groups_.back().place, "#if",
                       "an #endif before the end of the file");
}

}  // namespace graph_coverage
