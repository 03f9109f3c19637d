// What has one owner at a time is handed from owner to owner: who has taken it out of the queue has
// it alone, also while it takes and gives back other locks.
// clang-format off
// RACY: queue.push(std::move(message)); // hand on => Message* kept = message.get(); queue.push(std::move(message)); kept->id = 0;
// RACY: for (int& each : message->payload) => int* first = message->payload.data(); { std::lock_guard<std::mutex> g(statistics); give(message); } ++*first; for (int& each : message->payload)
// RACY: for (int& each : message->payload) => int* first = message->payload.data(); { std::lock_guard<std::mutex> g(statistics); spare = std::move(message->payload); } ++*first; for (int& each : message->payload)
// RACY: std::lock_guard<std::mutex> guard(mutex_); // push => // unlocked
// RACY: message->id = 0; // used up => { std::lock_guard<std::mutex> g(statistics); last = message.get(); } message->id = 0;
// clang-format on
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Message {
  int id = 0;
  std::vector<int> payload;
};

class Queue {
public:
  void push(std::unique_ptr<Message> message) {
    std::lock_guard<std::mutex> guard(mutex_); // push
    messages_.push_back(std::move(message));
  }
  bool pop(std::unique_ptr<Message>& message) {
    std::lock_guard<std::mutex> guard(mutex_); // pop
    if (messages_.empty())
      return false;
    message = std::move(messages_.front());
    messages_.pop_front();
    return true;
  }

private:
  std::mutex mutex_;
  std::deque<std::unique_ptr<Message>> messages_;
};

Queue queue;
std::mutex statistics;
long total;
std::vector<int> spare;
Message* last;

void give(std::unique_ptr<Message>& message) { spare = std::move(message->payload); }

void produce() {
  for (int i = 0; i < 9; ++i) {
    auto message = std::make_unique<Message>();
    message->id = i;
    message->payload.push_back(i);
    queue.push(std::move(message)); // hand on
  }
}

void consume() {
  std::unique_ptr<Message> message;
  while (queue.pop(message)) {
    for (int& each : message->payload) {
      std::lock_guard<std::mutex> guard(statistics);
      total += ++each;
    }
    message->id = 0; // used up
  }
}

/// Not the queue's: it looks at what others have left.
void watch() {
  std::lock_guard<std::mutex> guard(statistics);
  if (last)
    total += last->id;
  for (int& each : spare)
    total += each;
}

int main() {
  std::thread producer(produce), one(consume), two(consume), watcher(watch);
  producer.join();
  one.join();
  two.join();
  watcher.join();
}
