// SPDX-License-Identifier: Apache-2.0
//
// What is wrong with an input, said so that a reader can find the place.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <stdexcept>
#include <string>

namespace graph_coverage {

// Where in a file. Line and column count from 1, column and byte in bytes,
// byte from 0; line 0 means "the file as a whole".
struct Place {
  std::string file;
  std::uint64_t line = 0;
  std::uint64_t column = 0;
  std::uint64_t byte = 0;
};

// An artifact that cannot be audited: absent, unreadable or not in the format.
// what() reads "file:line:column: byte N: found X, expected Y", or
// "file: problem" for the file as a whole.
class InputError : public std::runtime_error {
 public:
  // A fault at one place. `found` is the offending token as it stands.
  static InputError At(Place place, const std::string& found,
                       const std::string& expected);
  // A fault of a file or folder as a whole; `problem` says what to do.
  static InputError Of(const std::string& file, const std::string& problem);

  const Place& place() const { return place_; }

 private:
  InputError(Place place, const std::string& what);
  Place place_;
};

// GoogleTest prints these types with one line each.
void PrintTo(const Place& place, std::ostream* out);
void PrintTo(const InputError& error, std::ostream* out);

}  // namespace graph_coverage
