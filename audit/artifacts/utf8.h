// SPDX-License-Identifier: Apache-2.0
//
// UTF-8: what is a character, and how text is shown safely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace graph_coverage {

// The length in bytes of the character that `text` starts with; 0 where its
// first bytes are no valid UTF-8.
std::size_t Utf8Length(std::string_view text);

// Appends a code point below 0x110000 as UTF-8.
void AppendUtf8(std::uint32_t code, std::string* text);

// `text` with what steers a terminal or misleads a reader as \xNN: control
// characters, marks that end a line or turn the direction of writing, and bytes
// that are not UTF-8.
std::string Printable(std::string_view text);

// The same in quotes, cut to a length that a message can hold.
std::string Quoted(std::string_view text);

// JSON with such characters as \uNNNN: the same values, fit for a terminal.
// Valid UTF-8.
std::string PrintableJson(std::string_view json);

}  // namespace graph_coverage
