#pragma once

#include <map>
#include <mutex>
#include <string>

/// What a shop has, and who bought what.
class Shop {
public:
  void stock(const std::string& item, int count);
  int left(const std::string& item) const;
  /// Sells one when there is one; returns whether it did.
  bool buy(const std::string& item);
  /// Gives one back.
  void giveBack(const std::string& item);

private:
  mutable std::mutex mutex_;
  std::map<std::string, int> items_;
};
