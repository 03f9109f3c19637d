// Two loops as one.
// clang-format off
// RACY: m[i][j] = 1; => m[i][0] = j;
// clang-format on
static int m[10][20];

int main(void) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 10; ++i)
    for (int j = 0; j < 20; ++j)
      m[i][j] = 1;
  return m[1][1];
}
