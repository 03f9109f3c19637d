#pragma once

#include "model/ids.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

/// What the writer and the parser of schedule texts share; see docs/formats-schedule.md.
namespace heddle::schedule_words {

inline constexpr std::string_view kVersionTag = "heddle-1";
inline constexpr std::string_view kTagStem = "heddle-";
inline constexpr std::string_view kDigits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

inline std::string hex(uint64_t value) {
  char buffer[17];
  auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, 16).ptr;
  return std::string(buffer, end);
}

/// Guards against a paste that lost its end.
inline uint16_t checksum(std::string_view text) {
  uint64_t hash = 0;
  for (unsigned char byte : text)
    hash = mix(hash, byte);
  return static_cast<uint16_t>(hash);
}

struct OccurrenceKey {
  uint64_t thread;
  uint64_t site;
  bool operator==(const OccurrenceKey&) const = default;
};
struct OccurrenceHash {
  size_t operator()(const OccurrenceKey& key) const { return mix(key.thread, key.site); }
};
/// The last occurrence of each thread and site, to which the next one in the text is relative.
using Occurrences = std::unordered_map<OccurrenceKey, uint32_t, OccurrenceHash>;

} // namespace heddle::schedule_words
