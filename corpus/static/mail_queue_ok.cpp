// Mails that are handed to a sender through a queue. Whoever takes a mail out owns it, and the
// writer does not touch a mail that it has put in. The mails themselves are accessed without a
// lock.
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

struct Mail {
  std::string subject;
  int size = 0;
  int attempts = 0;
};

class Outbox {
public:
  void put(std::shared_ptr<Mail> mail) {
    std::lock_guard<std::mutex> guard(mutex_);
    mails_.push_back(std::move(mail)); // NORACE
    filled_.notify_one();
  }

  std::shared_ptr<Mail> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (mails_.empty()) // NORACE
      filled_.wait(lock);
    std::shared_ptr<Mail> mail = mails_.front(); // NORACE
    mails_.pop_front();                          // NORACE
    return mail;
  }

private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::shared_ptr<Mail>> mails_;
};

static void write(Outbox &outbox) {
  for (int i = 1; i <= 4; ++i) {
    auto mail = std::make_shared<Mail>();
    mail->subject = "report"; // NORACE
    mail->size = 100 * i;     // NORACE
    mail->attempts = 3;       // NORACE
    outbox.put(mail);
  }
}

static void send(Outbox &outbox, long &sent) {
  for (int i = 0; i < 4; ++i) {
    std::shared_ptr<Mail> mail = outbox.take();
    sent += mail->size;         // NORACE
    mail->subject += " (sent)"; // NORACE
    mail->attempts--;           // NORACE
  }
}

int main() {
  Outbox outbox;
  long sent = 0;
  std::thread writer([&] { write(outbox); });
  std::thread sender([&] { send(outbox, sent); });
  writer.join();
  sender.join();
  return sent == 1000 ? 0 : 1; // NORACE
}
