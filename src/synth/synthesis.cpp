#include "synth/synthesis.h"

#include "synth/call_analysis.h"
#include "synth/context.h"
#include "synth/random_tests.h"
#include "synth/torn_calls.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace heddle::synth {

namespace {

/// Whether the call only looks at what the operand is: the promise that std makes for const.
bool onlyLooks(const SeedTrace& trace, const Method& method, size_t argument) {
  if (argument == 0)
    return method.isConst;
  const Type& declared = trace.types[method.parameters[argument - 1]];
  return !isEdge(declared.kind) || declared.constTarget;
}

bool looksThreadSafe(const TypeTable& types, TypeId type, size_t depth) {
  constexpr size_t mostDepth = 4;
  const Type& one = types[type];
  if (one.kind == TypeKind::Lock || one.name.starts_with("std::atomic"))
    return true;
  if (depth > mostDepth || one.kind != TypeKind::Class)
    return false;
  return std::ranges::any_of(
             one.bases,
             [&](const Field& base) { return looksThreadSafe(types, base.type, depth + 1); }) ||
         std::ranges::any_of(one.fields, [&](const Field& field) {
           const Type& declared = types[field.type];
           if (isEdge(declared.kind))
             return types[declared.target].kind == TypeKind::Lock;
           return looksThreadSafe(types, field.type, depth + 1);
         });
}

/// Whether both threads are given one object that one of them may change, and that the contract
/// does not let two threads use then.
bool breaksContract(const SeedTrace& trace, const std::vector<CallSummary>& calls, const Plan& plan,
                    Contract contract) {
  if (contract == Contract::ThreadSafe)
    return false;
  auto methodOf = [&](size_t side) -> const Method& {
    return trace.methods[raw(calls[raw(plan.sides[side].call)].method)];
  };
  for (size_t i = 0; i < plan.sides[0].operands.size(); ++i)
    for (size_t j = 0; j < plan.sides[1].operands.size(); ++j)
      if (plan.sides[0].operands[i] == plan.sides[1].operands[j] &&
          isObject(calls, plan, plan.sides[0].operands[i]) &&
          !(contract == Contract::AsItLooks &&
            looksThreadSafe(trace.types, calls[raw(plan.sides[0].call)].values[i].type)) &&
          !(onlyLooks(trace, methodOf(0), i) && onlyLooks(trace, methodOf(1), j)))
        return true;
  return false;
}

class Synthesizer {
public:
  Synthesizer(const SeedTrace& trace, const SynthesisOptions& options, Synthesis& out)
      : trace_(trace), options_(options), out_(out), contexts_(trace, out.calls) {}

  void add(const RacingPair& pair) {
    if (!isWanted(pair))
      return;
    out_.pairs.push_back(pair);
    ClassSynthesis& ofClass = out_.classes[className(pair)];
    ++ofClass.pairs;
    std::string reason;
    auto begin = std::chrono::steady_clock::now();
    std::optional<Plan> plan = choose(pair, reason);
    ofClass.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!plan) {
      out_.skipped.push_back({pair, reason});
      return;
    }
    SynthesizedTest& test = testFor(std::move(*plan), pair, ofClass);
    test.pairs.push_back(pair);
  }

  /// A test that only its outcome can make a finding, unless there is one of the same calls.
  void addForOutcome(const RacingPair& pair) {
    if (!isWanted(pair))
      return;
    for (Plan& plan : contexts_.derive(pair)) {
      if (!judgePlan(trace_, out_.calls, plan, pair).shares ||
          breaksContract(trace_, out_.calls, plan, options_.contract))
        continue;
      std::string text = planText(trace_, out_.calls, plan);
      if (byText_.emplace(text, out_.tests.size()).second) {
        out_.tests.push_back({std::move(plan), {pair}, text, Aim::Outcome});
        ++out_.classes[className(pair)].tests;
      }
      return;
    }
  }

private:
  /// The test of the same calls in which both accesses are made, or a new one: calls that read the
  /// same may have met objects in other states.
  SynthesizedTest& testFor(Plan plan, const RacingPair& pair, ClassSynthesis& ofClass) {
    std::string text = planText(trace_, out_.calls, plan);
    std::string key = text;
    for (size_t state = 2;; ++state) {
      auto [found, isNew] = byText_.emplace(key, out_.tests.size());
      if (isNew) {
        ++ofClass.tests;
        return out_.tests.emplace_back(SynthesizedTest{std::move(plan), {}, key, Aim::Race});
      }
      if (makes(out_.tests[found->second].plan, pair))
        return out_.tests[found->second];
      key = text + " (state " + std::to_string(state) + ")";
    }
  }

