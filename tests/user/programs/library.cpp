// A library with a counter that no lock guards.
int counter;
extern "C" void add() {
  int seen = counter;
  counter = seen + 1;
}
extern "C" int value() { return counter; }
