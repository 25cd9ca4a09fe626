// SPDX-License-Identifier: Apache-2.0
#include "graph_coverage/model/task_graph.h"

namespace graph_coverage {

std::uint32_t ElementBytes(DataType type) {
  switch (type) {
    case DataType::kFp8:
      return 1;
    case DataType::kFp16:
    case DataType::kBf16:
      return 2;
    case DataType::kF32:
    case DataType::kI32:
    case DataType::kU32:
      return 4;
    case DataType::kI64:
      return 8;
    case DataType::kUnknown:
      return 0;
  }
  return 0;
}

std::string ToString(DataType type) {
  switch (type) {
    case DataType::kFp8:
      return "fp8";
    case DataType::kFp16:
      return "fp16";
    case DataType::kBf16:
      return "bf16";
    case DataType::kF32:
      return "f32";
    case DataType::kI32:
      return "i32";
    case DataType::kU32:
      return "u32";
    case DataType::kI64:
      return "i64";
    case DataType::kUnknown:
      break;
  }
  return std::to_string(static_cast<unsigned>(type));
}

std::uint64_t TaskMetadata::Bits() const {
  std::uint32_t low = 0xffffffff;
  if ((keys & kRequestId) != 0 || (keys & kKvIdx) != 0) {
    low = (static_cast<std::uint32_t>(request_id) & 0xffff) |
          static_cast<std::uint32_t>(kv_idx) << 16;
  } else if ((keys & kExpertOffset) != 0) {
    low = static_cast<std::uint32_t>(expert_offset);
  } else if ((keys & kTaskOffset) != 0) {
    low = static_cast<std::uint32_t>(task_offset);
  }
  return low | static_cast<std::uint64_t>(
                   static_cast<std::uint32_t>(merge_task_offset))
                   << 32;
}

}  // namespace graph_coverage