  bool makes(const Plan& plan, const RacingPair& pair) const {
    auto makesSide = [&](size_t side) {
      const Access& wanted =
          out_.calls[raw(pair.sides[side].call)].accesses[pair.sides[side].access];
      const CallSummary& call = out_.calls[raw(plan.sides[side].call)];
      return std::ranges::any_of(call.accesses, [&](const Access& one) {
        return one.place == wanted.place && one.isWrite == wanted.isWrite &&
               one.member.name() == wanted.member.name();
      });
    };
    return makesSide(0) && makesSide(1);
  }

  std::string className(const RacingPair& pair) const {
    const Method& method = trace_.methods[raw(out_.calls[raw(pair.sides[0].call)].method)];
    return trace_.types[method.ownerClass].name;
  }

  bool isWanted(const RacingPair& pair) const {
    return options_.classes.empty() || std::ranges::any_of(pair.sides, [&](const RaceSide& side) {
             const Method& method = trace_.methods[raw(out_.calls[raw(side.call)].method)];
             return options_.classes.contains(trace_.types[method.ownerClass].name);
           });
  }

  /// The first context that holds; else why there is none.
  std::optional<Plan> choose(const RacingPair& pair, std::string& reason) const {
    std::set<std::string> locks;
    for (Plan& plan : contexts_.derive(pair)) {
      PlanVerdict verdict = judgePlan(trace_, out_.calls, plan, pair);
      if (!verdict.isRace()) {
        if (verdict.shares)
          locks.insert(verdict.commonLocks.begin(), verdict.commonLocks.end());
        continue;
      }
      if (breaksContract(trace_, out_.calls, plan, options_.contract)) {
        reason = "the basic contract asks callers to synchronize it";
        continue;
      }
      return std::move(plan);
    }
    if (reason.empty())
      reason = locks.empty() ? obstacle(pair) : lockReason(locks);
    return std::nullopt;
  }

  static std::string lockReason(const std::set<std::string>& locks) {
    std::string text = "both hold ";
    for (const std::string& lock : locks)
      text += (lock == *locks.begin() ? "" : ", ") + lock;
    return text;
  }

  std::string obstacle(const RacingPair& pair) const {
    bool second = pair.sides[0].owner.edges.empty() && !pair.sides[1].owner.edges.empty();
    return contexts_.obstacle(pair.sides[second ? 1 : 0]);
  }

  const SeedTrace& trace_;
  const SynthesisOptions& options_;
  Synthesis& out_;
  ContextDeriver contexts_;
  std::map<std::string, size_t> byText_;
};

void listMethods(const SeedTrace& trace, Synthesis& out) {
  std::set<MethodId> called;
  std::set<TypeId> classes; // those that the tests use, and not what these are made of
  for (const CallSummary& call : out.calls) {
    called.insert(call.method);
    classes.insert(trace.methods[raw(call.method)].ownerClass);
  }
  for (uint32_t i = 0; i < trace.methods.size(); ++i) {
    const Method& method = trace.methods[i];
    if (called.contains(static_cast<MethodId>(i))) {
      out.methods.push_back(method.signature);
      if (method.kind != MethodKind::Destructor)
        ++out.classes[trace.types[method.ownerClass].name].methods;
    } else if (classes.contains(method.ownerClass) && method.isPublic &&
               method.kind != MethodKind::Destructor)
      out.uncalledMethods.push_back(method.signature);
  }
  std::ranges::sort(out.methods);
  std::ranges::sort(out.uncalledMethods);
}

/// The baseline with the same budget: as many tests as the analysis gives.
void replaceByChance(const SeedTrace& trace, const SynthesisOptions& options, Synthesis& out) {
  size_t count = out.tests.size();
  out.pairs.clear();
  out.skipped.clear();
  out.tests.clear();
  for (auto& [name, one] : out.classes)
    one.pairs = one.tests = 0;
  for (Plan& plan : randomTests(trace, out.calls, {options.classes, count})) {
    if (breaksContract(trace, out.calls, plan, options.contract))
      continue;
    const Method& method = trace.methods[raw(out.calls[raw(plan.sides[0].call)].method)];
    ++out.classes[trace.types[method.ownerClass].name].tests;
    std::string text = planText(trace, out.calls, plan);
    out.tests.push_back({std::move(plan), {}, text, Aim::Random});
  }
}

} // namespace

bool looksThreadSafe(const TypeTable& types, TypeId type) {
  return looksThreadSafe(types, type, 0);
}

Synthesis synthesize(const SeedTrace& trace, const SynthesisOptions& options) {
  Synthesis out;
  out.calls = analyseCalls(trace);
  listMethods(trace, out);
  Synthesizer synthesizer(trace, options, out);
  for (const RacingPair& pair : racingPairs(trace, out.calls))
    synthesizer.add(pair);
  if (options.outcomes)
    for (const RacingPair& pair : tornPairs(trace, out.calls))
      synthesizer.addForOutcome(pair);
  if (options.random)
    replaceByChance(trace, options, out);
  return out;
}

} // namespace heddle::synth
