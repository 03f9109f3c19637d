// heddle-corpus: flags=-lz
// zlib in parallel, block by block: threads take blocks from a counter and compress them with
// streams of their own; main puts the checksums together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { kThreads = 3, kBlock = 4096 };

struct block {
  Bytef input[kBlock];
  Bytef* packed;
  uLongf packed_size;
  uLong checksum;
};

static struct block* blocks;
static atomic_int next;
static int rounds = 200;

static void pack(struct block* block) {
  uLongf bound = compressBound(kBlock);
  block->packed = malloc(bound);
  block->packed_size = bound;
  assert(compress2(block->packed, &block->packed_size, block->input, kBlock, 1) == Z_OK);
  block->checksum = crc32(0, block->input, kBlock);
}

static void* work(void* argument) {
  (void)argument;
  for (;;) {
    int index = atomic_fetch_add(&next, 1);
    if (index >= rounds)
      return NULL;
    pack(&blocks[index]);
  }
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  Bytef unpacked[kBlock];
  uLong combined = crc32(0, NULL, 0), whole = crc32(0, NULL, 0);
  if (argc > 1)
    rounds = atoi(argv[1]);
  blocks = calloc((size_t)rounds, sizeof *blocks);
  for (int i = 0; i < rounds; ++i)
    for (int j = 0; j < kBlock; ++j)
      blocks[i].input[j] = (Bytef)(i + j / 16);
  for (int i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < rounds; ++i) {
    uLongf size = kBlock;
    assert(uncompress(unpacked, &size, blocks[i].packed, blocks[i].packed_size) == Z_OK);
    assert(size == kBlock && memcmp(unpacked, blocks[i].input, kBlock) == 0);
    combined = crc32_combine(combined, blocks[i].checksum, kBlock);
    whole = crc32(whole, blocks[i].input, kBlock);
    free(blocks[i].packed);
  }
  assert(combined == whole);
  free(blocks);
  return 0;
}
