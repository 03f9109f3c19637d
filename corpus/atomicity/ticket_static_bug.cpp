// Numbers are drawn from a counter in a static member of a class. draw itself touches no member: it
// asks one function for the number and tells another one what comes next, and both lock. Two threads
// can ask before either of them tells, and draw the same number.
#include <cassert>
#include <mutex>
#include <thread>

class Tickets {
public:
  static int draw() {
    int number = next();
    setNext(number + 1);
    return number;
  }

private:
  static int next() {
    std::lock_guard<std::mutex> guard(mutex_);
    return next_; // VIOLATION: draw/1 first
  }

  static void setNext(int number) {
    std::lock_guard<std::mutex> guard(mutex_);
    next_ = number; // VIOLATION: draw/1 second // VIOLATION: draw/1 intruder
  }

  static inline std::mutex mutex_;
  static inline int next_ = 1;
};

int main() {
  int numbers[2] = {};
  std::thread first([&] { numbers[0] = Tickets::draw(); });
  std::thread second([&] { numbers[1] = Tickets::draw(); });
  first.join();
  second.join();
  assert(numbers[0] != numbers[1]); // EXPECT: assertion
}
