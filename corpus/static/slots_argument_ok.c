// A checksum in parts: each thread gets the address of its part, in an array that all threads
// share.
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
  struct part *part = argument;
  part->sum = add_bytes(&bytes[part->index * PART], PART); // NORACE
  sums[part->index] = part->sum;                           // NORACE
  return NULL;
}

int main(void) {
  struct part parts[PARTS];
  for (int i = 0; i < PARTS * PART; ++i)
    bytes[i] = (unsigned char)(i + 1); // NORACE

  for (int i = 0; i < PARTS; ++i) {
    parts[i].index = i; // NORACE
    pthread_create(&parts[i].thread, NULL, check_part, &parts[i]);
  }
  for (int i = 0; i < PARTS; ++i)
    pthread_join(parts[i].thread, NULL);

  int filled = 0;
  for (int i = 0; i < PARTS; ++i)
    filled += sums[i] != 0; // NORACE
  return filled == PARTS ? 0 : 1;
}
