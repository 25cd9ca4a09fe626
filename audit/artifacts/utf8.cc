// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/utf8.h"

#include <fmt/format.h>

namespace graph_coverage {
namespace {

// The character that `text` starts with, of `length` bytes.
std::uint32_t CodePoint(std::string_view text, std::size_t length) {
  const auto byte = [&text](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  if (length == 1) return byte(0);
  std::uint32_t code = byte(0) & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3fu);
  return code;
}

bool Misleads(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ||  // C0, DEL, C1
         code == 0x061c || code == 0x200e || code == 0x200f ||
         (code >= 0x2028 && code <= 0x202e) ||  // line ends, embeddings
         (code >= 0x2066 && code <= 0x2069);    // isolates
}

}  // namespace

std::size_t Utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&text](std::size_t i) {
    return static_cast<unsigned char>(text[i]);
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2   ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  // The second byte's range excludes overlong forms, surrogates and code
  // points past 0x10ffff.
  const unsigned least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

void AppendUtf8(std::uint32_t code, std::string* text) {
  const auto add = [text](std::uint32_t byte) {
    *text += static_cast<char>(byte);
  };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6);
    add(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  }
}

std::string Printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    if (length == 0 || Misleads(CodePoint(text, length))) {
      const std::size_t bytes = length == 0 ? 1 : length;
      for (std::size_t i = 0; i < bytes; ++i) {
        shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      }
      text.remove_prefix(bytes);
    } else {
      shown.append(text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return shown;
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kMost = 64;
  std::string shown = Printable(text.substr(0, kMost));
  if (text.size() > kMost) shown += "…";
  return "\"" + shown + "\"";
}

std::string PrintableJson(std::string_view json) {
  std::string shown;
  shown.reserve(json.size());
  while (!json.empty()) {
    const std::size_t length = Utf8Length(json);
    const std::uint32_t code = CodePoint(json, length);
    // Between values stand line ends; in strings they are escaped already.
    if (code >= 0x20 && Misleads(code)) {
      shown += fmt::format("\\u{:04x}", code);
    } else {
      shown.append(json.substr(0, length));
    }
    json.remove_prefix(length);
  }
  return shown;
}

}  // namespace graph_coverage
