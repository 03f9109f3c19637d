#pragma once
// Classes of many kinds: a singleton, containers of shared pointers, single owners, observers,
// atomics.
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <vector>
namespace kinds {
enum class Mode { Fast, Slow };
struct Item {
  int n = 0;
  std::string name;
};
class Registry { // singleton
public:
  static Registry& instance() {
    static Registry r;
    return r;
  }
  void note() { ++count_; }
  int count() const { return count_; }

private:
  int count_ = 0;
};
class Cache {
public:
  Cache(Mode m, double f) : mode_(m), factor_(f) {}
  void put(int key, std::shared_ptr<Item> item) {
    std::unique_lock<std::shared_mutex> g(m_);
    items_[key] = item;
  }
  std::shared_ptr<Item> get(int key) const {
    std::shared_lock<std::shared_mutex> g(m_);
    auto i = items_.find(key);
    if (i == items_.end())
      throw std::out_of_range("key");
    hits_++;
    return i->second;
  }
  void touch(int key) {
    std::unique_lock<std::shared_mutex> g(m_);
    items_.at(key)->n++;
  }
  int hits() const { return hits_; }
  Mode mode() const { return mode_; }
  double factor() const { return factor_; }

private:
  mutable std::shared_mutex m_;
  std::map<int, std::shared_ptr<Item>> items_;
  mutable int hits_ = 0;
  Mode mode_;
  double factor_;
};
class Holder { // owns
public:
  explicit Holder(std::unique_ptr<Item> i) : item_(std::move(i)) {}
  void bump() {
    std::lock_guard<std::mutex> g(m_);
    item_->n++;
  }
  void swapWith(Holder& o) { std::swap(item_, o.item_); }

private:
  std::mutex m_;
  std::unique_ptr<Item> item_;
};
class Observer {
public:
  virtual ~Observer() {}
  virtual void tell(int) = 0;
};
class Subject {
public:
  void attach(Observer* o) {
    std::lock_guard<std::mutex> g(m_);
    list_.push_back(o);
  }
  void fire(int v) {
    std::lock_guard<std::mutex> g(m_);
    last_ = v;
    for (Observer* o : list_)
      o->tell(v);
  }

private:
  std::mutex m_;
  std::vector<Observer*> list_;
  int last_ = 0;
};
class Sum : public Observer {
public:
  void tell(int v) override { total_ += v; }
  int total() const { return total_; }

private:
  int total_ = 0;
};
class Safe {
public:
  int inc() { return n_.fetch_add(1) + 1; }
  int get() const { return n_; }

private:
  std::atomic<int> n_{0};
};
} // namespace kinds
