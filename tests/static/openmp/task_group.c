// A group waits for its tasks and for those that they start.
// clang-format off
// RACY: taskgroup => taskwait
// clang-format on
static int made, read;

static void work(void) {
#pragma omp task
  {
#pragma omp task
    made = 1;
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
      work();
    }
    read = made;
  }
  return read;
}
