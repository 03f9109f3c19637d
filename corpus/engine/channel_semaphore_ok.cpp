// A channel from one sender to one receiver: a ring with a std::counting_semaphore for the free and
// one for the filled places. The sender writes a value before it announces it, and the receiver
// reads it before it gives the place back.
#include <cassert>
#include <semaphore>
#include <thread>

class Channel {
public:
  void send(int value) {
    free_.acquire();
    ring_[tail_] = value; // NORACE
    tail_ = (tail_ + 1) % capacity;
    filled_.release();
  }

  int receive() {
    filled_.acquire();
    int value = ring_[head_]; // NORACE
    head_ = (head_ + 1) % capacity;
    free_.release();
    return value;
  }

private:
  static constexpr int capacity = 2;
  std::counting_semaphore<capacity> free_{capacity};
  std::counting_semaphore<capacity> filled_{0};
  int ring_[capacity] = {};
  int head_ = 0;
  int tail_ = 0;
};

int main() {
  Channel channel;
  std::thread sender([&] {
    for (int value = 1; value <= 3; ++value)
      channel.send(value);
  });
  std::thread receiver([&] {
    for (int value = 1; value <= 3; ++value)
      assert(channel.receive() == value);
  });
  sender.join();
  receiver.join();
}
