#include "model/trace_file.h"

using namespace heddle;

/// A damaged trace is an error, never a crash.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint64_t events = 0;
  auto sites = TraceReader::read({reinterpret_cast<const std::byte*>(data), size}, "fuzz",
                                 [&](std::span<const Event> block) { events += block.size(); });
  if (sites && sites->find(static_cast<SiteId>(1)) == nullptr && !sites->empty())
    __builtin_trap();
  return 0;
}
