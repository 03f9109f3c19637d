#pragma once

#include "synth/plan.h"
#include "synth/recipe.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::synth {

/// How a generated test holds an object.
enum class Storage : uint8_t {
  Local,  ///< a variable or a reference
  Raw,    ///< a pointer
  Shared, ///< std::shared_ptr
  Unique, ///< std::unique_ptr
};

struct Variable {
  std::string name;
  Storage storage = Storage::Local;
  TypeId type = TypeId::None; ///< the static type: what may be called on it
};

/// The statements of a generated test: objects as the sequential tests made them, the set-up, and
/// the expressions of the two calls. What cannot be written is a problem in words, and then the
/// rest means nothing.
class TestBody {
public:
  TestBody(const SeedTrace& trace, const std::vector<CallSummary>& calls, const Plan& plan);

  const std::string& problem() const { return problem_; }
  /// Each with its indentation and a line feed.
  const std::vector<std::string>& objects() const { return objects_; }
  const std::vector<std::string>& setup() const { return setup_; }
  /// Threads that calls are held in, to be joined at the end.
  const std::vector<std::string>& heldThreads() const { return held_; }
  const std::string& side(size_t index) const { return sides_[index]; }
  bool sideReturns(size_t index) const;
  std::string nameOf(const Operand& operand) const;
  /// Calls without arguments of const members of the objects that the two calls are given: what
  /// can be seen of them afterwards.
  const std::vector<std::string>& observers() const { return observers_; }

private:
  using Key = std::pair<uint32_t, Address>; ///< collection, object

  std::vector<Value> foundIn(uint32_t collection) const;
  void makeCollection(uint32_t index, const std::set<uint32_t>& arguments);
  void makeClientObject(uint32_t collection, const Value& value);
  bool needsArguments(TypeId type) const;
  void repeat(uint32_t collection, const CallSummary& call, const std::set<Address>& usedLater);
  void addSetup(size_t step);
  void addObservers();
  std::string construct(const CallSummary& call, const std::string& arguments,
                        const Variable& made);
  std::string declareResult(const CallSummary& call, const std::string& expression,
                            const Variable& made);
  Variable resultVariable(const CallSummary& call, std::string name) const;
  std::string expression(const CallSummary& call, const std::vector<const Variable*>& operands);
  std::string argument(TypeId declared, const Value& value, const Variable* variable);
  std::string argumentList(const CallSummary& call, const std::vector<const Variable*>& operands);
  const Variable* find(uint32_t collection, const Value& value);
  const Variable* find(const Operand& operand);
  std::vector<const Variable*> variablesOf(const PlannedCall& call);
  std::string freshName(std::string wanted);
  std::string nameFor(uint32_t collection, const Value& value) const;
  Storage storageOf(uint32_t collection, Address object) const;
  void findStorage();
  void noteStorage(uint32_t collection, const CallSummary& call, size_t argument, Address object);
  void fail(const std::string& problem);

  const SeedTrace& trace_;
  const std::vector<CallSummary>& calls_;
  const Plan& plan_;
  std::string problem_;
  std::map<uint32_t, std::set<uint32_t>> live_; ///< collection -> values that the plan uses
  std::map<uint32_t, Recipe> recipes_;
  std::map<Key, Storage> storage_;
  std::map<Key, Variable> variables_;
  std::map<uint32_t, Variable> made_;
  std::map<uint32_t, Variable> globals_;
  std::set<std::string> names_;
  std::vector<std::string> objects_;
  std::vector<std::string> setup_;
  std::vector<std::string> held_;
  std::vector<std::string> observers_;
  std::array<std::string, 2> sides_;
};

} // namespace heddle::synth
