// EXPECT: crash "stack overflow"
// EXPECT: signal 11
int deeper(volatile int* depth) {
  volatile int more[256];
  more[0] = *depth + 1;
  return deeper(more) + more[0];
}

int main(void) {
  int depth = 0;
  return deeper(&depth);
}
