#pragma once

class Counter {
public:
  void add(bool locked);
  int value() const { return value_; }

private:
  int value_ = 0;
};
