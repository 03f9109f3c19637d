// Numbers are drawn from a counter in a static member of a class. draw itself touches no member: it
// holds the lock, asks one function for the number and tells another one what comes next.
#include <cassert>
#include <mutex>
#include <thread>

class Tickets {
public:
  static int draw() {
    std::lock_guard<std::mutex> guard(mutex_);
    int number = next();
    setNext(number + 1);
    return number;
  }

private:
  static int next() {
    return next_; // NOVIOLATION
  }

  static void setNext(int number) {
    next_ = number; // NOVIOLATION
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
  assert(numbers[0] != numbers[1]);
}
