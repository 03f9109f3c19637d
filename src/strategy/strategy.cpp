#include "strategy.h"

namespace heddle {

ThreadIndex EnabledSet::after(ThreadIndex index) const {
  uint32_t start = raw(index) + 1;
  uint32_t word = start / 64;
  if (word < wordCount_) {
    uint64_t bits = words_[word] & (~0ull << (start % 64));
    if (bits != 0)
      return static_cast<ThreadIndex>(word * 64 + static_cast<uint32_t>(__builtin_ctzll(bits)));
  } else {
    word = wordCount_ - 1; // past the end: the search below starts with word 0
  }
  for (uint32_t step = 1; step <= wordCount_; ++step) {
    uint32_t w = (word + step) % wordCount_;
    if (words_[w] != 0)
      return static_cast<ThreadIndex>(w * 64 + static_cast<uint32_t>(__builtin_ctzll(words_[w])));
  }
  return ThreadIndex::None;
}

static uint64_t splitMix(uint64_t& state) {
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

void Random::seed(uint64_t seed) {
  for (uint64_t& word : state_)
    word = splitMix(seed);
}

} // namespace heddle
