#include "branch_builder.h"

#include <algorithm>

namespace heddle::explore {

const Event& BranchBuilder::eventOf(EventId id, const std::vector<ChangedStep>& changed) const {
  return id >= 0 ? execution_.event(id) : changed[static_cast<size_t>(kChanged - id)].event;
}

/// The steps in the order in which they rank: those of `base` by stage, all others as one stage.
std::vector<BranchBuilder::Ranked>
BranchBuilder::rank(const Steps& base, const Steps& kept, uint32_t stage,
                    const std::vector<ChangedStep>& changed) const {
  std::vector<Ranked> ranked;
  const auto& events = execution_.events();
  for (size_t id = 0; id < events.size(); ++id) {
    const StepName& name = events[id].name;
    if (contains(base, name))
      ranked.push_back({events[id].stage, name, static_cast<EventId>(id)});
    else if (contains(kept, name))
      ranked.push_back({stage, name, static_cast<EventId>(id)});
  }
  for (size_t i = 0; i < changed.size(); ++i)
    ranked.push_back({stage, changed[i].event.name, kChanged - static_cast<EventId>(i)});
  std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    return std::tie(a.stage, a.name) < std::tie(b.stage, b.name);
  });
  return ranked;
}

LinearOrder BranchBuilder::orderOf(const std::vector<Ranked>& ranked,
                                   const std::vector<ChangedStep>& changed) const {
  // Event ids begin at kChanged - (changed steps - 1).
  auto offset = static_cast<int64_t>(changed.size()) - kChanged;
  std::vector<int32_t> numbers(execution_.events().size() + static_cast<size_t>(offset), kInitial);
  for (size_t i = 0; i < ranked.size(); ++i)
    numbers[static_cast<size_t>(ranked[i].event + offset)] = static_cast<int32_t>(i);
  std::vector<OrderStep> steps;
  steps.reserve(ranked.size());
  for (const Ranked& entry : ranked) {
    const Event& event = eventOf(entry.event, changed);
    OrderStep step{&event, {}};
    for (const DataAccess& access : event.data)
      step.sources.push_back(access.reads && access.source != kInitial
                                 ? numbers[static_cast<size_t>(access.source + offset)]
                                 : kInitial);
    steps.push_back(std::move(step));
  }
  return LinearOrder(std::move(steps));
}

/// Value schedules: the kept writes of a cell keep their order.
bool BranchBuilder::keepWrites(LinearOrder& order, const std::vector<Ranked>& ranked) const {
  std::map<EventId, size_t> numbers;
  for (size_t i = 0; i < ranked.size(); ++i)
    if (ranked[i].event >= 0)
      numbers[ranked[i].event] = i;
  for (uint32_t cell = 0; cell < execution_.cells(); ++cell) {
    const size_t* last = nullptr;
    for (EventId writer : execution_.writers(cell)) {
      auto found = numbers.find(writer);
      if (found == numbers.end())
        continue;
      if (last != nullptr && !order.require(*last, found->second))
        return false;
      last = &found->second;
    }
  }
  return true;
}

namespace {

bool writeSameCell(const OrderStep& a, const OrderStep& b) {
  for (const DataAccess& mine : a.data())
    for (const DataAccess& other : b.data())
      if (mine.writes && other.writes && mine.cell == other.cell)
        return true;
  return false;
}

} // namespace

/// Value schedules: all ways to order the writes of changed steps among the others.
void BranchBuilder::decideWrites(LinearOrder order, const std::vector<Ranked>& ranked,
                                 std::vector<LinearOrder>& out) const {
  if (!order.settle())
    return;
  for (size_t a = 0; a < ranked.size(); ++a) {
    if (ranked[a].event >= 0)
      continue;
    for (size_t b = 0; b < ranked.size(); ++b) {
      if (a == b || order.isBefore(a, b) || order.isBefore(b, a) ||
          !writeSameCell(order.step(a), order.step(b)))
        continue;
      LinearOrder other = order;
      if (order.require(b, a))
        decideWrites(std::move(order), ranked, out);
      if (other.require(a, b))
        decideWrites(std::move(other), ranked, out);
      return;
    }
  }
  out.push_back(std::move(order));
}

std::vector<LinearOrder> BranchBuilder::ordersOf(const std::vector<Ranked>& ranked,
                                                 const std::vector<ChangedStep>& changed) const {
  std::vector<LinearOrder> orders;
  LinearOrder order = orderOf(ranked, changed);
  if (equivalence_ == Equivalence::ValueSchedules) {
    if (keepWrites(order, ranked))
      decideWrites(std::move(order), ranked, orders);
    return orders;
  }
  if (order.settle())
    orders.push_back(std::move(order));
  return orders;
}

bool BranchBuilder::isLast(const LinearOrder& order, const std::vector<Ranked>& ranked) const {
  for (size_t a = 0; a < ranked.size(); ++a) {
    if (ranked[a].event >= 0)
      continue;
    for (size_t b = 0; b < ranked.size(); ++b)
      if (a != b && order.isBefore(a, b) && writeSameCell(order.step(a), order.step(b)))
        return false;
  }
  return true;
}

namespace {

/// The accesses of a compare-exchange (the last changed step) when it writes, or does not.
void setWriting(std::vector<ChangedStep>& changed, bool writes) {
  for (DataAccess& access : changed.back().event.data)
    access.writes = writes && access.mayWrite;
}

/// Changed steps but the last are there to be read from.
void expectWriting(const std::vector<ChangedStep>& changed, Writing last, Branch& branch) {
  for (size_t i = 0; i + 1 < changed.size(); ++i)
    branch.expectations[i].writing = Writing::Required;
  branch.expectations.back().writing = last;
}

} // namespace

