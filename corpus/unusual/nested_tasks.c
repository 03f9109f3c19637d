// heddle-corpus: flags=-fopenmp short=30
// OpenMP tasks inside of tasks, some of them undeferred: a list is sorted by merging parts, and
// each part waits for its tasks. A thread that waits executes tasks of others, which wait in their
// turn.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { kNumbers = 128, kDirect = 6 };

static void insertionSort(int* numbers, int count) {
  for (int i = 1; i < count; ++i)
    for (int k = i; k > 0 && numbers[k - 1] > numbers[k]; --k) {
      int larger = numbers[k - 1];
      numbers[k - 1] = numbers[k];
      numbers[k] = larger;
    }
}

static void merge(int* numbers, int middle, int count) {
  int merged[kNumbers];
  int left = 0;
  int right = middle;
  for (int i = 0; i < count; ++i) {
    int takeLeft = right == count || (left < middle && numbers[left] <= numbers[right]);
    merged[i] = takeLeft ? numbers[left++] : numbers[right++];
  }
  memcpy(numbers, merged, (size_t)count * sizeof *numbers);
}

static void sort(int* numbers, int count) {
  if (count <= kDirect) {
    insertionSort(numbers, count);
    return;
  }
  int middle = count / 2;
#pragma omp task if (count > 3 * kDirect)
  sort(numbers, middle);
  sort(numbers + middle, count - middle);
#pragma omp taskwait
  merge(numbers, middle, count);
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 300;
  int numbers[kNumbers];
  unsigned state = 1;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < kNumbers; ++i) {
      state = state * 1664525u + 1013904223u;
      numbers[i] = (int)(state >> 16);
    }
    sort(numbers, kNumbers);
    for (int i = 1; i < kNumbers; ++i)
      assert(numbers[i - 1] <= numbers[i]);
  }
  return 0;
}
