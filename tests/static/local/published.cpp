// Ways on which an address gets to another thread, or to code that is not analysed. No access to
// what such an address leads to is local.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <pthread.h>
#include <thread>
#include <vector>

namespace {

struct Box {
  long value = 0;
  long* link = nullptr;
};

Box* mailbox = nullptr;
uintptr_t number = 0;
char bytes[sizeof(long*)];

void* reader(void* argument) {
  auto* box = static_cast<Box*>(argument);
  box->value += *box->link; // not local
  return nullptr;
}

void byArgument() {
  Box box;
  long linked = 1;
  box.link = &linked;
  pthread_t thread;
  pthread_create(&thread, nullptr, reader, &box);
  box.value = 2; // not local
  linked = 3;    // not local
  pthread_join(thread, nullptr);
}

void byGlobal() {
  auto* box = new Box;
  mailbox = box;
  box->value = 4; // not local
}

void byNumber() {
  long* cell = new long(0);
  number = reinterpret_cast<uintptr_t>(cell);
  *cell = 5;                                // not local
  *reinterpret_cast<long*>(number + 0) = 6; // not local
}

void byBytes() {
  long* cell = new long(0);
  memcpy(bytes, &cell, sizeof cell);
  *cell = 7; // not local
}

void byCopy() {
  long* cell = new long(0);
  Box box{8, cell};
  auto* copy = new Box(box);
  mailbox = copy;
  *cell = 9; // not local
}

int compare(const void* one, const void* other) {
  return *static_cast<const int*>(one) - *static_cast<const int*>(other); // not local
}

void byLibrary() {
  int values[3] = {3, 1, 2};
  qsort(values, 3, sizeof(int), compare);
  values[0] = 4; // not local
}

void byException() {
  try {
    throw Box{1, nullptr};
  } catch (Box& box) {
    box.value = 2; // not local
  }
}

struct Visitor {
  virtual ~Visitor() = default;
  virtual void visit(Box& box) { box.value += 1; } // not local
};

void byVirtualCall(Visitor& visitor) {
  Box box;
  visitor.visit(box);
  box.value = 3; // not local
}

void byFunction(const std::function<void(long&)>& call) {
  long value = 1;
  call(value);
  value += 2; // not local
}

long* passOn(long* address) { return address; }

void byResult() {
  long* cell = passOn(new long(0));
  mailbox->link = passOn(cell);
  *cell = 10; // not local
}

void byAssembly() {
  long value = 1;
  asm volatile("" : : "r"(&value) : "memory");
  value += 1; // not local
}

void work() {
  byArgument();
  byGlobal();
  byNumber();
  byBytes();
  byCopy();
  byLibrary();
  byException();
  Visitor visitor;
  byVirtualCall(visitor);
  byFunction([](long& value) { ++value; }); // not local
  byResult();
  byAssembly();
}

} // namespace

int main() {
  std::thread first(work);
  first.join();
  std::thread second(work);
  second.join();
}