/// A compare-exchange of which nobody knows whether it succeeds: the same order of the others, with
/// its write, is possible in more cases than one thinks, and right in both cases.
std::optional<std::vector<uint32_t>>
BranchBuilder::writeInstead(const LinearOrder& decided, const std::vector<Ranked>& ranked,
                            std::vector<ChangedStep> changed) const {
  setWriting(changed, true);
  LinearOrder order = orderOf(ranked, changed);
  if (equivalence_ == Equivalence::ValueSchedules)
    for (size_t a = 0; a < ranked.size(); ++a)
      for (size_t b = 0; b < ranked.size(); ++b)
        if (decided.isBefore(a, b) && !order.require(a, b))
          return std::nullopt;
  if (!order.settle())
    return std::nullopt;
  return order.find();
}

void BranchBuilder::build(size_t stages, const Steps& kept, const std::vector<ChangedStep>& changed,
                          const Stage& stage, bool skipLast, std::vector<Branch>& out) const {
  std::vector<ChangedStep> steps = changed;
  Outcome outcome = outcomeOf(steps.back().event, steps);
  bool isExchange = steps.back().event.operation.kind == OperationKind::CompareExchange;
  if (isExchange)
    setWriting(steps, outcome == Outcome::Succeeds);
  const Steps& base =
      execution_.stages().size() > stages ? execution_.stages()[stages].before : execution_.all();
  auto ranked = rank(base, kept, static_cast<uint32_t>(stages), steps);
  for (const LinearOrder& order : ordersOf(ranked, steps)) {
    if (skipLast && isLast(order, ranked))
      continue;
    auto sequence = order.find();
    if (!sequence)
      continue;
    Writing writing = outcome == Outcome::Succeeds ? Writing::Required : Writing::Excluded;
    if (outcome == Outcome::Unknown)
      if (auto better = writeInstead(order, ranked, steps)) {
        sequence = better;
        writing = Writing::Any;
      }
    out.push_back(branchOf(*sequence, ranked, steps, stages, stage));
    expectWriting(steps, isExchange ? writing : Writing::Any, out.back());
  }
}

Branch BranchBuilder::branchOf(const std::vector<uint32_t>& sequence,
                               const std::vector<Ranked>& ranked,
                               const std::vector<ChangedStep>& changed, size_t stages,
                               const Stage& stage) const {
  Branch branch;
  for (uint32_t number : sequence) {
    const Event& event = eventOf(ranked[number].event, changed);
    branch.schedule.push_back({event.name.thread, event.operation.choice});
    branch.stageOf.push_back(ranked[number].stage);
  }
  for (size_t i = 0; i < stages; ++i)
    branch.stages.push_back(execution_.stages()[i].stage);
  branch.stages.push_back(stage);
  for (const ChangedStep& step : changed) {
    Expectation expectation{step.event.name, Writing::Any, {}};
    for (const DataAccess& access : step.event.data)
      if (access.reads)
        expectation.sources.push_back(
            access.source == kInitial ? kInitialValue : eventOf(access.source, changed).name);
    auto& sources = expectation.sources;
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    branch.expectations.push_back(std::move(expectation));
  }
  return branch;
}

std::vector<EventId> BranchBuilder::lastWriters(const Steps& base, const Steps& more) const {
  auto ranked = rank(base, more, 0xffffffff, {});
  LinearOrder order = orderOf(ranked, {});
  order.settle();
  auto sequence = order.find();
  std::vector<EventId> result(execution_.cells(), kInitial);
  if (!sequence)
    return result;
  auto last = explore::lastWriters(order, *sequence, execution_.cells());
  for (size_t cell = 0; cell < last.size(); ++cell)
    result[cell] =
        last[cell] == kInitial ? kInitial : ranked[static_cast<size_t>(last[cell])].event;
  return result;
}

namespace {

bool sameRange(const Operation& a, const Operation& b) {
  return a.address == b.address && a.size == b.size;
}

bool readsInitialValue(const Event& event) {
  return std::all_of(event.data.begin(), event.data.end(), [](const DataAccess& access) {
    return access.reads && access.source == kInitial;
  });
}

} // namespace

std::optional<uint64_t> BranchBuilder::initialValue(const Event& reader) const {
  for (const Event& event : execution_.events())
    if (isData(event.operation.kind) && event.operation.isObservedKnown &&
        sameRange(event.operation, reader.operation) && readsInitialValue(event))
      return event.operation.observed;
  return std::nullopt;
}

std::optional<uint64_t> BranchBuilder::valueFrom(EventId source, const Event& reader,
                                                 const std::vector<ChangedStep>& changed) const {
  if (source == kInitial)
    return initialValue(reader);
  const Event& writer = eventOf(source, changed);
  OperationKind kind = writer.operation.kind;
  bool settled = kind == OperationKind::Write || kind == OperationKind::CompareExchange ||
                 (kind == OperationKind::Update && source >= 0);
  if (!settled || !writer.operation.isValueKnown || !sameRange(writer.operation, reader.operation))
    return std::nullopt;
  return writer.operation.value;
}

Outcome BranchBuilder::outcomeOf(const Event& event,
                                 const std::vector<ChangedStep>& changed) const {
  if (event.operation.kind != OperationKind::CompareExchange)
    return Outcome::Succeeds;
  std::optional<EventId> source;
  for (const DataAccess& access : event.data) {
    if (!access.mayWrite)
      continue;
    if (source && *source != access.source)
      return Outcome::Unknown;
    source = access.source;
  }
  auto value = source ? valueFrom(*source, event, changed) : std::nullopt;
  if (!value)
    return Outcome::Unknown;
  return *value == event.operation.expected ? Outcome::Succeeds : Outcome::Fails;
}

} // namespace heddle::explore
