// heddle-corpus: flags=-lzstd
// zstd with workers of its own: a stream is compressed by two threads of the library, while another
// thread of the program decompresses what comes out of a second context.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { kSize = 1 << 16 };

static int rounds = 20;

static void fill(char* text, unsigned seed) {
  for (size_t i = 0; i < kSize; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text[i] = "abcdefgh"[seed >> 29];
  }
}

static void* compress(void* argument) {
  size_t bound = ZSTD_compressBound(kSize);
  char* text = malloc(kSize);
  char* packed = malloc(bound);
  char* unpacked = malloc(kSize);
  ZSTD_CCtx* context = ZSTD_createCCtx();
  size_t status = ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, 2);
  assert(!ZSTD_isError(status));
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  for (int i = 0; i < rounds; ++i) {
    ZSTD_inBuffer in = {text, kSize, 0};
    ZSTD_outBuffer out = {packed, bound, 0};
    size_t left;
    fill(text, (unsigned)(size_t)argument * 1000 + (unsigned)i);
    do
      left = ZSTD_compressStream2(context, &out, &in, ZSTD_e_end);
    while (left != 0 && !ZSTD_isError(left));
    assert(left == 0);
    assert(ZSTD_decompress(unpacked, kSize, packed, out.pos) == kSize);
    assert(memcmp(text, unpacked, kSize) == 0);
  }
  ZSTD_freeCCtx(context);
  free(text);
  free(packed);
  free(unpacked);
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t other;
  if (argc > 1)
    rounds = atoi(argv[1]) / 50 + 1;
  pthread_create(&other, NULL, compress, (void*)1);
  compress((void*)2);
  pthread_join(other, NULL);
  return 0;
}
