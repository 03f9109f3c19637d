// Says how it is used when it is not told what to do; "fails" fails in every run, beside a race.
#include <cassert>
#include <cstdio>
#include <cstring>
#include <thread>

int shared;
int turns;

int main(int count, char** arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: program WHAT\n");
    return 3;
  }
  std::thread one([] { ++shared; });
  std::thread two([] { ++shared; });
  one.join();
  two.join();
  ++turns;
  assert(strcmp(arguments[1], "fails") != 0 && "fails always");
}
