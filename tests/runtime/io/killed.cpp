// MUST CRASH: a signal that nobody handles.
#include <csignal>
#include <thread>
#include <unistd.h>

int main() {
  std::thread other([] { kill(getpid(), SIGTERM); });
  other.join();
  pause();
}
