// Chunks that threads take one after the other.
// clang-format off
// RACY: a[i] = i * n; => a[i % 10] = i * n;
// clang-format on
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc * 100;
  int* a = malloc(n * sizeof *a);
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < n; ++i)
    a[i] = i * n;
  return a[0];
}
