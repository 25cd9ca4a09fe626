// SPDX-License-Identifier: Apache-2.0
//
// Which lines of a C++ text #if 0 and #if 1 switch off. Other conditions count
// as true in every arm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph_coverage/error.h"

namespace graph_coverage {

class CxxConditionals {
 public:
  // Takes a preprocessor line `#name condition`; only conditionals matter.
  // Throws InputError for one without its #if.
  void Read(const Place& place, const std::string& name,
            const std::string& condition);
  // Whether what follows is switched off.
  bool off() const { return off_ > 0; }
  // Throws InputError if an #if is still open.
  void CheckClosed() const;

 private:
  enum class Arm { kOff, kOn, kUnknown };
  struct Group {
    Arm arm;
    bool was_on;  // an arm with a true condition has been seen
    Place place;
  };
  static Arm ArmOf(const std::string& condition);

  std::vector<Group> groups_;
  std::size_t off_ = 0;  // how many of them are in an arm that is off
};

}  // namespace graph_coverage
