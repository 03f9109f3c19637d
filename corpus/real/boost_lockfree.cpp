// Boost.Lockfree's ring for one producer and one consumer, between the stages of a pipeline, with
// single items, ranges and consume_all. (Its queue and stack recycle nodes with plain accesses to
// what others may still read: those are data races, as the language has them, and no example of a
// correct program.)
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

template <typename T> using Ring = boost::lockfree::spsc_queue<T, boost::lockfree::capacity<64>>;

template <typename T> void put(Ring<T>& ring, const T& item) {
  while (!ring.push(item))
    std::this_thread::yield();
}

template <typename T> T take(Ring<T>& ring) {
  T item;
  while (!ring.pop(item))
    std::this_thread::yield();
  return item;
}

} // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) / 8 * 8 + 8 : 20000;
  Ring<int> numbers;
  Ring<std::string> texts;
  boost::lockfree::spsc_queue<long> lengths(128);

  std::thread first([&] {
    for (int i = 0; i < rounds; i += 8) {
      int block[8];
      for (int j = 0; j < 8; ++j)
        block[j] = i + j;
      for (std::size_t sent = 0; sent < 8;) {
        sent += numbers.push(block + sent, 8 - sent);
        if (sent < 8)
          std::this_thread::yield();
      }
    }
  });
  std::thread second([&] {
    for (int i = 0; i < rounds; ++i) {
      int number = take(numbers);
      assert(number == i);
      put(texts, std::string(20 + number % 50, 'x'));
    }
  });
  std::thread third([&] {
    for (int i = 0; i < rounds; ++i) {
      long length = static_cast<long>(take(texts).size());
      while (!lengths.push(length))
        std::this_thread::yield();
    }
  });
  long sum = 0, expected = 0;
  for (int received = 0; received < rounds;) {
    std::size_t count = lengths.consume_all([&](long length) { sum += length; });
    if (count == 0)
      std::this_thread::yield();
    received += static_cast<int>(count);
  }
  first.join();
  second.join();
  third.join();
  for (int i = 0; i < rounds; ++i)
    expected += 20 + i % 50;
  assert(sum == expected);
}
