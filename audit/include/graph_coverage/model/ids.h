// SPDX-License-Identifier: Apache-2.0
//
// Identifiers. Each kind of id is a type of its own, so that a task id cannot
// be passed where a tensor is expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>

namespace graph_coverage {

// The position of a task in `all_tasks`.
enum class TaskId : std::uint32_t {};

// A tensor name, interned within one rank.
enum class TensorId : std::uint32_t {};

// The shape of a tile (data type, dims, strides), interned within one rank.
enum class LayoutId : std::uint32_t {};

// A rank's number, as in the names of its files.
enum class RankId : std::uint32_t {};

template <typename Id>
constexpr std::size_t Index(Id id) {
  return static_cast<std::size_t>(id);
}

// A reference to an event as a task carries it: a 64-bit word that packs an
// NVSHMEM tag, the rank that owns the event, and the event's position in that
// rank's `all_events`.
class EventId {
 public:
  static constexpr std::uint64_t kNone = 0x7ffffffffffffffe;
  static constexpr std::uint64_t kNvshmemTag = 0x1e00000000000000;

  constexpr EventId() = default;
  constexpr explicit EventId(std::uint64_t raw) : raw_(raw) {}
  static constexpr EventId Of(std::uint32_t index, std::uint16_t gpu = 0,
                              bool nvshmem = false) {
    return EventId((nvshmem ? kNvshmemTag : 0) |
                   (static_cast<std::uint64_t>(gpu) << 32) | index);
  }

  constexpr std::uint64_t raw() const { return raw_; }
  // "No event". Its bits include the NVSHMEM tag: ask this first.
  constexpr bool none() const { return raw_ == kNone; }
  constexpr bool nvshmem() const {
    return !none() && (raw_ & kNvshmemTag) == kNvshmemTag;
  }
  constexpr std::uint16_t gpu() const {
    return static_cast<std::uint16_t>(raw_ >> 32);
  }
  constexpr std::uint32_t index() const {
    return static_cast<std::uint32_t>(raw_);
  }
  // Whether bits are set that neither the tag, the rank nor the index uses.
  constexpr bool has_stray_bits() const {
    const std::uint64_t tag = raw_ >> 48 << 48;
    return !none() && tag != 0 && tag != kNvshmemTag;
  }

  friend constexpr bool operator==(EventId a, EventId b) {
    return a.raw_ == b.raw_;
  }
  friend constexpr bool operator!=(EventId a, EventId b) { return !(a == b); }
  friend constexpr bool operator<(EventId a, EventId b) {
    return a.raw_ < b.raw_;
  }

 private:
  std::uint64_t raw_ = kNone;
};

std::ostream& operator<<(std::ostream& out, TaskId id);
std::ostream& operator<<(std::ostream& out, TensorId id);
std::ostream& operator<<(std::ostream& out, LayoutId id);
std::ostream& operator<<(std::ostream& out, RankId id);
std::ostream& operator<<(std::ostream& out, EventId id);

}  // namespace graph_coverage
