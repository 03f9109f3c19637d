// A formatter that writes into a buffer of static storage. Two threads format at the same time in
// the same buffer.
#include <cstring>
#include <thread>

struct Buffer {
  char text[16] = {};
  std::size_t length = 0;
};

static Buffer buffer;
static thread_local int calls = 0;

static void append(char character) {
  buffer.text[buffer.length] = character;                   // RACE!
  buffer.length = (buffer.length + 1) % sizeof buffer.text; // RACE!
}

static std::size_t formatNumber(int number) {
  ++calls;           // NORACE
  buffer.length = 0; // RACE!
  while (number > 0) {
    append(static_cast<char>('0' + number % 10));
    number /= 10;
  }
  return buffer.length; // RACE!
}

static void report(int first, std::size_t &characters) {
  for (int number = first; number < first + 5; ++number)
    characters += formatNumber(number); // NORACE
  if (calls != 5)                       // NORACE
    characters = 0;                     // NORACE
}

int main() {
  std::size_t left = 0, right = 0;
  std::thread small([&left] { report(10, left); });
  std::thread large([&right] { report(1000, right); });
  small.join();
  large.join();
  return left <= 80 && right <= 80 ? 0 : 1; // NORACE
}
