// Short text lies in the string itself: a string that was moved on leaves nothing of it shared.
// RACY: std::lock_guard<std::mutex> guard(mutex); // mark => // unlocked
// RACY: mark(names.front()); // twice => std::string& first = names.front(); first[1] = 'y';
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

std::mutex mutex;
std::vector<std::string> names(1, "anna");

void mark(std::string& name) {
  std::lock_guard<std::mutex> guard(mutex); // mark
  name[0] = 'x';
}

std::string make(int number) {
  std::string made = "n";
  made[0] = static_cast<char>('a' + number % 26);
  return made;
}

void keep(std::string name) {
  std::lock_guard<std::mutex> guard(mutex);
  names[0] = std::move(name);
}

int main() {
  std::thread one([] {
    for (int i = 0; i < 9; ++i)
      keep(make(i));
  });
  std::thread other([] {
    for (int i = 0; i < 9; ++i)
      keep(make(i + 3));
    mark(names.front()); // twice
  });
  mark(names.front());
  one.join();
  other.join();
}
