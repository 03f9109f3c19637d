// A worker thread of code without hooks (plain_lock.c) calls back; the caller waits for it there.
// With -DBUG it does not.
#include <cassert>

extern "C" {
void plain_start(void (*)(void*), void*);
void plain_wait();
}

namespace {

struct Result {
  int value = 0;
};

void compute(void* argument) {
  static_cast<Result*>(argument)->value = 42; // computed
}

} // namespace

int main() {
  static Result result;
  plain_start(compute, &result);
#ifdef BUG
  int seen = result.value; // unordered
  plain_wait();
  return seen == 42 || seen == 0 ? 0 : 1;
#else
  plain_wait();
  assert(result.value == 42); // ordered
#endif
}
