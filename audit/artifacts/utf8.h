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

// `text` with control characters and bytes that are not UTF-8 as \xNN, so that
// it can be shown on a terminal.
std::string Printable(std::string_view text);

}  // namespace graph_coverage
