#include "synth/recipe.h"

#include <algorithm>

namespace heddle::synth {

namespace {

class Slice {
public:
  Slice(const SeedTrace& trace, const std::vector<CallSummary>& calls)
      : trace_(trace), calls_(calls) {}

  void want(const Value& value) {
    if (value.kind == ValueKind::Object && !isGlobal(value.object))
      wanted_.emplace(value.object, value);
  }

  void useGlobals(const CallSummary& call) {
    globals_.insert(call.globals.begin(), call.globals.end());
  }

  void goBack(const CallSummary& from) {
    for (size_t i = raw(from.call); i-- > 0 && calls_[i].test == from.test;)
      visit(calls_[i]);
  }

  Recipe take() {
    std::ranges::reverse(recipe_.calls);
    for (const auto& [address, value] : wanted_)
      recipe_.clientObjects.push_back(value);
    return std::move(recipe_);
  }

private:
  bool isGlobal(Address address) const {
    return std::ranges::any_of(trace_.globals, [&](const GlobalObject& one) {
      return one.isNameable && one.address <= address && raw(address) < raw(one.address) + one.size;
    });
  }

  bool concerns(const CallSummary& call) const {
    auto isWanted = [&](const Value& value) {
      return value.kind == ValueKind::Object && wanted_.contains(value.object);
    };
    bool changesState = std::ranges::any_of(
        call.writtenGlobals, [&](uint32_t global) { return globals_.contains(global); });
    return changesState || isWanted(call.result) || std::ranges::any_of(call.values, isWanted);
  }

  bool areRelated(TypeId one, TypeId other) const {
    return trace_.types.isA(one, other) || trace_.types.isA(other, one);
  }

  /// Another object was at the address before: the wanted one began later, without the library.
  void settle(const CallSummary& call) {
    bool destroys = trace_.methods[raw(call.method)].kind == MethodKind::Destructor;
    for (size_t i = 0; i < call.values.size(); ++i) {
      auto found = wanted_.find(call.values[i].object);
      if (call.values[i].kind != ValueKind::Object || found == wanted_.end())
        continue;
      if (areRelated(call.values[i].type, found->second.type) && !(destroys && i == 0))
        continue;
      recipe_.clientObjects.push_back(found->second);
      wanted_.erase(found);
    }
  }

  /// A class of the client begins with a base class of the library: its constructor is a part of
  /// the client's, and makes no object.
  bool beginsBase(const CallSummary& call) const {
    const Method& method = trace_.methods[raw(call.method)];
    if (method.kind != MethodKind::Constructor)
      return false;
    auto found = wanted_.find(call.values.front().object);
    return found != wanted_.end() && found->second.type != method.ownerClass &&
           trace_.types.isA(found->second.type, method.ownerClass);
  }

  void visit(const CallSummary& call) {
    const Method& method = trace_.methods[raw(call.method)];
    settle(call);
    if (method.kind == MethodKind::Destructor || !concerns(call) || beginsBase(call))
      return;
    recipe_.calls.push_back(call.call);
    useGlobals(call);
    if (call.result.kind == ValueKind::Object)
      wanted_.erase(call.result.object); // the call gives it: what was at the address is another
    for (const Value& value : call.values)
      want(value);
    if (method.kind == MethodKind::Constructor)
      wanted_.erase(call.values.front().object);
  }

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  Recipe recipe_;
  std::map<Address, Value> wanted_; ///< objects that an earlier call has to make
  std::set<uint32_t> globals_;      ///< whose state matters
};

} // namespace

Recipe recipeFor(const SeedTrace& trace, const std::vector<CallSummary>& calls, CallId call,
                 const std::set<uint32_t>& arguments, const std::vector<Value>& found) {
  Slice slice(trace, calls);
  const CallSummary& collected = calls[raw(call)];
  for (uint32_t argument : arguments)
    slice.want(collected.values[argument]);
  for (const Value& value : found)
    slice.want(value);
  slice.useGlobals(collected);
  slice.goBack(collected);
  return slice.take();
}

} // namespace heddle::synth
