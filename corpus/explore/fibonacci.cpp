// Two threads of n rounds add up each other's number, and one looks at both.
#include "threads.h"

int i = 1;
int j = 1;

int main(int argc, char** argv) {
  int n = sizeOf(argc, argv);
  runAll({[n] {
            for (int round = 0; round < n; ++round)
              i = i + j;
          },
          [n] {
            for (int round = 0; round < n; ++round)
              j = j + i;
          },
          [] {
            int first = i;
            int second = j;
            (void)first, (void)second;
          }});
  return 0;
}
