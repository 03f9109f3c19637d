// A message that is passed on through an atomic flag. What the flag promises about `data` depends on
// the memory orders and fences of the variant.
#include <atomic>
#include <thread>

#ifndef STORE_ORDER
#define STORE_ORDER std::memory_order_relaxed
#endif
#ifndef LOAD_ORDER
#define LOAD_ORDER std::memory_order_relaxed
#endif

int data;
std::atomic<int> ready{0};

static void produce() {
  data = 42; // write
#ifdef FENCES
  std::atomic_thread_fence(std::memory_order_release);
#endif
#ifdef EXCHANGE
  int empty = 0;
  ready.compare_exchange_strong(empty, 1, STORE_ORDER, std::memory_order_relaxed); // store
#else
  ready.store(1, STORE_ORDER); // store
#endif
}

static bool arrived() {
#ifdef EXCHANGE
  int full = 1;
  return ready.compare_exchange_strong(full, 2, LOAD_ORDER, std::memory_order_relaxed); // load
#else
  return ready.load(LOAD_ORDER) != 0; // load
#endif
}

static void consume() {
  while (!arrived()) {
  }
#ifdef FENCES
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
  if (data != 42) // read
    __builtin_trap();
}

int main() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
}
