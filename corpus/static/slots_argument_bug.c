// A checksum in parts: each thread gets the address of its part. The address of the loop's own
// variable was passed instead, which main changes while the threads read it.
#include <pthread.h>
#include <stddef.h>

enum { PARTS = 3, PART = 4 };

struct part {
  pthread_t thread;
  int index;
  unsigned sum;
};

static unsigned char bytes[PARTS * PART];
static unsigned sums[PARTS];

static unsigned add_bytes(const unsigned char *first, int count) {
  unsigned sum = 0;
  for (int i = 0; i < count; ++i)
    sum = sum * 31 + first[i]; // NORACE
  return sum;
}

static void *check_part(void *argument) {
  int index = *(const int *)argument % PARTS;          // RACE!
  sums[index] = add_bytes(&bytes[index * PART], PART); // RACE!
  return NULL;
}

int main(void) {
  struct part parts[PARTS];
  for (int i = 0; i < PARTS * PART; ++i)
    bytes[i] = (unsigned char)(i + 1); // NORACE

  int next = 0;
  while (next < PARTS) {
    struct part *part = &parts[next];
    pthread_create(&part->thread, NULL, check_part, &next);
    next++; // RACE!
  }
  for (int i = 0; i < PARTS; ++i)
    pthread_join(parts[i].thread, NULL);

  int filled = 0;
  for (int i = 0; i < PARTS; ++i)
    filled += sums[i] != 0; // NORACE
  return filled <= PARTS ? 0 : 1;
}
