// SPDX-License-Identifier: Apache-2.0
//
// The project's scanner alone, at the same job as the libraries.
#include <cstdint>
#include <limits>
#include <memory>

#include "audit/artifacts/byte_source.h"
#include "audit/artifacts/json_scanner.h"
#include "bench/engines/counter.h"

namespace graph_coverage::bench {
namespace {

void Walk(JsonScanner& in, OperandCounter& counter) {
  switch (in.Peek()) {
    case '{':
      in.Expect('{', "an object");
      if (in.Consume('}')) return;
      do {
        counter.Key(in.String("a key"));
        in.Expect(':', "\":\"");
        Walk(in, counter);
      } while (in.Next('}'));
      return;
    case '[':
      in.Expect('[', "an array");
      if (in.Consume(']')) return;
      do {
        Walk(in, counter);
      } while (in.Next(']'));
      return;
    case '"':
      counter.String(in.String("a string"));
      return;
    case 'n':
      in.ConsumeNull();
      return;
    default:
      if (in.Peek() == '-') {
        in.Integer("an integer", std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::int64_t>::max());
      } else {
        in.Unsigned("an integer", std::numeric_limits<std::uint64_t>::max());
      }
  }
}

}  // namespace

void CountWithScanner(const char* file, OperandCounter& counter) {
  const std::unique_ptr<ByteSource> source = OpenFile(file);
  JsonScanner in(*source);
  Walk(in, counter);
  in.ExpectEnd();
}

}  // namespace graph_coverage::bench
