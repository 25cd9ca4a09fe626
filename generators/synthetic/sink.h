// SPDX-License-Identifier: Apache-2.0
//
// Where an artifact's text goes: gathered in pieces, handed on in large ones.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace graph_coverage::synthetic {

class Sink {
 public:
  using Receiver = std::function<void(std::string_view)>;

  explicit Sink(Receiver receiver) : receiver_(std::move(receiver)) {
    text_.reserve(2 * kPiece);
  }
  // What is not flushed is lost: call Flush() at the end.
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // The text gathered so far, to append to.
  std::string& text() { return text_; }
  // Hands the text on if there is enough of it.
  void Relieve() {
    if (text_.size() >= kPiece) Flush();
  }
  void Flush() {
    receiver_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  Receiver receiver_;
  std::string text_;
};

}  // namespace graph_coverage::synthetic
