// EXPECT: crash "pure virtual method called"
struct Base {
  Base() { call(); }
  virtual ~Base() = default;
  void call() { run(); }
  virtual void run() = 0;
};
struct Derived : Base {
  void run() override {}
};

int main() { Derived derived; }
