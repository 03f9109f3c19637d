#include "static/points_to/location_set.h"

#include <algorithm>

namespace heddle::analysis {
namespace {

// A union with fewer words than this part of the set looks each of them up.
constexpr size_t kShareToMerge = 8;

bool isBefore(const LocationSet::Word& word, uint32_t index) { return word.index < index; }

} // namespace

LocationSet::Word* LocationSet::find(uint32_t index) {
  if (words_.empty() || words_.back().index < index)
    return words_.end();
  return std::lower_bound(words_.begin(), words_.end(), index, isBefore);
}

bool LocationSet::insert(uint32_t value) {
  uint32_t index = value / 64;
  uint64_t bit = uint64_t{1} << value % 64;
  auto at = find(index);
  if (at == words_.end() || at->index != index)
    words_.insert(at, {index, bit});
  else if (at->bits & bit)
    return false;
  else
    at->bits |= bit;
  ++size_;
  return true;
}

bool LocationSet::contains(uint32_t value) const {
  auto at = std::lower_bound(words_.begin(), words_.end(), value / 64, isBefore);
  return at != words_.end() && at->index == value / 64 && at->bits >> value % 64 & 1;
}

bool LocationSet::intersects(const LocationSet& other) const {
  auto one = words_.begin();
  auto two = other.words_.begin();
  while (one != words_.end() && two != other.words_.end()) {
    if (one->index == two->index && one->bits & two->bits)
      return true;
    one->index < two->index ? ++one : ++two;
  }
  return false;
}

void LocationSet::addBits(Word word) {
  auto at = find(word.index);
  if (at == words_.end() || at->index != word.index) {
    words_.insert(at, word);
    size_ += static_cast<uint32_t>(std::popcount(word.bits));
    return;
  }
  size_ += static_cast<uint32_t>(std::popcount(word.bits & ~at->bits));
  at->bits |= word.bits;
}

void LocationSet::unite(const LocationSet& other, LocationSet& fresh) {
  // What is new, in order; then it is put in.
  std::vector<Word> added;
  bool lookUp = other.words_.size() * kShareToMerge < words_.size();
  size_t missing = 0;
  auto mine = words_.begin();
  for (const Word& word : other.words_) {
    if (lookUp)
      mine = std::lower_bound(mine, words_.end(), word.index, isBefore);
    else
      while (mine != words_.end() && mine->index < word.index)
        ++mine;
    bool has = mine != words_.end() && mine->index == word.index;
    uint64_t bits = has ? word.bits & ~mine->bits : word.bits;
    if (!bits)
      continue;
    added.push_back({word.index, bits});
    size_ += static_cast<uint32_t>(std::popcount(bits));
    if (has)
      mine->bits |= bits;
    else
      ++missing;
  }
  if (added.empty())
    return;
  if (missing) {
    size_t old = words_.size();
    words_.resize(old + missing);
    auto from = old, to = words_.size();
    for (size_t i = added.size(); i-- > 0 && to > from;) {
      while (from > 0 && words_[from - 1].index > added[i].index)
        words_[--to] = words_[--from];
      if (from > 0 && words_[from - 1].index == added[i].index)
        continue; // its bits are there
      words_[--to] = added[i];
    }
  }
  if (fresh.words_.empty()) {
    for (const Word& word : added)
      fresh.append(word);
    return;
  }
  for (const Word& word : added)
    fresh.addBits(word);
}

std::vector<uint32_t> LocationSet::values() const {
  std::vector<uint32_t> all;
  all.reserve(size_);
  each([&](uint32_t value) { all.push_back(value); });
  return all;
}

} // namespace heddle::analysis
