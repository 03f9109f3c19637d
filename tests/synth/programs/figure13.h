#pragma once
// Figure 13 of the paper as C++ classes.
#include <cstdlib>
#include <mutex>

class X {
public:
  X() : o(0) {}
  int o;
};

class Y {
public:
  Y() : v(0) {}
  int v;
};

class Z {
public:
  Z() : w(nullptr) {}
  void baz(X& x) { w = &x; }
  X* w;
};

class A {
public:
  explicit A(X& first) : x(&first), y(nullptr) {}
  void foo(Y& value) {
    std::lock_guard<std::mutex> guard(m);
    A* b = this;
    X* t = b->x;
    t->o = std::rand();
    b->y = &value;
  }
  void bar(Z& z) { x = z.w; }

private:
  std::mutex m;
  X* x;
  Y* y;
};
