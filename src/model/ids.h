#pragma once

#include <stdint.h>

namespace heddle {

/// Index of a site in this process; 0 means "no site". Assigned at registration, so it is only
/// meaningful inside one run. What crosses runs is the site's 64-bit identity.
enum class SiteId : uint32_t { None = 0 };

/// Index of a thread in one run, in order of creation; the main thread is 0. Shown as T0, T1 ...
enum class ThreadIndex : uint32_t { Main = 0, None = 0xffffffff };

/// A thread across runs: a hash of its path of creation (parent, n-th child of that parent).
enum class ThreadPath : uint64_t { None = 0, Main = 1 };

/// A site across runs of one build. See site_table.h.
enum class SiteIdentity : uint64_t { None = 0 };

constexpr uint32_t raw(SiteId id) { return static_cast<uint32_t>(id); }
constexpr uint32_t raw(ThreadIndex index) { return static_cast<uint32_t>(index); }
constexpr uint64_t raw(ThreadPath path) { return static_cast<uint64_t>(path); }
constexpr uint64_t raw(SiteIdentity identity) { return static_cast<uint64_t>(identity); }

/// Mixes a word into a hash. One definition for digests, paths and tables, so that the runtime
/// and the controller agree.
constexpr uint64_t mix(uint64_t hash, uint64_t word) {
  hash ^= word + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  hash *= 0xbf58476d1ce4e5b9ull;
  return hash ^ (hash >> 29);
}

/// The path of the `ordinal`-th child (counted from 1) of `parent`.
constexpr ThreadPath childPath(ThreadPath parent, uint32_t ordinal) {
  return static_cast<ThreadPath>(mix(raw(parent), ordinal) | 2);
}

} // namespace heddle
