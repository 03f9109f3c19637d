// An uploader that gives its lock back while it sends a file and takes it again afterwards. It
// counts the bytes as it sends them, while it does not have the lock.
#include <deque>
#include <mutex>
#include <thread>

class Uploader {
public:
  void enqueue(int size) {
    std::lock_guard<std::mutex> guard(mutex_);
    files_.push_back(size); // NORACE
  }

  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!files_.empty()) {    // NORACE
      int size = files_.front(); // NORACE
      files_.pop_front();        // NORACE
      lock.unlock();
      for (int sent = 0; sent < size; sent += 16)
        bytes_ += 16; // RACE!
      lock.lock();
      ++sent_; // NORACE
    }
  }

  long bytes() {
    std::lock_guard<std::mutex> guard(mutex_);
    return bytes_; // RACE!
  }

  int sent() {
    std::lock_guard<std::mutex> guard(mutex_);
    return sent_; // NORACE
  }

private:
  std::mutex mutex_;
  std::deque<int> files_;
  long bytes_ = 0;
  int sent_ = 0;
};

int main() {
  Uploader uploader;
  for (int i = 1; i <= 6; ++i)
    uploader.enqueue(16 * i);
  std::thread first([&uploader] { uploader.run(); });
  std::thread second([&uploader] { uploader.run(); });
  long seen = 0;
  for (int look = 0; look < 4; ++look)
    seen = uploader.bytes();
  first.join();
  second.join();
  return seen <= 336 && uploader.sent() == 6 ? 0 : 1;
}
