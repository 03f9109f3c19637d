// heddle-corpus: flags=-lcrypto
// OpenSSL's libcrypto, which is used by many threads at once: digests, a cipher and random bytes,
// with a key that all share by its reference count.
#include <assert.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { kThreads = 3 };

static EVP_PKEY* shared_key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned char combined[32];
static int rounds = 300;

static void digest(unsigned number, unsigned char* result) {
  unsigned size = 0;
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  assert(EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1);
  EVP_DigestUpdate(context, &number, sizeof number);
  assert(EVP_DigestFinal_ex(context, result, &size) == 1 && size == 32);
  EVP_MD_CTX_free(context);
}

static void encrypt(const unsigned char* text) {
  unsigned char key[32] = {1}, iv[16], packed[64], unpacked[64];
  int length = 0, more = 0, back = 0;
  assert(RAND_bytes(iv, sizeof iv) == 1);
  EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
  EVP_EncryptInit_ex(context, EVP_aes_256_cbc(), NULL, key, iv);
  EVP_EncryptUpdate(context, packed, &length, text, 32);
  EVP_EncryptFinal_ex(context, packed + length, &more);
  EVP_DecryptInit_ex(context, EVP_aes_256_cbc(), NULL, key, iv);
  EVP_DecryptUpdate(context, unpacked, &back, packed, length + more);
  assert(EVP_DecryptFinal_ex(context, unpacked + back, &more) == 1);
  assert(back + more == 32 && memcmp(text, unpacked, 32) == 0);
  EVP_CIPHER_CTX_free(context);
}

static void* work(void* argument) {
  for (int i = 0; i < rounds; ++i) {
    unsigned char result[32];
    digest((unsigned)(size_t)argument * 100000 + (unsigned)i, result);
    encrypt(result);
    assert(EVP_PKEY_up_ref(shared_key) == 1);
    assert(EVP_PKEY_get_bits(shared_key) > 0);
    EVP_PKEY_free(shared_key);
    pthread_mutex_lock(&mutex);
    for (int j = 0; j < 32; ++j)
      combined[j] ^= result[j];
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char** argv) {
  pthread_t threads[kThreads];
  unsigned char secret[32] = {7}, expected[32] = {0}, result[32];
  if (argc > 1)
    rounds = atoi(argv[1]);
  shared_key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret, sizeof secret);
  assert(shared_key);
  for (size_t i = 0; i < kThreads; ++i)
    pthread_create(&threads[i], NULL, work, (void*)i);
  for (int i = 0; i < kThreads; ++i)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < kThreads * rounds; ++i) {
    digest((unsigned)(i / rounds) * 100000 + (unsigned)(i % rounds), result);
    for (int j = 0; j < 32; ++j)
      expected[j] ^= result[j];
  }
  assert(memcmp(expected, combined, 32) == 0);
  EVP_PKEY_free(shared_key);
  return 0;
}
