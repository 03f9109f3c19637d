// Tasks that start tasks, each with variables of its own caller.
// clang-format off
// RACY: #pragma omp taskwait => /* nothing */
// RACY: return x + y; => calls += 1; return x + y;
// clang-format on
static long calls;

static long fibonacci(int n) {
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fibonacci(n - 1);
#pragma omp task shared(y)
  y = fibonacci(n - 2);
#pragma omp taskwait
  return x + y;
}

int main(void) {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(10);
  return result + calls;
}
