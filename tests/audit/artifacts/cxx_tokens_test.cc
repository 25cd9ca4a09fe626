// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/cxx_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Kind = CxxToken::Kind;

std::vector<std::string> Texts(std::string_view text) {
  const CxxTokens tokens(text, "k.cu");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    texts.emplace_back(tokens[i].text);
  }
  return texts;
}

std::vector<Kind> Kinds(std::string_view text) {
  const CxxTokens tokens(text, "k.cu");
  std::vector<Kind> kinds;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    kinds.push_back(tokens[i].kind);
  }
  return kinds;
}

std::string Error(std::string_view text) {
  return ErrorOf([&] { CxxTokens(text, "k.cu"); });
}

// "line:column byte" of token i.
std::string Where(std::string_view text, std::size_t i) {
  const CxxTokens tokens(text, "k.cu");
  const Place place = tokens.place(i);
  return std::to_string(place.line) + ":" + std::to_string(place.column) + " " +
         std::to_string(place.byte);
}

TEST(CxxTokens, TellsKindsApart) {
  EXPECT_THAT(Kinds("if 0x7fULL \"s\" 'c' ;"),
              ElementsAre(Kind::kIdentifier, Kind::kNumber, Kind::kString,
                          Kind::kCharacter, Kind::kPunctuation, Kind::kEnd));
  EXPECT_THAT(Kinds(""), ElementsAre(Kind::kEnd));
}

TEST(CxxTokens, ReadsTheLongestPunctuationButSingleClosingAngles) {
  EXPECT_THAT(Texts("a->b::c&&d==e"),
              ElementsAre("a", "->", "b", "::", "c", "&&", "d", "==", "e"));
  EXPECT_THAT(Texts("a<b<c>>d>=e"), ElementsAre("a", "<", "b", "<", "c", ">",
                                                ">", "d", ">", "=", "e"));
  EXPECT_THAT(
      Texts("k<<<g,b>>>(x)"),
      ElementsAre("k", "<<<", "g", ",", "b", ">", ">", ">", "(", "x", ")"));
  EXPECT_THAT(Texts("a<<=b<=c..."),
              ElementsAre("a", "<<=", "b", "<=", "c", "..."));
  EXPECT_THAT(Texts("m[t[0]]"), ElementsAre("m", "[", "t", "[", "0", "]", "]"));
}

TEST(CxxTokens, ReadsNumbersWhole) {
  EXPECT_THAT(Texts("1'000 0x70cf96000000 1e-6f 0x1p+3 .5f 3.f 1-2 12ull"),
              ElementsAre("1'000", "0x70cf96000000", "1e-6f", "0x1p+3", ".5f",
                          "3.f", "1", "-", "2", "12ull"));
}

TEST(CxxTokens, KnowsTheValuesOfIntegers) {
  const auto value = [](std::string_view text) {
    const CxxTokens tokens(text, "k.cu");
    return IntegerValue(tokens[0]);
  };
  EXPECT_EQ(value("14336"), 14336u);
  EXPECT_EQ(value("0"), 0u);
  EXPECT_EQ(value("1'000'000ULL"), 1000000u);
  EXPECT_EQ(value("0x70cf96000000"), 0x70cf96000000u);
  EXPECT_EQ(value("0XFFu"), 255u);
  EXPECT_EQ(value("0b101"), 5u);
  EXPECT_EQ(value("017"), 15u);
  EXPECT_EQ(value("18446744073709551615"), 18446744073709551615u);
  EXPECT_EQ(value("18446744073709551616"), std::nullopt);
  EXPECT_EQ(value("1e3"), std::nullopt);
  EXPECT_EQ(value("1.5"), std::nullopt);
  EXPECT_EQ(value("09"), std::nullopt);
  EXPECT_EQ(value("0x"), std::nullopt);
  EXPECT_EQ(value("12ulll2"), std::nullopt);
  EXPECT_EQ(value("name"), std::nullopt);
}

TEST(CxxTokens, ReadsStringsWithEscapesPrefixesAndRawOnes) {
  EXPECT_THAT(Texts(R"x("a\"b" '\'' L"w" u8"x" '"' "//" "/*")x"),
              ElementsAre(R"x("a\"b")x", R"('\'')", "L\"w\"", "u8\"x\"", "'\"'",
                          "\"//\"", "\"/*\""));
  EXPECT_THAT(Texts("R\"(a\"b\\)\" x uR\"d(\n)\" )d\" y"),
              ElementsAre("R\"(a\"b\\)\"", "x", "uR\"d(\n)\" )d\"", "y"));
  EXPECT_THAT(Texts("\"a\\\\\" x"), ElementsAre("\"a\\\\\"", "x"));
}

