// A lost update that only the exit status shows: main returns it, or with an argument exit gets it.
#include <cstdlib>
#include <thread>

int counter;

void add() {
  int seen = counter;
  counter = seen + 1;
}

int countToTwo() {
  std::thread one(add), two(add);
  one.join();
  two.join();
  return counter == 2 ? 0 : 3;
}

int main(int argc, char**) {
  int status = countToTwo();
  if (argc > 1)
    exit(status);
  return status;
}
