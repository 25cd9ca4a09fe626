// SPDX-License-Identifier: Apache-2.0
//
// A main for fuzz targets where there is no libFuzzer: calls the target with
// each file of a corpus and then with edits of them, as many as asked for and
// the same in every run.
//
// usage: <target> RUNS DICTIONARY CORPUS
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/target.h"

namespace {

std::string ContentOf(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> Corpus(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw std::runtime_error("no corpus in " + folder);
  std::vector<std::string> inputs;
  for (const auto& file : files) inputs.push_back(ContentOf(file));
  return inputs;
}

// The words of a libFuzzer dictionary: a line each, in quotes, of which \" and
// \\ are the only escapes that ours have.
std::vector<std::string> Words(const std::string& dictionary) {
  std::ifstream in(dictionary);
  if (!in) throw std::runtime_error("cannot read " + dictionary);
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);) {
    if (line.size() < 2 || line.front() != '"') continue;
    std::string word;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
      if (line[i] == '\\') ++i;
      word += line[i];
    }
    words.push_back(word);
  }
  return words;
}

class Editor {
 public:
  Editor(std::vector<std::string> inputs, std::vector<std::string> words)
      : inputs_(std::move(inputs)), words_(std::move(words)) {}

  std::string Next() {
    std::string text = inputs_[Below(inputs_.size())];
    const std::size_t edits = 1 + Below(4);
    for (std::size_t i = 0; i < edits && !text.empty(); ++i) Edit(&text);
    return text;
  }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }

  void Edit(std::string* text) {
    const std::size_t at = Below(text->size());
    const std::size_t length =
        1 + Below(std::min<std::size_t>(text->size() - at, 1 + Below(64)));
    switch (Below(5)) {
      case 0:
        text->erase(at, length);
        break;
      case 1:
        text->insert(at, text->substr(Below(text->size()), length));
        break;
      case 2:
        (*text)[at] = static_cast<char>(random_());
        break;
      case 3:
        text->insert(at, words_[Below(words_.size())]);
        break;
      case 4: {
        const std::string& other = inputs_[Below(inputs_.size())];
        text->replace(at, length,
                      other.substr(Below(other.size() + 1), length));
        break;
      }
    }
  }

  std::vector<std::string> inputs_;
  std::vector<std::string> words_;
  std::mt19937_64 random_{1};
};

void Call(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()),
                         text.size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("expected RUNS DICTIONARY CORPUS");
    const std::vector<std::string> inputs = Corpus(argv[3]);
    for (const std::string& input : inputs) Call(input);
    Editor editor(inputs, Words(argv[2]));
    const int runs = std::stoi(argv[1]);
    for (int i = 0; i < runs; ++i) Call(editor.Next());
    std::cout << inputs.size() << " inputs of the corpus, " << runs
              << " edits of them\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 2;
  }
}
