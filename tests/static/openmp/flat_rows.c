// Rows of a matrix that lies in one block.
// clang-format off
// RACY: m[i * n + j] = 1; => m[j * n + i / 2] = 1;
// RACY: m[i * n + j] = 1; => m[i + j] = 1;
// clang-format on
#include <stdlib.h>

int main(int argc, char** argv) {
  int n = argc + 10;
  double* m = malloc(n * n * sizeof *m);
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      m[i * n + j] = 1;
  return m[0] > 0;
}
