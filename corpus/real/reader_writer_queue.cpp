// moodycamel's queues for one producer and one consumer: the growing one, the blocking one, and the
// circular buffer, in a pipeline of four threads.
#include <cassert>
#include <cstdlib>
#include <readerwriterqueue/readerwritercircularbuffer.h>
#include <readerwriterqueue/readerwriterqueue.h>
#include <string>
#include <thread>

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 20000;
  moodycamel::ReaderWriterQueue<std::string> texts(16);
  moodycamel::BlockingReaderWriterQueue<int> numbers;
  moodycamel::BlockingReaderWriterCircularBuffer<long> squares(32);

  std::thread writer([&] {
    for (int i = 0; i < rounds; ++i)
      if (!texts.try_enqueue(std::to_string(i)))
        texts.enqueue(std::to_string(i));
  });
  std::thread parser([&] {
    std::string text;
    for (int i = 0; i < rounds; ++i) {
      while (!texts.try_dequeue(text))
        std::this_thread::yield();
      numbers.enqueue(std::stoi(text));
    }
  });
  std::thread squarer([&] {
    for (int i = 0; i < rounds; ++i) {
      int number = -1;
      numbers.wait_dequeue(number);
      assert(number == i);
      squares.wait_enqueue((long)number * number);
    }
  });
  for (int i = 0; i < rounds; ++i) {
    long square = -1;
    squares.wait_dequeue(square);
    assert(square == (long)i * i);
  }
  writer.join();
  parser.join();
  squarer.join();
}
