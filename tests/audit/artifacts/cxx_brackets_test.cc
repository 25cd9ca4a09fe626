// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/cxx_brackets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/audit/artifacts/error_of.h"

namespace graph_coverage {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Text {
  explicit Text(std::string_view text) : tokens(text, "k.cu") {}
  CxxTokens tokens;
  CxxBrackets brackets{tokens};

  CxxRange all() const { return {0, tokens.size()}; }
  std::string Show(CxxRange range) const {
    std::string text;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      text += tokens[i].text;
    }
    return text;
  }
  std::vector<std::string> Show(const std::vector<CxxRange>& ranges) const {
    std::vector<std::string> texts;
    for (const CxxRange range : ranges) texts.push_back(Show(range));
    return texts;
  }
};

std::string Error(std::string_view text) {
  return ErrorOf([&] { Text{text}; });
}

std::vector<std::string> Arguments(std::string_view text) {
  const Text t(text);
  return t.Show(t.brackets.Split(t.all(), ","));
}

std::string Bare(std::string_view text) {
  const Text t(text);
  return t.Show(t.brackets.WithoutCasts(t.all()));
}

TEST(CxxBrackets, PairsBrackets) {
  const Text t("f(a[0], {b})");
  EXPECT_EQ(t.brackets.Partner(1), 10u);
  EXPECT_EQ(t.brackets.Partner(10), 1u);
  EXPECT_EQ(t.brackets.Partner(3), 5u);
  EXPECT_EQ(t.brackets.Partner(2), 2u);
  EXPECT_TRUE(t.brackets.Opens(1));
  EXPECT_FALSE(t.brackets.Opens(10));
}

TEST(CxxBrackets, SplitsArgumentsOutsideOfTemplateLists) {
  EXPECT_THAT(Arguments("a, f(b, c), d[e, 1]"),
              ElementsAre("a", "f(b,c)", "d[e,1]"));
  EXPECT_THAT(Arguments("pair<1, none<false>>::make(x), y"),
              ElementsAre("pair<1,none<false>>::make(x)", "y"));
  EXPECT_THAT(Arguments("is<A && B, int>(x), y"),
              ElementsAre("is<A&&B,int>(x)", "y"));
  EXPECT_THAT(Arguments("a, "), ElementsAre("a", ""));
  EXPECT_THAT(Arguments(""), IsEmpty());
}

TEST(CxxBrackets, TakesComparisonsForWhatTheyAre) {
  EXPECT_THAT(Arguments("a < b, c >= d, e"), ElementsAre("a<b", "c>=d", "e"));
  EXPECT_THAT(Arguments("a < b, c > 3"), ElementsAre("a<b", "c>3"));
  EXPECT_THAT(Arguments("f(a < b), c > d"), ElementsAre("f(a<b)", "c>d"));
  EXPECT_THAT(Arguments("1 < b, c > d"), ElementsAre("1<b", "c>d"));
  EXPECT_THAT(Arguments("a << b, c >> d"), ElementsAre("a<<b", "c>>d"));
}

TEST(CxxBrackets, StripsCastsAndParentheses) {
  EXPECT_EQ(Bare("static_cast<char*>(model_tensors.at(\"x\"))"),
            "model_tensors.at(\"x\")");
  EXPECT_EQ(Bare("(char*)(0x70cf96000000)"), "0x70cf96000000");
  EXPECT_EQ(Bare("(char *) torch_tensors[3]"), "torch_tensors[3]");
  EXPECT_EQ(Bare("reinterpret_cast<void const *>((((x))))"), "x");
  EXPECT_EQ(Bare("(void**)&x"), "&x");
  EXPECT_EQ(Bare("(std::vector<int> const *)p"), "p");
  EXPECT_EQ(Bare("(a) + (b)"), "(a)+(b)");
  EXPECT_EQ(Bare("(a) - b"), "(a)-b");
  EXPECT_EQ(Bare("(a + b) (c)"), "(a+b)(c)");
  EXPECT_EQ(Bare("static_cast<int>(a) + 1"), "static_cast<int>(a)+1");
  EXPECT_EQ(Bare("static_cast < 1"), "static_cast<1");
  EXPECT_EQ(Bare("x"), "x");
  EXPECT_EQ(Bare("()"), "");
}

TEST(CxxBrackets, FindsTheBodyOfADefinition) {
  const auto body = [](std::string_view text) {
    const Text t(text);
    const auto range = t.brackets.FunctionBody("f");
    return range ? t.Show(*range) : "none";
  };
  EXPECT_EQ(body("void f(int a) { b; { c; } }"), "b;{c;}");
  EXPECT_EQ(body("void f(); int g() { f(); } void f() noexcept { d; }"), "d;");
  EXPECT_EQ(body("void f() {}"), "");
  EXPECT_EQ(body("void f(); int f = 3; g<f>(1);"), "none");
}

TEST(CxxBrackets, SaysWhichBracketDoesNotMatch) {
  EXPECT_EQ(Error("f(\n a[1) ]"),
            "k.cu:2:5: byte 7: found ), expected ] to close the [ of line 2");
  EXPECT_EQ(Error("a }"),
            "k.cu:1:3: byte 2: found }, expected a { before it that it "
            "closes");
  EXPECT_EQ(Error("a )"),
            "k.cu:1:3: byte 2: found ), expected a ( before it that it "
            "closes");
  EXPECT_EQ(Error("a ]"),
            "k.cu:1:3: byte 2: found ], expected a [ before it that it "
            "closes");
  EXPECT_EQ(Error("f() {\n  a<b;\n"),
            "k.cu:3:1: byte 13: found the end of the file, expected } to "
            "close the { of line 1");
  EXPECT_EQ(Error(std::string(101, '(')),
            "k.cu:1:101: byte 100: found (, expected brackets that nest at "
            "most 100 deep");
  EXPECT_EQ(Error(std::string(100, '{') + std::string(100, '}')), "no error");
}

}  // namespace
}  // namespace graph_coverage
