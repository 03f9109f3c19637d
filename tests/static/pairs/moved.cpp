// What was moved from owns nothing: neither its destructor nor that of what holds it frees
// anything.
// clang-format off
// RACY: delivery.parcel_.reset(); // nothing is left => delivery.last_->weight = 0;
// RACY: std::lock_guard<std::mutex> guard(mutex); // weigh => // unlocked
// clang-format on
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct Parcel {
  int weight = 1;
};

std::mutex mutex;
std::vector<std::unique_ptr<Parcel>> shelf;

struct Delivery {
  explicit Delivery(std::unique_ptr<Parcel> parcel)
      : last_(parcel.get()), parcel_(std::move(parcel)) {}
  Parcel* last_;
  std::unique_ptr<Parcel> parcel_;
};

void store(std::unique_ptr<Parcel> parcel) {
  std::lock_guard<std::mutex> guard(mutex);
  shelf.push_back(std::move(parcel));
}

void hand(Delivery delivery) {
  store(std::move(delivery.parcel_));
  delivery.parcel_.reset(); // nothing is left
}

long weigh() {
  std::lock_guard<std::mutex> guard(mutex); // weigh
  long total = 0;
  for (const auto& parcel : shelf)
    total += ++parcel->weight;
  return total;
}

int main() {
  std::thread sender([] {
    for (int i = 0; i < 9; ++i) {
      auto parcel = std::make_unique<Parcel>();
      hand(Delivery(std::move(parcel)));
    }
  });
  std::thread other([] { store(std::make_unique<Parcel>()); });
  weigh();
  sender.join();
  other.join();
}
