#pragma once

#include <stdint.h>

/// The memory orders of C and C++ as events carry them. Freestanding.
namespace heddle {

enum class MemoryOrder : uint8_t {
  Unknown, ///< nobody said: taken for the strongest one
  Relaxed,
  Acquire, ///< also consume, which compilers treat so
  Release,
  AcquireRelease,
  SequentiallyConsistent,
};

constexpr bool acquires(MemoryOrder order) {
  return order != MemoryOrder::Relaxed && order != MemoryOrder::Release;
}

constexpr bool releases(MemoryOrder order) {
  return order != MemoryOrder::Relaxed && order != MemoryOrder::Acquire;
}

/// As the source writes it.
constexpr const char* memoryOrderName(MemoryOrder order) {
  switch (order) {
  case MemoryOrder::Unknown:
    return "an unknown order";
  case MemoryOrder::Relaxed:
    return "memory_order_relaxed";
  case MemoryOrder::Acquire:
    return "memory_order_acquire";
  case MemoryOrder::Release:
    return "memory_order_release";
  case MemoryOrder::AcquireRelease:
    return "memory_order_acq_rel";
  case MemoryOrder::SequentiallyConsistent:
    return "memory_order_seq_cst";
  }
  return "";
}

/// What the hook of an atomic operation is told: the order, and that of a compare-exchange which
/// fails (Unknown of all other operations).
using PackedOrders = uint32_t;
constexpr PackedOrders packOrders(MemoryOrder order, MemoryOrder whenFailed) {
  return static_cast<uint32_t>(order) | static_cast<uint32_t>(whenFailed) << 3;
}
constexpr MemoryOrder orderOf(PackedOrders orders) { return static_cast<MemoryOrder>(orders & 7); }
constexpr MemoryOrder failureOrderOf(PackedOrders orders) {
  return static_cast<MemoryOrder>(orders >> 3 & 7);
}

} // namespace heddle
