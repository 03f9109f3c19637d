// The running example of Naik, Aiken and Whaley, "Effective Static Race Detection for Java" (PLDI
// 2006), figure 4, as an open program: there is no main, and get and inc may be called on a shared
// A by any threads. The paper's `synchronized` is a mutex member here.
//
// Accesses of f: f_r in rd, f_w in wr, f_w' in the constructor.
//
//   original pairs   (f_r, f_w) (f_w, f_w) (f_r, f_w') (f_w', f_w') (f_w, f_w')
//   reachable pairs  (f_r, f_w) (f_w, f_w): constructors are left out
//   aliasing pairs   (f_r, f_w) on the shared A; (f_w, f_w) on the shared A; (f_w, f_w) on the A
//                    that inc creates
//   escaping pairs   (f_r, f_w) and (f_w, f_w) on the shared A: the A of inc never leaves its
//   thread unlocked pairs   (f_r, f_w): every way to f_w on the shared A holds its mutex, get does
//   not
//
// Expected is this pair alone, with these paths:
//   A::get, A::rd: read of f, no lock held
//   A::inc, A::wr: write of f, mutex_ of the same A held
#include <memory>
#include <mutex>

class A {
public:
  A();
  int get();
  int inc();

private:
  int rd();
  int wr(int x);

  std::mutex mutex_;
  int f;
};

A::A() {
  f = 0; // NORACE
}

int A::rd() {
  return f; // RACE!
}

int A::wr(int x) {
  f = x; // RACE!
  return x;
}

int A::get() { return rd(); }

int A::inc() {
  std::lock_guard<std::mutex> guard(mutex_);
  std::unique_ptr<A> other(new A());
  int t = rd() + other->wr(1);
  return wr(t);
}
