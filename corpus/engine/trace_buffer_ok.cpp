// A trace buffer on the heap that two threads fill. A place is reserved by compare-and-exchange
// from a value below the capacity, so every place that is written exists and has one writer.
#include <atomic>
#include <cassert>
#include <thread>

class TraceBuffer {
public:
  TraceBuffer() : events_(new int[capacity]) {}
  ~TraceBuffer() { delete[] events_; }

  bool record(int event) {
    int place = used_.load();
    do {
      if (place >= capacity)
        return false;
    } while (!used_.compare_exchange_weak(place, place + 1));
    events_[place] = event; // NORACE
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