TEST(CxxTokens, KnowsTheValuesOfStrings) {
  const auto value = [](std::string_view text) {
    const CxxTokens tokens(text, "k.cu");
    return StringValue(tokens[0]);
  };
  EXPECT_EQ(value("\"rope_cos\""), "rope_cos");
  EXPECT_EQ(value("\"\""), "");
  EXPECT_EQ(value(R"("a\"b\\c\'")"), "a\"b\\c'");
  EXPECT_EQ(value("R\"(a\\n)\""), "a\\n");
  EXPECT_EQ(value("R\"xy(a)b)xy\""), "a)b");
  EXPECT_EQ(value("\"caf\xc3\xa9\""), "caf\xc3\xa9");
  EXPECT_EQ(value(R"("a\n")"), std::nullopt);
  EXPECT_EQ(value("'a'"), std::nullopt);
  EXPECT_EQ(value("a"), std::nullopt);
}

TEST(CxxTokens, LeavesCommentsOut) {
  EXPECT_THAT(Texts("false/*residual*/, // task_desc->input_ptrs[4],\nx"),
              ElementsAre("false", ",", "x"));
  EXPECT_THAT(Texts("a/**/b/* * / ** */c//"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Texts("a /* \" ' // \n */ b"), ElementsAre("a", "b"));
  EXPECT_THAT(Texts("a / b"), ElementsAre("a", "/", "b"));
}

TEST(CxxTokens, JoinsContinuedLinesEverywhere) {
  EXPECT_THAT(Texts("na\\\nme"), ElementsAre("name"));
  EXPECT_THAT(Texts("na\\\r\n\\  \nme"), ElementsAre("name"));
  EXPECT_THAT(Texts("0x\\\n7f"), ElementsAre("0x7f"));
  EXPECT_THAT(Texts("a-\\\n>b"), ElementsAre("a", "->", "b"));
  EXPECT_THAT(Texts("\"a\\\nb\" c"), ElementsAre("\"ab\"", "c"));
  EXPECT_THAT(Texts("u8\"a\\\nb\""), ElementsAre("u8\"ab\""));
  EXPECT_THAT(Texts("\"a\\\\\n\"b\" c"), ElementsAre("\"a\\\"b\"", "c"));
  EXPECT_THAT(Texts("// a \\\n still a comment\nx"), ElementsAre("x"));
  EXPECT_THAT(Texts("/\\\n/ a comment\nx"), ElementsAre("x"));
  EXPECT_THAT(Texts("/\\\n* a *\\\n/ x"), ElementsAre("x"));
  EXPECT_THAT(Texts("R\"(a\\\nb)\""), ElementsAre("R\"(a\\\nb)\""));
}

TEST(CxxTokens, GivesPlaces) {
  const std::string_view text = "a\n  bb // c\n/* \n */ d e\\\nf g";
  EXPECT_EQ(Where(text, 0), "1:1 0");
  EXPECT_EQ(Where(text, 1), "2:3 4");
  EXPECT_EQ(Where(text, 2), "4:5 20");
  EXPECT_EQ(Where(text, 3), "4:7 22");
  EXPECT_EQ(Where(text, 4), "5:3 27");
  EXPECT_EQ(Where(text, 5), "5:4 28");  // the end
  EXPECT_EQ(Where("R\"(\n\n)\" x", 1), "3:4 8");
  EXPECT_EQ(Where("a+\\\n+b c", 2), "2:2 5");
  EXPECT_EQ(Where("\xef\xbb\xbf"
                  "a",
                  0),
            "1:4 3");
}

TEST(CxxTokens, KnowsWhereBlanksStand) {
  const CxxTokens tokens("a ->b/**/c\nd", "k.cu");
  EXPECT_FALSE(tokens[0].space_before);
  EXPECT_TRUE(tokens[1].space_before);
  EXPECT_FALSE(tokens[2].space_before);
  EXPECT_TRUE(tokens[3].space_before);
  EXPECT_TRUE(tokens[4].space_before);
}

TEST(CxxTokens, LeavesPreprocessorLinesOut) {
  EXPECT_THAT(Texts("#include <a>\n  # define X(a) \\\n   b '\nc"),
              ElementsAre("c"));
  EXPECT_THAT(Texts("/* */ #define A /* \n */ b\nc # d"),
              ElementsAre("c", "#", "d"));
  EXPECT_THAT(Texts("#define S \"/*\"\na"), ElementsAre("a"));
  EXPECT_THAT(Texts("#error don't\na"), ElementsAre("a"));
  EXPECT_THAT(Texts("#pragma once"), IsEmpty());
}

TEST(CxxTokens, LeavesOutWhatIsSwitchedOff) {
  EXPECT_THAT(Texts("#if 0\na don't \"\n#else\nb\n#endif\nc"),
              ElementsAre("b", "c"));
  EXPECT_THAT(Texts("#if 1\na\n#else\nb\n#endif\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(Texts("#if 0\n#if 1\na\n#endif\nb\n#endif\nc"), ElementsAre("c"));
  EXPECT_THAT(Texts("#if 0\na\n#elif 1\nb\n#elif X\nc\n#else\nd\n#endif"),
              ElementsAre("b"));
  EXPECT_THAT(Texts("#ifdef A\na\n#elif 0\nb\n#else\nc\n#endif"),
              ElementsAre("a", "c"));
  EXPECT_THAT(Texts("#if(0)\na\n#endif\n#if 0 || B\nb\n#endif"),
              ElementsAre("a", "b"));
}

TEST(CxxTokens, TakesOtherBytesAsTheyCome) {
  EXPECT_THAT(Texts("caf\xc3\xa9 = @`;"),
              ElementsAre("caf\xc3\xa9", "=", "@", "`", ";"));
  EXPECT_THAT(Texts("\"\x01\" /* \x01 */ a"), ElementsAre("\"\x01\"", "a"));
  EXPECT_THAT(Texts("a \\ b"), ElementsAre("a", "\\", "b"));
  EXPECT_THAT(Texts("a\\"), ElementsAre("a", "\\"));
}

TEST(CxxTokens, SaysWhatIsNotClosed) {
  EXPECT_EQ(Error("a\n /* b\n"),
            "k.cu:2:2: byte 3: found /*, expected */ before the end of the "
            "file");
  EXPECT_EQ(Error("x = \"abc\n\";"),
            "k.cu:1:5: byte 4: found \"abc, expected a closing \" on this "
            "line");
  EXPECT_EQ(Error("'abc"),
            "k.cu:1:1: byte 0: found 'abc, expected a closing ' on this line");
  EXPECT_EQ(Error("\"abc\\"),
            "k.cu:1:1: byte 0: found \"abc\\, expected a closing \" on this "
            "line");
  EXPECT_EQ(Error("a R\"x(b)\""),
            "k.cu:1:3: byte 2: found R\"x(, expected )x\" before the end of "
            "the file");
  EXPECT_EQ(Error("R\"a b(c)\""),
            "k.cu:1:1: byte 0: found R\"a, expected ( and the text of a raw "
            "string");
  EXPECT_EQ(Error("R\"aaaaaaaaaaaaaaaaa(c)\""),
            "k.cu:1:1: byte 0: found R\"aaaaaaaaaaaaaaaaa, expected ( and the "
            "text of a raw string");
  EXPECT_EQ(Error("\n#if X\na\n"),
            "k.cu:2:1: byte 1: found #if, expected an #endif before the end "
            "of the file");
  EXPECT_EQ(Error("#endif\n"),
            "k.cu:1:1: byte 0: found #endif, expected an #if before it");
  EXPECT_EQ(Error("#else\n"),
            "k.cu:1:1: byte 0: found #else, expected an #if before it");
}

TEST(CxxTokens, RejectsBytesThatNoTextHas) {
  EXPECT_EQ(Error(std::string_view("a\n/* \0 */", 9)),
            "k.cu:2:4: byte 5: found a NUL byte, expected C++ text");
  EXPECT_EQ(Error("a\x01"),
            "k.cu:1:2: byte 1: found byte 0x01, expected C++ text");
  EXPECT_EQ(Error("\x7f"),
            "k.cu:1:1: byte 0: found byte 0x7f, expected C++ text");
}

TEST(CxxTokens, ShowsTokensShortAndOnOneLine) {
  const std::string text = "R\"(a\nb)\" " + std::string(100, 'x');
  const CxxTokens tokens(text, "k.cu");
  EXPECT_EQ(ErrorOf([&] { tokens.Fail(0, "y"); }),
            "k.cu:1:1: byte 0: found R\"(a\\x0ab)\", expected y");
  EXPECT_EQ(
      ErrorOf([&] { tokens.Fail(1, "y"); }),
      "k.cu:2:5: byte 9: found " + std::string(60, 'x') + "..., expected y");
  EXPECT_EQ(ErrorOf([&] { tokens.Fail(2, "y"); }),
            "k.cu:2:105: byte 109: found the end of the file, expected y");
}

}  // namespace
}  // namespace graph_coverage
