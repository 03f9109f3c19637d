#include "static/points_to/contexts.h"

#include <algorithm>

namespace heddle::analysis {

Contexts::Contexts() { entries_.push_back({{}, ContextId::Empty, 0}); }

ContextId Contexts::truncate(ContextId context, unsigned k) {
  if (entry(context).depth <= k)
    return context;
  if (k == 0)
    return ContextId::Empty;
  Entry copy = entry(context); // push may move the entries
  return push(copy.element, copy.rest, k);
}

ContextId Contexts::push(ContextElement element, ContextId rest, unsigned k) {
  if (k == 0)
    return ContextId::Empty;
  rest = truncate(rest, k - 1);
  Key key{{element.place, uint64_t{element.offset} << 1 | element.isCall},
          static_cast<uint32_t>(rest)};
  auto [found, isNew] = known_.try_emplace(key, static_cast<ContextId>(entries_.size()));
  if (isNew)
    entries_.push_back({element, rest, entry(rest).depth + 1});
  return found->second;
}

ContextId Contexts::pushCall(const void* call, ContextId rest, unsigned k) {
  std::vector<ContextElement> before = elements(rest);
  size_t calls = 0;
  while (calls < before.size() && before[calls].isCall)
    ++calls;
  if (k < 2 || calls == 0 || calls == before.size())
    return push({call, 0, true}, rest, k);
  ContextId context = push(before[calls], ContextId::Empty, 1);
  for (size_t i = std::min<size_t>(calls, k - 1); i-- > 0;)
    context = push(before[i], context, k + 1);
  return push({call, 0, true}, context, k + 1);
}

std::vector<ContextElement> Contexts::elements(ContextId context) const {
  std::vector<ContextElement> elements;
  for (; context != ContextId::Empty; context = entry(context).rest)
    elements.push_back(entry(context).element);
  return elements;
}

} // namespace heddle::analysis
