// What a loop calls is given its element.
// clang-format off
// RACY: set(a, i, 1); => set(a, 3, 1);
// RACY: add(&a[i]); => add(&total);
// clang-format on
static int a[100];
static int total;

static void set(int* values, int at, int value) { values[at] = value; }
static void add(int* value) { *value += 1; }

int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; ++i) {
    set(a, i, 1);
    add(&a[i]);
  }
  return a[1] + total;
}
