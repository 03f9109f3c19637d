#pragma once
// Values of every kind, and a check and an act in two calls that are locked each by itself.
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace bank {

enum class Currency { Euro, Dollar };

class Log {
public:
  Log() : lines_(0) {}
  void add(const std::string& line) { lines_ += line.empty() ? 0 : 1; }
  int lines() const { return lines_; }

private:
  int lines_;
};

class Account {
public:
  Account(const std::string& owner, Currency currency, double rate, bool open)
      : owner_(owner), currency_(currency), rate_(rate), open_(open) {}
  void attach(std::shared_ptr<Log> log) {
    std::lock_guard<std::mutex> guard(m_);
    log_ = std::move(log);
  }
  int deposit(int amount) {
    std::lock_guard<std::mutex> guard(m_);
    if (log_)
      log_->add("deposit");
    return balance_ += amount;
  }
  // Looks under the lock, and takes under it again: another call can come in between.
  bool withdraw(int amount) {
    if (balance() < amount)
      return false;
    std::lock_guard<std::mutex> guard(m_);
    balance_ -= amount;
    return true;
  }
  int balance() const {
    std::lock_guard<std::mutex> guard(m_);
    return balance_;
  }

private:
  mutable std::mutex m_;
  std::string owner_;
  Currency currency_;
  double rate_;
  bool open_;
  int balance_ = 0;
  std::shared_ptr<Log> log_;
};

} // namespace bank
