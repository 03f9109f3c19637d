#include "synth/random_tests.h"

#include <map>
#include <random>
#include <utility>

namespace heddle::synth {
namespace {

constexpr size_t kMostPrefix = 2;
constexpr size_t kAttemptsPerTest = 20; ///< small classes have few different tests

class RandomTests {
public:
  RandomTests(const SeedTrace& trace, const std::vector<CallSummary>& calls,
              const RandomRequest& request)
      : trace_(trace), calls_(calls), request_(request), numbers_(request.seed) {
    for (const CallSummary& call : calls) {
      const Method& method = trace.methods[raw(call.method)];
      bool isWanted =
          request.classes.empty() || request.classes.contains(trace.types[method.ownerClass].name);
      if (method.kind == MethodKind::Member && isWanted && !call.values.empty() &&
          call.values[0].kind == ValueKind::Object)
        methods_[call.values[0].type][call.method].push_back(call.call);
    }
  }

  std::vector<Plan> make() {
    std::vector<Plan> plans;
    std::set<std::string> texts;
    size_t attempts = methods_.empty() ? 0 : request_.count * kAttemptsPerTest;
    for (size_t i = 0; i < attempts && plans.size() < request_.count; ++i) {
      Plan plan = randomPlan();
      if (texts.insert(planText(trace_, calls_, plan)).second)
        plans.push_back(std::move(plan));
    }
    return plans;
  }

private:
  size_t below(size_t limit) { return numbers_() % limit; }

  template <typename Map> const auto& anyOf(const Map& map) {
    auto found = map.begin();
    std::advance(found, static_cast<long>(below(map.size())));
    return found->second;
  }

  CallId randomCall(const std::map<MethodId, std::vector<CallId>>& methods) {
    const std::vector<CallId>& calls = anyOf(methods);
    return calls[below(calls.size())];
  }

  /// The recorded call with arguments of its own, on the object of the first collection.
  PlannedCall callOn(Plan& plan, CallId call, uint32_t number) {
    plan.collections.push_back({call, number});
    auto collection = static_cast<uint32_t>(plan.collections.size() - 1);
    PlannedCall planned{call, {}, Label::None};
    for (uint32_t i = 0; i < calls_[raw(call)].values.size(); ++i)
      planned.operands.push_back({Operand::Collected, i == 0 ? 0 : collection, i, CallId::None});
    return planned;
  }

  Plan randomPlan() {
    const auto& methods = anyOf(methods_);
    Plan plan;
    size_t steps = below(kMostPrefix + 1);
    auto number = static_cast<uint32_t>(steps);
    plan.sides[0] = callOn(plan, randomCall(methods), number + 1);
    plan.sides[1] = callOn(plan, randomCall(methods), number + 2);
    for (uint32_t i = 0; i < number; ++i)
      plan.setup.push_back(callOn(plan, randomCall(methods), i + 1));
    return plan;
  }

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  const RandomRequest& request_;
  std::mt19937_64 numbers_;
  std::map<TypeId, std::map<MethodId, std::vector<CallId>>> methods_; ///< by the receiver's class
};

} // namespace

std::vector<Plan> randomTests(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                              const RandomRequest& request) {
  return RandomTests(trace, calls, request).make();
}

} // namespace heddle::synth
