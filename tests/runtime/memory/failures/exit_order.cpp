// thread_locals of the caller, then handlers and static objects in reverse order of registration.
// EXPECT: finished 0
// EXPECT: output "thread local\nhandler\nlocal static\nstatic\n"
#include <cstdio>
#include <cstdlib>

struct Talker {
  const char* text;
  ~Talker() { puts(text); }
};

Talker global{"static"};
thread_local Talker local{"thread local"};

Talker& localStatic() {
  static Talker talker{"local static"};
  return talker;
}

int main() {
  localStatic();
  atexit([] { puts("handler"); });
  return local.text == nullptr;
}
