// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/json_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace graph_coverage {
namespace {

// Reads any value; what went wrong, or nothing.
std::string ErrorOf(const std::string& text) {
  const auto source = OpenMemory("g.json", text);
  try {
    JsonScanner scanner(*source);
    scanner.Skip(0);
    scanner.ExpectEnd();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string StringOf(const std::string& text) {
  const auto source = OpenMemory("g.json", text);
  JsonScanner scanner(*source);
  return std::string(scanner.String("a string"));
}

TEST(JsonScanner, ReadsStringsWithEscapesAndUnicode) {
  EXPECT_EQ(StringOf(R"("plain")"), "plain");
  EXPECT_EQ(StringOf(R"("a\"b\\c\/d\b\f\n\r\te")"), "a\"b\\c/d\b\f\n\r\te");
  EXPECT_EQ(StringOf(R"("\u0041\u00e9\u20ac\ud83d\ude00")"),
            "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(StringOf("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""),
            "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(StringOf("\"\""), "");
}

TEST(JsonScanner, ReadsStringsThatLeaveTheWindow) {
  const std::string text(900'000, 'x');
  EXPECT_EQ(StringOf("\"" + text + "\""), text);
  const std::string spaces(600'000, ' ');
  EXPECT_EQ(StringOf(spaces + "\"" + text + "\\n\""), text + "\n");
}

TEST(JsonScanner, TakesAByteOrderMark) {
  EXPECT_EQ(ErrorOf("\xef\xbb\xbf{}"), "");
}

TEST(JsonScanner, ReadsIntegersUpToTheirLimits) {
  const auto source =
      OpenMemory("g.json", "18446744073709551615 -9223372036854775808 -0 7");
  JsonScanner scanner(*source);
  EXPECT_EQ(scanner.Unsigned("a number", UINT64_MAX), UINT64_MAX);
  EXPECT_EQ(scanner.Integer("a number", INT64_MIN, INT64_MAX), INT64_MIN);
  EXPECT_EQ(scanner.Unsigned("a number", 9), 0u);
  EXPECT_EQ(scanner.Integer("a number", 0, 9), 7);
}

struct BadCase {
  const char* text;
  const char* error;
};

TEST(JsonScanner, SaysWhereAndWhatIsWrong) {
  const BadCase cases[] = {
      {"", "g.json:1:1: byte 0: found the end of the file, expected a value"},
      {"[1,\n 2,\n x]", "g.json:3:2: byte 9: found x, expected a value"},
      {"[1 2]", "g.json:1:4: byte 3: found 2, expected \",\" or \"]\""},
      {"[1,]", "g.json:1:4: byte 3: found ], expected a value"},
      {"{\"a\" 1}", "g.json:1:6: byte 5: found 1, expected \":\""},
      {"{\"a\":1,}", "g.json:1:8: byte 7: found }, expected a key"},
      {"{a:1}", "g.json:1:2: byte 1: found a, expected a key"},
      {"{\"a\":1,\"a\":2}",
       "g.json:1:8: byte 7: found the key \"a\" a second time, expected each "
       "key once in an object"},
      {"[1] x", "g.json:1:5: byte 4: found x, expected the end of the file"},
      {"\"ab", "g.json:1:1: byte 0: found \"ab, expected a closing quote"},
      {"\"a\nb\"",
       "g.json:1:3: byte 2: found the control character 0x0a in a string, "
       "expected an escape such as \\n, or a closing quote"},
      {"\"a\\x\"",
       "g.json:1:3: byte 2: found a backslash that starts no escape, expected "
       "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
      {"\"\\u12g4\"",
       "g.json:1:2: byte 1: found \\u without four hexadecimal digits, "
       "expected \\uXXXX"},
      {"\"\\ud800x\"",
       "g.json:1:2: byte 1: found half of a surrogate pair, expected \\ud800 "
       "to \\udbff followed by \\udc00 to \\udfff"},
      {"\"\\udc00\"",
       "g.json:1:2: byte 1: found half of a surrogate pair, expected \\ud800 "
       "to \\udbff followed by \\udc00 to \\udfff"},
      {"\"\xff\"",
       "g.json:1:2: byte 1: found the byte 0xff, expected valid UTF-8"},
      {"\"\xc3(\"",
       "g.json:1:2: byte 1: found the byte 0xc3, expected valid UTF-8"},
      {"01",
       "g.json:1:1: byte 0: found 01, expected a number without leading "
       "zeros"},
      {"18446744073709551616",
       "g.json:1:1: byte 0: found 18446744073709551616, expected an integer "
       "of at most 64 bits"},
      {"-9223372036854775809",
       "g.json:1:1: byte 0: found -9223372036854775809, expected an integer "
       "of at most 64 bits"},
      {"1e999",
       "g.json:1:1: byte 0: found 1e999, expected a number that a "
       "double can hold"},
      {"1.", "g.json:1:1: byte 0: found 1., expected a number"},
      {"-", "g.json:1:1: byte 0: found -, expected a value"},
      {"truth", "g.json:1:1: byte 0: found truth, expected a value"},
      {"nul", "g.json:1:1: byte 0: found nul, expected a value"},
  };
  for (const BadCase& bad : cases) {
    EXPECT_EQ(ErrorOf(bad.text), bad.error) << bad.text;
  }
}

TEST(JsonScanner, HoldsNestingToItsLimit) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_EQ(ErrorOf(nested(JsonScanner::kMaxDepth)), "");
  EXPECT_EQ(ErrorOf(nested(JsonScanner::kMaxDepth + 1)),
            "g.json:1:65: byte 64: found [, expected at most 64 levels of "
            "nesting");
}

TEST(JsonScanner, HoldsStringsToTheirLimit) {
  const auto quoted = [](std::size_t size) {
    return "\"" + std::string(size, 'x') + "\"";
  };
  EXPECT_EQ(ErrorOf(quoted(JsonScanner::kMaxString - 1)), "");
  EXPECT_THAT(ErrorOf(quoted(JsonScanner::kMaxString + 1)),
              testing::EndsWith("expected a string of at most 1048576 bytes"));
}

// What is JSON is what nlohmann's parser takes; the four rules beyond the
// grammar are kept out of these texts.
TEST(JsonScanner, HoldsTheKeysOfAnObjectToTheirLimit) {
  const auto object = [](std::size_t keys) {
    std::string text;
    for (std::size_t i = 0; i < keys; ++i) {
      text += (i == 0 ? "{\"" : ",\"") + std::to_string(i) + "\":0";
    }
    return text + "}";
  };
  EXPECT_EQ(ErrorOf(object(JsonScanner::kMaxKeys)), "");
  EXPECT_THAT(ErrorOf(object(JsonScanner::kMaxKeys + 1)),
              testing::EndsWith("found the key \"100000\", expected at most "
                                "100000 keys in an object"));
}

// Numbers up to 4,096 bytes are whole wherever they stand; longer ones only
// where the window happens to hold them.
TEST(JsonScanner, HoldsNumbersToTheirLimit) {
  const auto after = [](std::size_t spaces, std::size_t digits) {
    return "[" + std::string(spaces, ' ') + "0." +
           std::string(digits - 2, '1') + "," +
           std::string(std::size_t{1} << 19, ' ') + "0]";
  };
  constexpr std::size_t kWindow = std::size_t{1} << 18;
  for (std::size_t before = 0; before <= 4200; before += 100) {
    EXPECT_EQ(ErrorOf(after(kWindow - before, 4096)), "") << before;
  }
  EXPECT_THAT(ErrorOf(after(0, 300'000)),
              testing::EndsWith("expected a number of at most 4096 bytes"));
}

TEST(JsonScanner, ShowsKeysShortAndPrintable) {
  const std::string key = "\\u001b[31m\\u202e" + std::string(1000, 'k');
  const std::string object = "{\"" + key + "\":1,\"" + key + "\":2}";
  EXPECT_THAT(ErrorOf(object),
              testing::EndsWith("found the key \"\\x1b[31m\\xe2\\x80\\xae" +
                                std::string(56, 'k') +
                                "…\" a second time, expected each key once in "
                                "an object"));
}

TEST(JsonScanner, AcceptsWhatTheReferenceAccepts) {
  const std::vector<std::string> seeds = {
      R"({"a":[1,-2.5e3,null,true,false,"x\u00e9\n"],"key":{"c":{}}})",
      "[ [ ] , { } , \"\\ud83d\\ude00\" , 0 , -0 , 1E+2 ]\r\n\t "};
  const std::string alphabet =
      "{}[]:,\"\\u0123456789-+.eEtrufalsn \n\x01\xc3\xff/";
  int accepted = 0;
  for (const std::string& seed : seeds) {
    for (std::size_t at = 0; at < seed.size(); ++at) {
      for (const char c : alphabet) {
        std::string text = seed;
        text[at] = c;
        const bool reference = nlohmann::json::accept(text);
        EXPECT_EQ(ErrorOf(text).empty(), reference) << text;
        accepted += reference ? 1 : 0;
      }
      EXPECT_NE(ErrorOf(seed.substr(0, at) + "\x01"), "");
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace graph_coverage
