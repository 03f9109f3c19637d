// Each round of a loop makes an object for the thread that it creates, which deletes it.
// clang-format off
// RACY: delete message; => delete last; last = message;
// RACY: delete message; => known.push_back(message); known[0]->text += 1;
// clang-format on
#include <thread>
#include <vector>

struct Message {
  int text = 0;
};

static Message* last;
static std::vector<Message*> known;

static void print(Message* message) {
  message->text = 1;
  delete message;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    auto* message = new Message;
    threads.emplace_back(print, message);
  }
  for (auto& thread : threads)
    thread.join();
  return last ? 1 : 0;
}
