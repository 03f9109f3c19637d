// MUST DEADLOCK: both threads read from pipes whose writing ends only they have.
#include <thread>
#include <unistd.h>

int main() {
  int first[2], second[2];
  if (pipe(first) != 0 || pipe(second) != 0)
    return 1;
  std::thread other([&] {
    char byte;
    if (read(second[0], &byte, 1) == 1 && write(first[1], &byte, 1) != 1)
      return;
  });
  char byte;
  if (read(first[0], &byte, 1) == 1 && write(second[1], &byte, 1) != 1)
    return 1;
  other.join();
}
