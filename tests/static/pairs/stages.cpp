// A large object with a mutex in each of its parts, and records that are passed by value from stage
// to stage.
// clang-format off
// RACY: std::lock_guard<std::mutex> guard(mutex_); // close => // unlocked
// RACY: results_.lock(); => // unlocked
// clang-format on
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

template <typename T> class Stage {
public:
  void push(T value) {
    std::unique_lock<std::mutex> lock(mutex_);
    room_.wait(lock, [&] { return values_.size() < 8; });
    values_.push_back(std::move(value));
    ready_.notify_one();
  }
  std::optional<T> pop() {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [&] { return !values_.empty() || closed_; });
    if (values_.empty())
      return std::nullopt;
    T value = std::move(values_.front());
    values_.pop_front();
    room_.notify_one();
    return value;
  }
  void close() {
    std::lock_guard<std::mutex> guard(mutex_); // close
    closed_ = true;
    ready_.notify_all();
  }

private:
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::deque<T> values_;
  bool closed_ = false;
};

struct Line {
  int number;
  std::string text;
};

class Works {
public:
  void run() {
    std::thread reader([this] { read(); });
    std::thread parser([this] { parse(); });
    results_.lock();
    long now = total_;
    results_.unlock();
    reader.join();
    parser.join();
    total_ += now;
  }

private:
  void read() {
    for (int i = 0; i < 9; ++i)
      lines_.push(Line{i, "line " + std::to_string(i)});
    lines_.close();
  }
  void parse() {
    while (auto line = lines_.pop()) {
      std::vector<char> letters(line->text.begin(), line->text.end());
      std::lock_guard<std::mutex> guard(results_);
      total_ += letters.size();
    }
  }

  Stage<Line> lines_;
  Stage<std::vector<int>> others_;
  std::mutex results_;
  long total_ = 0;
};

int main() {
  Works works;
  works.run();
}
