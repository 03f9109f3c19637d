// Each iteration fills a row of a matrix.
// clang-format off
// RACY: m[i][j] = i + j; => m[j][i / 2] = i + j;
// RACY: m[i][j] = i + j; => m[0][j] = i + j;
// clang-format on
#define N 20
static double m[N][N];

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      m[i][j] = i + j;
  return m[1][1] > 0;
}
