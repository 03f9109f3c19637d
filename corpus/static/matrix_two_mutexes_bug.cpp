// Matrices with a mutex each. The sum takes the mutexes of both matrices in one scoped_lock; the
// copy takes only that of the matrix that it reads.
#include <array>
#include <mutex>
#include <thread>

class Matrix {
public:
  explicit Matrix(int value) { cells_.fill(value); }

  void add(const Matrix &other) {
    std::scoped_lock lock(mutex_, other.mutex_);
    for (std::size_t i = 0; i < cells_.size(); ++i)
      cells_[i] += other.cells_[i]; // RACE!
    ++version_;                     // NORACE
  }

  void copyFrom(const Matrix &other) {
    std::scoped_lock lock(other.mutex_);
    cells_ = other.cells_; // RACE!
  }

  int trace() const {
    std::scoped_lock lock(mutex_);
    return cells_[0] + cells_[3]; // NORACE
  }

  int version() const {
    std::scoped_lock lock(mutex_);
    return version_; // NORACE
  }

private:
  mutable std::mutex mutex_;
  std::array<int, 4> cells_{};
  int version_ = 0;
};

int main() {
  Matrix left(1), right(2), backup(3);
  std::thread adder([&] {
    left.add(right);
    right.add(left);
  });
  std::thread copier([&] { right.copyFrom(backup); });
  adder.join();
  copier.join();
  if (left.version() != 1 || right.version() != 1)
    return 1;
  return left.trace() > 0 ? 0 : 1;
}
