// Two handlers ask for a setting as soon as they start.
#include "settings.h"

#include <cstdio>
#include <thread>

int main() {
  Settings settings;
  auto handler = [&settings] { settings.get("port"); };
  std::thread first(handler), second(handler);
  first.join();
  second.join();
  std::printf("loaded %d times\n", settings.loads());
  return settings.loads() == 1 ? 0 : 1;
}
