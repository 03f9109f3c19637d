// Threads of a region add to one variable.
static int total;
static int half;

int main(void) {
#pragma omp parallel
  {
    total += 1;
    half = total / 2;
  }
  return half;
}
