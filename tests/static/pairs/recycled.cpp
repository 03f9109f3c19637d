// An allocator that hands out again what was given back to it, whatever it was used for before.
// RACY: std::lock_guard<std::mutex> guard(mutex); // push => // unlocked
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <thread>

thread_local void* spare;

template <typename T> class Recycling {
public:
  using value_type = T;
  T* allocate(std::size_t count) {
    if (void* memory = spare; memory && count == 1) {
      spare = nullptr;
      return static_cast<T*>(memory);
    }
    return static_cast<T*>(std::malloc(count * sizeof(T) < 64 ? 64 : count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t) {
    std::free(spare);
    spare = memory;
  }
};

struct Reading {
  long value = 0;
  Reading* next = nullptr;
};
struct Draft {
  long length = 0;
};

class Readings {
public:
  void push(long value) {
    Reading* reading = new (memory_.allocate(1)) Reading{value};
    std::lock_guard<std::mutex> guard(mutex); // push
    reading->next = first_;
    first_ = reading;
  }
  long sum() {
    std::lock_guard<std::mutex> guard(mutex);
    long sum = 0;
    for (Reading* each = first_; each; each = each->next)
      sum += each->value;
    return sum;
  }

private:
  std::mutex mutex;
  Recycling<Reading> memory_;
  Reading* first_ = nullptr;
};

void work(Readings& readings, long number) {
  Recycling<Draft> drafts;
  for (long i = 0; i < 10; ++i) {
    Draft* draft = new (drafts.allocate(1)) Draft;
    draft->length += number;
    readings.push(draft->length);
    drafts.deallocate(draft, 1);
  }
}

int main() {
  Readings readings;
  std::thread one([&] { work(readings, 1); });
  std::thread other([&] { work(readings, 2); });
  one.join();
  other.join();
  return readings.sum() == 30 ? 0 : 1;
}
