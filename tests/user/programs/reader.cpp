// Reads its input in a thread and says how much there was; fails when it is not the first argument.
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

int main(int, char** argv) {
  std::string text;
  std::thread reader([&text] {
    char bytes[64];
    for (ssize_t count; (count = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
      text.append(bytes, static_cast<size_t>(count));
  });
  reader.join();
  assert(text == argv[1]);
}
