#pragma once
// Figure 1 of the paper as C++ classes.
#include <mutex>

class Counter {
public:
  Counter() : count(0) {}
  void inc() { count++; }
  int get() const { return count; }

private:
  int count;
};

class Lib {
public:
  Lib() : c(nullptr) {}
  void update() {
    std::lock_guard<std::mutex> guard(m);
    c->inc();
  }
  void set(Counter* x) {
    std::lock_guard<std::mutex> guard(m);
    c = x;
  }

private:
  std::mutex m;
  Counter* c;
};
