// A growable vector whose every method is locked, after Java's Vector. Its copy constructor makes
// room for as many elements as the source has and then copies them, and holds the source's lock
// meanwhile.
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <thread>

class Vector {
public:
  Vector(std::initializer_list<int> elements)
      : count_(elements.size()), elements_(new int[elements.size()]) {
    std::size_t index = 0;
    for (int element : elements)
      elements_[index++] = element;
  }

  Vector(const Vector &other) {
    std::lock_guard<std::recursive_mutex> guard(other.mutex_);
    count_ = other.size();
    elements_.reset(new int[count_]());
    other.copyInto(elements_.get());
  }

  std::size_t size() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return count_; // NOVIOLATION
  }

  void copyInto(int *target) const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    for (std::size_t i = 0; i < count_; ++i) // NOVIOLATION
      target[i] = elements_[i];
  }

  void removeLast() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    assert(count_ > 0);
    count_ = count_ - 1; // NOVIOLATION
  }

  int last() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    return elements_[count_ - 1];
  }

private:
  mutable std::recursive_mutex mutex_;
  std::size_t count_ = 0;
  std::unique_ptr<int[]> elements_;
};

int main() {
  Vector orders{11, 12, 13};
  std::thread report([&] {
    Vector copy(orders);
    assert(copy.last() == 13 || copy.last() == 12);
  });
  std::thread customer([&] { orders.removeLast(); });
  report.join();
  customer.join();
}
