// The current weather in a shared_ptr that a feed replaces and displays copy, all under a lock. The
// reports themselves never change, and are read without it.
#include <memory>
#include <mutex>
#include <thread>

struct Report {
  Report(int celsius, int wind) : celsius(celsius), wind(wind) {}
  int celsius;
  int wind;
};

class Weather {
public:
  void publish(int celsius, int wind) {
    auto report = std::make_shared<const Report>(celsius, wind); // NORACE
    std::lock_guard<std::mutex> guard(mutex_);
    current_ = std::move(report); // NORACE
    ++published_;                 // NORACE
  }

  bool known() {
    std::lock_guard<std::mutex> guard(mutex_);
    return current_ != nullptr; // NORACE
  }

  std::shared_ptr<const Report> current() {
    std::lock_guard<std::mutex> guard(mutex_);
    return current_; // NORACE
  }

  int published() {
    std::lock_guard<std::mutex> guard(mutex_);
    return published_; // NORACE
  }

private:
  std::mutex mutex_;
  std::shared_ptr<const Report> current_;
  int published_ = 0;
};

static void display(Weather &weather, int &shown) {
  if (!weather.known())
    return;
  if (std::shared_ptr<const Report> report = weather.current())
    shown = report->celsius + report->wind; // NORACE
}

int main() {
  Weather weather;
  int left = 20, right = 20;
  std::thread feed([&weather] { weather.publish(18, 4); });
  std::thread hall([&] { display(weather, left); });
  std::thread desk([&] { display(weather, right); });
  feed.join();
  hall.join();
  desk.join();
  return left >= 20 && right >= 20 && weather.published() == 1 ? 0 : 1; // NORACE
}
