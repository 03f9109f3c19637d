// The race is there when a file does not exist yet, and never again.
#include <fcntl.h>
#include <thread>
#include <unistd.h>

static int value;

int main(int, char **argv) {
  bool first = access(argv[1], F_OK) != 0;
  if (first)
    close(open(argv[1], O_CREAT | O_WRONLY, 0600));
  std::thread one([&] {
    if (first)
      value = 1;
  });
  std::thread other([&] {
    if (first)
      value = 2;
  });
  one.join();
  other.join();
}
