// SPDX-License-Identifier: Apache-2.0
#include "audit/artifacts/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/sample_gendir.h"

namespace graph_coverage {
namespace {

namespace fs = std::filesystem;

std::string ErrorOf(const std::string& path) {
  try {
    OpenFile(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class ByteSourceTest : public testing::Test {
 protected:
  ByteSourceTest() { fs::create_directories(folder_); }
  const std::string folder_ = ScratchDirectory("files");
};

TEST_F(ByteSourceTest, ReadsAFileAndFindsPlacesInIt) {
  const std::string path = folder_ + "/a.txt";
  std::ofstream(path) << "one\ntwo\nthree";
  const auto source = OpenFile(path);
  EXPECT_EQ(source->size(), 13u);
  EXPECT_EQ(ReadAll(*source, 13), "one\ntwo\nthree");
  const Place place = source->Locate(9);
  EXPECT_EQ(place.file, path);
  EXPECT_EQ(place.line, 3u);
  EXPECT_EQ(place.column, 2u);
}

TEST_F(ByteSourceTest, ReadsOnFromAnyByte) {
  const std::string path = folder_ + "/seek.txt";
  std::ofstream(path) << "one\ntwo\nthree";
  for (const auto& source :
       {OpenFile(path), OpenMemory("m", "one\ntwo\nthree")}) {
    source->Seek(8);
    EXPECT_EQ(ReadAll(*source, 13), "three");
    // Another reader of the same bytes: what moves the one moves no other.
    const auto again = source->Reopen();
    EXPECT_EQ(ReadAll(*again, 13), "one\ntwo\nthree");
    source->Seek(4);
    EXPECT_EQ(ReadAll(*source, 13), "two\nthree");
    source->Seek(99);
    EXPECT_EQ(ReadAll(*source, 13), "");
  }
  // The file that was opened, whatever its name means by now.
  const auto source = OpenFile(path);
  fs::remove(path);
  EXPECT_EQ(ReadAll(*source->Reopen(), 13), "one\ntwo\nthree");
}

TEST_F(ByteSourceTest, HoldsAFileToTheLimitGiven) {
  const auto source = OpenMemory("a.cu", "four");
  EXPECT_THROW(
      {
        try {
          ReadAll(*source, 3);
        } catch (const InputError& error) {
          EXPECT_STREQ(error.what(),
                       "a.cu: is larger than 3 bytes, the most that is read "
                       "of such a file");
          throw;
        }
      },
      InputError);
}

TEST_F(ByteSourceTest, DoesNotReadWhatIsTooLarge) {
  class Large final : public ByteSource {
   public:
    std::size_t Read(char*, std::size_t) override {
      ADD_FAILURE() << "it was read";
      return 0;
    }
    void Seek(std::uint64_t) override {}
    std::unique_ptr<ByteSource> Reopen() const override { return nullptr; }
    const std::string& name() const override { return name_; }
    std::uint64_t size() const override { return 4; }

   private:
    std::string name_ = "a.cu";
  };
  Large source;
  EXPECT_THROW(ReadAll(source, 3), InputError);
}

TEST_F(ByteSourceTest, SaysWhyAFileCannotBeRead) {
  EXPECT_EQ(ErrorOf(folder_ + "/none"),
            folder_ + "/none: cannot be read: No such file or directory");
  EXPECT_EQ(ErrorOf(folder_), folder_ + ": is not a regular file");

  const std::string fifo = folder_ + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(ErrorOf(fifo), fifo + ": is not a regular file");

  const std::string loop = folder_ + "/loop";
  fs::create_symlink("loop", loop);
  EXPECT_EQ(ErrorOf(loop),
            loop + ": cannot be read: Too many levels of symbolic links");
}

}  // namespace
}  // namespace graph_coverage
