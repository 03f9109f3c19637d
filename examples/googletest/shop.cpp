#include "shop.h"

void Shop::stock(const std::string& item, int count) {
  std::lock_guard<std::mutex> guard(mutex_);
  items_[item] = count;
}

int Shop::left(const std::string& item) const {
  std::lock_guard<std::mutex> guard(mutex_);
  auto found = items_.find(item);
  return found == items_.end() ? 0 : found->second;
}

bool Shop::buy(const std::string& item) {
  // The bug: between the question and the sale somebody else can buy.
  if (left(item) == 0)
    return false;
  std::lock_guard<std::mutex> guard(mutex_);
  --items_[item];
  return true;
}

void Shop::giveBack(const std::string& item) {
  std::lock_guard<std::mutex> guard(mutex_);
  ++items_[item];
}
