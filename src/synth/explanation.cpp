#include "synth/explanation.h"

#include <algorithm>
#include <set>

namespace heddle::synth {

namespace {

class Explainer {
public:
  Explainer(const SeedTrace& trace, const std::vector<CallSummary>& calls,
            const SynthesizedTest& test, const TestBody& body)
      : trace_(trace), calls_(calls), test_(test), body_(body) {}

  std::vector<std::string> sentences() {
    if (test_.aim == Aim::Random)
      add("Chance: any two calls on one object, after calls that give it some state.");
    for (const RacingPair& pair : test_.pairs) {
      if (test_.aim == Aim::Outcome) {
        addOutcome(pair);
        continue;
      }
      add("Race on " + pair.member + ": " + sideText(pair, 0) + ", " + sideText(pair, 1) + ".");
      add(lockSentence(pair));
    }
    for (const PlannedCall& step : test_.plan.setup)
      addStep(step);
    return std::move(sentences_);
  }

private:
  void add(const std::string& sentence) {
    if (seen_.insert(sentence).second)
      sentences_.push_back(sentence);
  }

  void addOutcome(const RacingPair& pair) {
    add("Outcome: " + methodOf(test_.plan.sides[0]).qualifiedName +
        " takes several steps, each by itself protected; " +
        methodOf(test_.plan.sides[1]).qualifiedName + " can come in between.");
    add("Both use " + pair.member + ": " + sideText(pair, 0) + ", " + sideText(pair, 1) + ".");
  }

  const CallSummary& callOf(const PlannedCall& planned) const { return calls_[raw(planned.call)]; }
  /// As its own call made it: pairs of a test may come from several calls of one method.
  const Access& accessOf(const RaceSide& side) const {
    return calls_[raw(side.call)].accesses[side.access];
  }
  const Method& methodOf(const PlannedCall& planned) const {
    return trace_.methods[raw(callOf(planned).method)];
  }

  /// A path of a call, with the test's names.
  std::string pathText(const PlannedCall& planned, const AccessPath& path) const {
    std::string text = path.text();
    if (path.root == RootKind::Global)
      text = trace_.globals[path.index].name;
    else if (path.root == RootKind::Argument && path.index < planned.operands.size())
      text = body_.nameOf(planned.operands[path.index]);
    else
      return text;
    for (const std::string& edge : path.edges)
      text += "." + edge;
    return text;
  }

  std::string memberText(const PlannedCall& planned, const MemberPath& path) const {
    std::string owner = pathText(planned, path.object);
    if (!path.object.isKnown())
      return "a lock that only this call has";
    return path.member.path.empty() ? "*" + owner : owner + "." + path.member.path;
  }

  std::string sideText(const RacingPair& pair, size_t side) const {
    const PlannedCall& planned = test_.plan.sides[side];
    const Access& access = accessOf(pair.sides[side]);
    std::string text = methodOf(planned).qualifiedName;
    text += access.isWrite ? " writes " : " reads ";
    text += memberText(planned, {pair.sides[side].owner, access.member});
    if (!access.place.file.empty())
      text += " (" + access.place.file + ":" + std::to_string(access.place.line) + ")";
    return text;
  }

  std::string heldText(const RacingPair& pair, size_t side) const {
    const PlannedCall& planned = test_.plan.sides[side];
    std::set<std::string> locks;
    for (const HeldLock& held : accessOf(pair.sides[side]).locks)
      locks.insert(memberText(planned, held.path) + (held.shared ? " (for reading)" : ""));
    std::string text = locks.empty() ? "no lock" : "";
    for (const std::string& lock : locks)
      text += (text.empty() ? "" : ", ") + lock;
    return text;
  }

  std::string lockSentence(const RacingPair& pair) const {
    std::string first = heldText(pair, 0);
    std::string second = heldText(pair, 1);
    if (first == second && first == "no lock")
      return "Neither holds a lock.";
    return "The first holds " + first + ", the second " + second +
           ": nothing that both would wait for.";
  }

  void addStep(const PlannedCall& step) {
    const Method& method = methodOf(step);
    std::string text = "Set-up: " + method.qualifiedName;
    for (const Placement& placement : callOf(step).placements) {
      if (placement.source.root != RootKind::Argument || placement.target.root == RootKind::Global)
        continue;
      std::string target = placement.target.root == RootKind::Result
                               ? resultText(step, placement.target)
                               : pathText(step, placement.target);
      add(text + " makes " + target + " the object " + pathText(step, placement.source) +
          (step.heldAt == Label::None ? "." : ", and is held there before it undoes that."));
    }
  }

  std::string resultText(const PlannedCall& step, const AccessPath& path) const {
    auto index = static_cast<uint32_t>(&step - test_.plan.setup.data());
    std::string text = body_.nameOf({Operand::Made, index, 0, CallId::None});
    for (const std::string& edge : path.edges)
      text += "." + edge;
    return text;
  }

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  const SynthesizedTest& test_;
  const TestBody& body_;
  std::vector<std::string> sentences_;
  std::set<std::string> seen_;
};

} // namespace

std::vector<std::string> explain(const SeedTrace& trace, const std::vector<CallSummary>& calls,
                                 const SynthesizedTest& test, const TestBody& body) {
  return Explainer(trace, calls, test, body).sentences();
}

} // namespace heddle::synth
