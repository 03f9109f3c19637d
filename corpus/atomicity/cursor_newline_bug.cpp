// The cursor of a terminal has a row and a column, each with locked accessors. A new line first
// returns to column 0 and then goes to the next row; who draws in between draws at the start of the
// row that is already full.
#include <cassert>
#include <mutex>
#include <thread>

class Cursor {
public:
  struct Position {
    int row;
    int column;
  };

  void newLine() {
    setColumn(0);
    nextRow();
  }

  Position position() const {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    Position position;
    position.row = row_; // VIOLATION: newline/8 intruder
    position.column = column_; // VIOLATION: newline/8 intruder
    return position;
  }

private:
  void setColumn(int column) {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    column_ = column; // VIOLATION: newline/8 first
  }

  void nextRow() {
    std::lock_guard<std::recursive_mutex> guard(mutex_);
    row_ = row_ + 1; // VIOLATION: newline/8 second
  }

  mutable std::recursive_mutex mutex_;
  int row_ = 3;
  int column_ = 80;
};

int main() {
  Cursor cursor;
  Cursor::Position position{};
  std::thread shell([&] { cursor.newLine(); });
  std::thread screen([&] { position = cursor.position(); });
  shell.join();
  screen.join();
  bool before = position.row == 3 && position.column == 80;
  bool after = position.row == 4 && position.column == 0;
  assert(before || after); // EXPECT: assertion
}
