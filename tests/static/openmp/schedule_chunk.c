// Chunks that are dealt out in turns.
// clang-format off
// RACY: a[i] = argc; => a[i] = argc, last = i;
// clang-format on
#define N 64
static int a[N];
static int last;

int main(int argc, char** argv) {
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < N; ++i)
    a[i] = argc;
  return last;
}
