// SPDX-License-Identifier: Apache-2.0
//
// The message of the InputError that a piece of code throws.
#pragma once

#include <string>

#include "graph_coverage/error.h"

namespace graph_coverage {

// What `code()` throws, or "no error".
template <typename Code>
std::string ErrorOf(Code code) {
  try {
    code();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace graph_coverage
