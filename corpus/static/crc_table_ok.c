// A table for checksums that main fills before it starts the threads. After that it is only read,
// without a lock, also by main.
#include <pthread.h>
#include <stddef.h>

static unsigned table[16];

static void fill_table(void) {
  for (unsigned i = 0; i < 16; ++i) {
    unsigned value = i;
    for (int bit = 0; bit < 4; ++bit)
      value = value & 1 ? 0x9du ^ (value >> 1) : value >> 1;
    table[i] = value | 0x100u; // NORACE
  }
}

static unsigned checksum(const unsigned char *bytes, size_t count) {
  unsigned sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum = (sum >> 4) ^ table[(sum ^ bytes[i]) & 15]; // NORACE
  return sum;
}

struct block {
  const unsigned char *bytes;
  size_t count;
  unsigned sum;
};

static void *check_block(void *argument) {
  struct block *block = argument;
  block->sum = checksum(block->bytes, block->count); // NORACE
  return NULL;
}

int main(void) {
  static const unsigned char data[8] = {1, 2, 3, 4, 1, 2, 3, 4};
  struct block blocks[2] = {{data, 4, 0}, {data + 4, 4, 0}};
  pthread_t threads[2];
  fill_table();
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, check_block, &blocks[i]);
  unsigned expected = checksum(data, 4);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return blocks[0].sum == expected && blocks[1].sum == expected ? 0 : 1; // NORACE
}
