// SPDX-License-Identifier: Apache-2.0
//
// Reads files and does nothing with them: the least that an audit can take.
//
// usage: bench_read_only FILE…    prints the bytes read
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  constexpr std::size_t kWindow = std::size_t{256} << 10;
  std::vector<char> window(kWindow);
  std::uint64_t total = 0;
  for (int i = 1; i < argc; ++i) {
    const int file = open(argv[i], O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      std::perror(argv[i]);
      return 2;
    }
    ssize_t got = 0;
    while ((got = read(file, window.data(), window.size())) > 0) {
      total += static_cast<std::uint64_t>(got);
    }
    if (got < 0) {
      std::perror(argv[i]);
      return 2;
    }
    close(file);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(total));
  return 0;
}
