#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::analysis {

/// A set of numbers as bits, in words that have any, in order. Numbers are given in the order in
/// which things are made, so that what is together in one set is mostly close: a union of two sets
/// is a few operations on words.
class LocationSet {
public:
  struct Word {
    uint32_t index; ///< of the first of its 64 numbers, divided by 64
    uint64_t bits;
  };

  bool insert(uint32_t value);
  bool contains(uint32_t value) const;
  bool intersects(const LocationSet& other) const;
  /// Adds what another set has; what is new goes to `fresh`, too.
  void unite(const LocationSet& other, LocationSet& fresh);
  void clear() {
    words_.clear();
    size_ = 0;
  }

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint32_t first() const { return words_[0].index * 64 + std::countr_zero(words_[0].bits); }
  llvm::ArrayRef<Word> words() const { return words_; }
  std::vector<uint32_t> values() const;

  template <typename Visit> void each(Visit visit) const {
    for (const Word& word : words_)
      for (uint64_t bits = word.bits; bits; bits &= bits - 1)
        visit(word.index * 64 + static_cast<uint32_t>(std::countr_zero(bits)));
  }
  /// Behind all words that it has.
  void append(Word word) {
    words_.push_back(word);
    size_ += static_cast<uint32_t>(std::popcount(word.bits));
  }

private:
  Word* find(uint32_t index);
  void addBits(Word word);

  llvm::SmallVector<Word, 0> words_; // smaller than a std::vector: there are millions of sets
  uint32_t size_ = 0;
};

/// Which numbers pass a test, asked once for each.
class LocationFilter {
public:
  /// The part of a set that passes.
  template <typename Test> LocationSet apply(const LocationSet& set, Test test) {
    LocationSet passed;
    for (const LocationSet::Word& word : set.words())
      if (uint64_t bits = word.bits & allowedOf(word, test))
        passed.append({word.index, bits});
    return passed;
  }

private:
  static constexpr uint32_t kWordsOfAPage = 32;
  struct Page {
    uint64_t known[kWordsOfAPage] = {};
    uint64_t allowed[kWordsOfAPage] = {};
  };

  template <typename Test> uint64_t allowedOf(const LocationSet::Word& word, Test test) {
    uint32_t page = word.index / kWordsOfAPage, slot = word.index % kWordsOfAPage;
    if (pages_.size() <= page)
      pages_.resize(page + 1);
    if (!pages_[page])
      pages_[page] = std::make_unique<Page>();
    Page& at = *pages_[page];
    for (uint64_t open = word.bits & ~at.known[slot]; open; open &= open - 1)
      if (test(word.index * 64 + static_cast<uint32_t>(std::countr_zero(open))))
        at.allowed[slot] |= open & -open;
    at.known[slot] |= word.bits;
    return at.allowed[slot];
  }

  std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace heddle::analysis
