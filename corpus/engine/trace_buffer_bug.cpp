// A trace buffer on the heap that two threads fill. Whether there is room is asked before the place
// is reserved; with one place left both threads go on, and the second writes past the end.
#include <atomic>
#include <cassert>
#include <thread>

class TraceBuffer {
public:
  TraceBuffer() : events_(new int[capacity]) {}
  ~TraceBuffer() { delete[] events_; }

  bool record(int event) {
    if (used_.load() >= capacity)
      return false;
    int place = used_.fetch_add(1);
    events_[place] = event; // EXPECT: memory-error
    return true;
  }

private:
  static constexpr int capacity = 6;
  int *const events_;
  std::atomic<int> used_{0};
};

int main() {
  TraceBuffer buffer;
  std::atomic<int> recorded{0};
  auto trace = [&](int first) {
    for (int event = first; event < first + 4; ++event)
      if (buffer.record(event))
        recorded.fetch_add(1);
  };
  std::thread left(trace, 10);
  std::thread right(trace, 20);
  left.join();
  right.join();
  assert(recorded.load() == 6);
}
