#include "describe/wait_circle.h"

namespace heddle {
namespace {

bool waitsFor(const std::vector<ThreadDetail>& threads, unsigned first, unsigned last) {
  unsigned at = first;
  for (size_t i = 0; i < threads.size(); ++i) {
    at = threads[at].state == ThreadState::Blocked ? threads[at].waitOwner : raw(ThreadIndex::None);
    if (at >= threads.size())
      return false;
    if (at == last)
      return true;
  }
  return false;
}

} // namespace

std::vector<unsigned> waitCircle(const std::vector<ThreadDetail>& threads) {
  std::vector<unsigned> circle;
  for (unsigned i = 0; i < threads.size(); ++i)
    if (waitsFor(threads, i, i))
      circle.push_back(i);
  return circle;
}

} // namespace heddle
