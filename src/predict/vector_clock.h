#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle {

/// How much of every thread's past is known: one counter per thread, those not named are 0.
///
/// The counters of the first threads stand in the clock itself. Those of later ones lie in chunks
/// that clocks share until one of them changes: a program that makes thousands of threads has
/// thousands of clocks, which differ in a few counters. Clocks that share a chunk belong to one
/// thread of heddle.
class VectorClock {
public:
  uint32_t at(uint32_t thread) const {
    if (thread < first_.size())
      return first_[thread];
    if (thread < kFirst)
      return 0;
    const Chunk* chunk = chunkOf(thread);
    return chunk ? (*chunk)[(thread - kFirst) % kChunk] : 0;
  }

  void set(uint32_t thread, uint32_t time) {
    if (thread < kFirst) {
      if (thread >= first_.size())
        first_.resize(thread + 1, 0);
      first_[thread] = time;
      return;
    }
    uint32_t index = (thread - kFirst) / kChunk;
    if (index >= chunks_.size())
      chunks_.resize(index + 1);
    ownChunk(chunks_[index])[(thread - kFirst) % kChunk] = time;
  }

  void tick(uint32_t thread) { set(thread, at(thread) + 1); }

  void join(const VectorClock& other) {
    if (other.first_.size() > first_.size())
      first_.resize(other.first_.size(), 0);
    for (size_t i = 0; i < other.first_.size(); ++i)
      first_[i] = std::max(first_[i], other.first_[i]);
    if (other.chunks_.size() > chunks_.size())
      chunks_.resize(other.chunks_.size());
    for (size_t i = 0; i < other.chunks_.size(); ++i)
      joinChunk(chunks_[i], other.chunks_[i]);
  }

  bool operator==(const VectorClock& other) const {
    if (chunks_.empty() && other.chunks_.empty() && first_.size() == other.first_.size())
      return first_ == other.first_;
    size_t threads = std::max(threadsWithRoom(), other.threadsWithRoom());
    for (uint32_t thread = 0; thread < threads; ++thread)
      if (at(thread) != other.at(thread))
        return false;
    return true;
  }

private:
  static constexpr uint32_t kFirst = 64;
  static constexpr uint32_t kChunk = 64;
  using Chunk = std::array<uint32_t, kChunk>;
  using SharedChunk = std::shared_ptr<Chunk>; ///< null: all 0

  const Chunk* chunkOf(uint32_t thread) const {
    uint32_t index = (thread - kFirst) / kChunk;
    return index < chunks_.size() ? chunks_[index].get() : nullptr;
  }
  size_t threadsWithRoom() const {
    return chunks_.empty() ? first_.size() : kFirst + chunks_.size() * kChunk;
  }

  /// The chunk for writing: nobody else sees it.
  static Chunk& ownChunk(SharedChunk& chunk) {
    if (!chunk)
      chunk = std::make_shared<Chunk>();
    else if (chunk.use_count() != 1)
      chunk = std::make_shared<Chunk>(*chunk);
    return *chunk;
  }

  /// Shares the other's chunk where it knows at least as much.
  static void joinChunk(SharedChunk& chunk, const SharedChunk& other) {
    if (!other || chunk == other)
      return;
    bool knowsMore = false;
    bool knowsLess = false;
    for (uint32_t i = 0; chunk && i < kChunk; ++i) {
      knowsMore |= (*chunk)[i] > (*other)[i];
      knowsLess |= (*chunk)[i] < (*other)[i];
    }
    if (!knowsMore)
      chunk = other;
    else if (knowsLess)
      std::ranges::transform(*other, ownChunk(chunk), ownChunk(chunk).begin(),
                             [](uint32_t a, uint32_t b) { return std::max(a, b); });
  }

  std::vector<uint32_t> first_;
  std::vector<SharedChunk> chunks_;
};

} // namespace heddle
