// The last owner of a sink destroys what the sink owns, down to what the program's own classes
// hold.
// clang-format off
// RACY: std::lock_guard<std::mutex> lock(mutex_); // log => // unlocked
// clang-format on
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Console {
  static std::mutex& mutex() {
    static std::mutex shared;
    return shared;
  }
};

struct Formatter {
  virtual ~Formatter() = default;
  virtual void format(int) = 0;
};

struct Pattern : Formatter {
  int cached = 0;
  void format(int value) override { cached += value; }
};

struct Sink {
  virtual ~Sink() = default;
  virtual void log(int) = 0;
};

template <typename Mutex> struct Color : Sink {
  Color() : mutex_(Mutex::mutex()), formatter_(std::make_unique<Pattern>()) {}
  void log(int value) override {
    std::lock_guard<std::mutex> lock(mutex_); // log
    total_ += value;
    formatter_->format(value);
  }

private:
  std::mutex& mutex_;
  std::unique_ptr<Formatter> formatter_;
  int total_ = 0;
};

int main() {
  std::shared_ptr<Sink> sink = std::make_shared<Color<Console>>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([sink] { sink->log(1); });
  sink->log(2);
  for (std::thread& thread : threads)
    thread.join();
}
