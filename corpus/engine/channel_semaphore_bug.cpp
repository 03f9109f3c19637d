// A channel from one sender to one receiver: a ring with a std::counting_semaphore for the free and
// one for the filled places. The sender announces a value before it has written it, so the receiver
// can read what was there before.
#include <cassert>
#include <semaphore>
#include <thread>

class Channel {
public:
  void send(int value) {
    free_.acquire();
    filled_.release();
    ring_[tail_] = value; // RACE!
    tail_ = (tail_ + 1) % capacity;
  }

  int receive() {
    filled_.acquire();
    int value = ring_[head_]; // RACE!
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
      assert(channel.receive() == value); // EXPECT: assertion
  });
  sender.join();
  receiver.join();
}
