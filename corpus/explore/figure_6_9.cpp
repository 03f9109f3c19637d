// Figure 6.9 of the thesis: two updates in a loop, and one.
#include "threads.h"

int x = 0;

int main(int argc, char** argv) {
  runAll({[] {
            for (int i = 0; i < 2; ++i)
              x -= 10;
          },
          [] { x += 10; }});
  return readsAfter(argc, argv) && x == 1 ? 1 : 0;
}
