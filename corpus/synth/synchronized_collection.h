#pragma once
// After Collections.SynchronizedCollection of OpenJDK 7: the lock is the wrapper's own unless one
// is given, and the iterator is not locked at all.
#include <mutex>
#include <string>
#include <vector>

class Collection {
public:
  virtual ~Collection() = default;
  virtual int size() const = 0;
  virtual bool isEmpty() const = 0;
  virtual bool contains(int element) const = 0;
  virtual std::vector<int> toArray() const = 0;
  virtual const int* iterator() const = 0;
  virtual bool add(int element) = 0;
  virtual bool remove(int element) = 0;
  virtual bool containsAll(const Collection& other) const = 0;
  virtual bool addAll(const Collection& other) = 0;
  virtual bool removeAll(const Collection& other) = 0;
  virtual bool retainAll(const Collection& other) = 0;
  virtual void clear() = 0;
  virtual std::string toString() const = 0;
};

class ArrayCollection : public Collection {
public:
  ArrayCollection() = default;
  int size() const override { return static_cast<int>(elements_.size()); }
  bool isEmpty() const override { return elements_.empty(); }
  bool contains(int element) const override {
    for (int one : elements_)
      if (one == element)
        return true;
    return false;
  }
  std::vector<int> toArray() const override { return elements_; }
  const int* iterator() const override { return elements_.data(); }
  bool add(int element) override {
    elements_.push_back(element);
    return true;
  }
  bool remove(int element) override {
    for (size_t i = 0; i < elements_.size(); ++i)
      if (elements_[i] == element) {
        elements_.erase(elements_.begin() + static_cast<long>(i));
        return true;
      }
    return false;
  }
  bool containsAll(const Collection& other) const override {
    for (int one : other.toArray())
      if (!contains(one))
        return false;
    return true;
  }
  bool addAll(const Collection& other) override {
    bool changed = false;
    for (int one : other.toArray())
      changed |= add(one);
    return changed;
  }
  bool removeAll(const Collection& other) override {
    bool changed = false;
    for (int one : other.toArray())
      changed |= remove(one);
    return changed;
  }
  bool retainAll(const Collection& other) override {
    bool changed = false;
    for (int one : toArray())
      if (!other.contains(one))
        changed |= remove(one);
    return changed;
  }
  void clear() override { elements_.clear(); }
  std::string toString() const override {
    std::string text;
    for (int one : elements_)
      text += std::to_string(one) + " ";
    return text;
  }

private:
  std::vector<int> elements_;
};

class SynchronizedCollection : public Collection {
public:
  explicit SynchronizedCollection(Collection& c) : c_(c), mutex_(own_) {}
  SynchronizedCollection(Collection& c, std::recursive_mutex& mutex) : c_(c), mutex_(mutex) {}
  int size() const override {
    Guard guard(mutex_);
    return c_.size();
  }
  bool isEmpty() const override {
    Guard guard(mutex_);
    return c_.isEmpty();
  }
  bool contains(int element) const override {
    Guard guard(mutex_);
    return c_.contains(element);
  }
  std::vector<int> toArray() const override {
    Guard guard(mutex_);
    return c_.toArray();
  }
  const int* iterator() const override { return c_.iterator(); } // the caller has to lock
  bool add(int element) override {
    Guard guard(mutex_);
    return c_.add(element);
  }
  bool remove(int element) override {
    Guard guard(mutex_);
    return c_.remove(element);
  }
  bool containsAll(const Collection& other) const override {
    Guard guard(mutex_);
    return c_.containsAll(other);
  }
  bool addAll(const Collection& other) override {
    Guard guard(mutex_);
    return c_.addAll(other);
  }
  bool removeAll(const Collection& other) override {
    Guard guard(mutex_);
    return c_.removeAll(other);
  }
  bool retainAll(const Collection& other) override {
    Guard guard(mutex_);
    return c_.retainAll(other);
  }
  void clear() override {
    Guard guard(mutex_);
    c_.clear();
  }
  std::string toString() const override {
    Guard guard(mutex_);
    return c_.toString();
  }

private:
  using Guard = std::lock_guard<std::recursive_mutex>;
  Collection& c_;
  mutable std::recursive_mutex own_;
  std::recursive_mutex& mutex_;
};
