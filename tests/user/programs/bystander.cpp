// One deadlock, in which a third thread is caught or not, and one access to freed memory, which two
// places may have freed.
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

std::mutex left, right;
int* number;
bool freed;
std::mutex guard;

void lockBoth(std::mutex& first, std::mutex& second) {
  std::lock_guard<std::mutex> outer(first);
  std::lock_guard<std::mutex> inner(second);
}

void bystander() { std::lock_guard<std::mutex> lock(left); }

int deadlock() {
  std::thread one([] { lockBoth(left, right); });
  std::thread two([] { lockBoth(right, left); });
  std::thread three(bystander);
  one.join();
  two.join();
  three.join();
  return 0;
}

bool first() {
  std::lock_guard<std::mutex> lock(guard);
  bool was = freed;
  freed = true;
  return !was;
}

int useAfterFree() {
  number = static_cast<int*>(malloc(sizeof(int)));
  *number = 1;
  std::thread reader([] { *number = 2; });
  std::thread one([] {
    if (first())
      free(number);
  });
  std::thread two([] {
    if (first())
      free(number);
  });
  reader.join();
  one.join();
  two.join();
  return 0;
}

int main(int, char** arguments) {
  return std::string(arguments[1]) == "deadlock" ? deadlock() : useAfterFree();
}
