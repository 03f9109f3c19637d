// Each thread begins with a copy of the value.
// clang-format off
// RACY: firstprivate(next) => shared(next)
// clang-format on
int main(int argc, char** argv) {
  int next = argc;
  int a[8] = {0};
#pragma omp parallel for firstprivate(next) schedule(static, 1)
  for (int i = 0; i < 8; ++i) {
    next += i;
    a[i] = next;
  }
  return a[3];
}
