// A class without main: a unique_lock or shared_lock locks the mutex of the object that it is in.
// RACY: std::unique_lock lock(mutex_); // set => std::unique_lock lock(other.mutex_);
// RACY: std::shared_lock lock(mutex_); // get => std::shared_lock lock(mutex_); lock.unlock();
// RACY: std::unique_lock lock(mutex_); // add => std::shared_lock lock(mutex_);
#include <mutex>
#include <shared_mutex>

class Cell {
public:
  void set(Cell& other, int value);
  void add();
  int get() const;

private:
  mutable std::shared_mutex mutex_;
  int value_ = 0;
};

void Cell::set(Cell& other, int value) {
  std::unique_lock lock(mutex_); // set
  value_ = value;
}

void Cell::add() {
  std::unique_lock lock(mutex_); // add
  ++value_;
}

int Cell::get() const {
  std::shared_lock lock(mutex_); // get
  return value_;
}
