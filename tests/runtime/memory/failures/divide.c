// EXPECT: crash "integer division by zero"
// EXPECT: signal 8
int main(void) {
  volatile int zero = 0;
  return 100 / zero;
}
