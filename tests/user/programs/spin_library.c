/* Compiled without heddle: it waits where no hook sees it. */
static volatile int locked, arrived, generation;
volatile long computed;

void libraryLock(void) {
  while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
    while (locked)
      __builtin_ia32_pause();
}

void libraryUnlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

void waitFor(const volatile int* flag) {
  while (!*flag)
    ;
}

long countUntil(const volatile int* flag) {
  long attempts = 0;
  while (!*flag)
    ++attempts;
  return attempts;
}

long meet(int threads) {
  long attempts = 0;
  int mine = generation;
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST) == threads) {
    arrived = 0;
    __atomic_add_fetch(&generation, 1, __ATOMIC_SEQ_CST);
    return 0;
  }
  while (generation == mine)
    ++attempts;
  return attempts;
}

/* A third of a second or so in which nothing happens that others could see. */
void compute(long rounds) {
  unsigned long value = 1;
  for (long i = 0; i < rounds; ++i)
    value = value * 6364136223846793005ul + (unsigned long)i;
  for (computed = 0; computed < rounds / 8; computed = computed + 1)
    ;
  computed += (long)(value & 1);
}
