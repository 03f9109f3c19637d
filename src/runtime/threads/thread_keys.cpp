#include "runtime/threads/thread_keys.h"

#include "runtime/base/arena.h"
#include "runtime/base/real.h"

#include <limits.h>

namespace heddle::rt {

namespace {

using Destructor = void (*)(void*);

struct Key {
  Destructor destroy;
  bool used;
};

HEDDLE_LARGE Key keys[PTHREAD_KEYS_MAX];
unsigned keyLimit = 0; ///< above the highest key ever made

/// One round; false when there was nothing left to destroy.
bool destroyValues() {
  bool found = false;
  for (unsigned key = 0; key < keyLimit; ++key) {
    void* value = keys[key].used ? pthread_getspecific(key) : nullptr;
    if (!value)
      continue;
    found = true;
    pthread_setspecific(key, nullptr);
    if (Destructor destroy = keys[key].destroy)
      destroy(value);
  }
  return found;
}

} // namespace

void runKeyDestructors() {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    if (!destroyValues())
      return;
}

} // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_INTERPOSE int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  int error = real::pthread_key_create(key, destructor);
  if (error != 0)
    return error;
  keys[*key] = {destructor, true};
  if (*key >= keyLimit)
    keyLimit = *key + 1;
  return 0;
}

/// The name under which GCC's thread layer knows it in older libraries.
extern "C" __attribute__((visibility("default"), alias("pthread_key_create"))) int
__pthread_key_create(pthread_key_t* key, void (*destructor)(void*));

HEDDLE_INTERPOSE int pthread_key_delete(pthread_key_t key) {
  int error = real::pthread_key_delete(key);
  if (error == 0)
    keys[key].used = false;
  return error;
}
