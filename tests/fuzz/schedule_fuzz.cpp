#include "model/schedule_text.h"

#include <cstdlib>

using namespace heddle;

/// Whatever parses must print to a text that parses to the same.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto first = parseSchedule({reinterpret_cast<const char*>(data), size});
  if (!first || first->decisions.size() > 10'000)
    return 0;
  std::string text = printSchedule(*first, ThreadNames());
  auto second = parseSchedule(text);
  if (!second || second->decisions.size() != first->decisions.size() ||
      printSchedule(*second, ThreadNames()) != text)
    abort();
  return 0;
}
