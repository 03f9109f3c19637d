#include "synth/test_body.h"

#include "synth/literals.h"

#include <algorithm>

namespace heddle::synth {

/// The values of collections that the plan's calls are given. The receiver of a constructor is
/// made by the call itself.
static std::map<uint32_t, std::set<uint32_t>>
liveValues(const SeedTrace& trace, const std::vector<CallSummary>& calls, const Plan& plan) {
  std::map<uint32_t, std::set<uint32_t>> live;
  auto add = [&](const PlannedCall& call) {
    bool constructs =
        trace.methods[raw(calls[raw(call.call)].method)].kind == MethodKind::Constructor;
    for (size_t i = constructs ? 1 : 0; i < call.operands.size(); ++i)
      if (call.operands[i].kind == Operand::Collected && isObject(calls, plan, call.operands[i]))
        live[call.operands[i].source].insert(call.operands[i].argument);
      else if (call.operands[i].kind == Operand::Found)
        live[call.operands[i].source];
  };
  for (const PlannedCall& step : plan.setup)
    add(step);
  for (const PlannedCall& side : plan.sides)
    add(side);
  return live;
}

TestBody::TestBody(const SeedTrace& trace, const std::vector<CallSummary>& calls, const Plan& plan)
    : trace_(trace), calls_(calls), plan_(plan), live_(liveValues(trace, calls, plan)) {
  for (const auto& [collection, arguments] : live_)
    recipes_[collection] =
        recipeFor(trace, calls, plan.collections[collection].call, arguments, foundIn(collection));
  findStorage();
  std::vector<uint32_t> order;
  for (const auto& [collection, arguments] : live_)
    order.push_back(collection);
  std::ranges::sort(order, {}, [&](uint32_t one) { return plan.collections[one].number; });
  for (uint32_t collection : order)
    makeCollection(collection, live_[collection]);
  for (size_t step = 0; step < plan.setup.size(); ++step)
    addSetup(step);
  for (size_t side = 0; side < 2; ++side)
    sides_[side] = expression(calls[raw(plan.sides[side].call)], variablesOf(plan.sides[side]));
  addObservers();
}

/// The objects of the collection that the plan uses although the collected call is not given them.
std::vector<Value> TestBody::foundIn(uint32_t collection) const {
  std::vector<Value> found;
  auto add = [&](const PlannedCall& call) {
    for (const Operand& operand : call.operands)
      if (operand.kind == Operand::Found && operand.source == collection)
        found.push_back(recordedValue(calls_, plan_, operand));
  };
  for (const PlannedCall& step : plan_.setup)
    add(step);
  for (const PlannedCall& side : plan_.sides)
    add(side);
  return found;
}

void TestBody::fail(const std::string& problem) {
  if (problem_.empty())
    problem_ = problem;
}

/// A parameter that takes a std::shared_ptr or std::unique_ptr decides how the object is held.
void TestBody::noteStorage(uint32_t collection, const CallSummary& call, size_t argument,
                           Address object) {
  const Method& method = trace_.methods[raw(call.method)];
  if (argument == 0 || argument > method.parameters.size())
    return;
  TypeKind kind = trace_.types[method.parameters[argument - 1]].kind;
  if (kind == TypeKind::SharedPointer)
    storage_[{collection, object}] = Storage::Shared;
  if (kind == TypeKind::UniquePointer)
    storage_[{collection, object}] = Storage::Unique;
}

void TestBody::findStorage() {
  for (const auto& [collection, recipe] : recipes_)
    for (CallId id : recipe.calls) {
      const CallSummary& call = calls_[raw(id)];
      for (size_t i = 0; i < call.values.size(); ++i)
        noteStorage(collection, call, i, call.values[i].object);
    }
  auto note = [&](const PlannedCall& planned) {
    for (size_t i = 0; i < planned.operands.size(); ++i)
      if (planned.operands[i].kind != Operand::Made)
        noteStorage(planned.operands[i].source, calls_[raw(planned.call)], i,
                    recordedValue(calls_, plan_, planned.operands[i]).object);
  };
  for (const PlannedCall& step : plan_.setup)
    note(step);
  for (const PlannedCall& side : plan_.sides)
    note(side);
  for (const CallSummary& call : calls_) // freed by the library: it was given away as a pointer
    for (const AccessPath& freed : call.freed)
      if (freed.root == RootKind::Argument && !freed.edges.empty() &&
          freed.index < call.values.size())
        if (auto edge = call.entryEdges.find({call.values[freed.index].object, freed.edges[0]});
            edge != call.entryEdges.end())
          for (const auto& [collection, recipe] : recipes_)
            storage_.emplace(Key{collection, edge->second}, Storage::Raw);
}

Storage TestBody::storageOf(uint32_t collection, Address object) const {
  auto found = storage_.find({collection, object});
  return found == storage_.end() ? Storage::Local : found->second;
}

std::string TestBody::freshName(std::string wanted) {
  std::string name = wanted;
  for (char letter = 'b'; !names_.insert(name).second; ++letter)
    name = wanted + letter;
  return name;
}

/// The plan's name for what the collected call is given; else the class and the number.
std::string TestBody::nameFor(uint32_t collection, const Value& value) const {
  const std::vector<Value>& values = calls_[raw(plan_.collections[collection].call)].values;
  for (uint32_t i : live_.at(collection))
    if (values[i].object == value.object)
      return operandName(trace_, calls_, plan_, {Operand::Collected, collection, i, CallId::None});
  return variableStem(trace_.types[value.type].name) +
         std::to_string(plan_.collections[collection].number);
}

const Variable* TestBody::find(uint32_t collection, const Value& value) {
  if (value.kind != ValueKind::Object)
    return nullptr;
  auto found = variables_.find({collection, value.object});
  if (found != variables_.end())
    return &found->second;
  for (uint32_t i = 0; i < trace_.globals.size(); ++i)
    if (trace_.globals[i].address == value.object && trace_.globals[i].isNameable)
      return &(globals_[i] = {trace_.globals[i].name, Storage::Local, trace_.globals[i].type});
  const std::string& type = trace_.types[value.type].name;
  bool isClients = std::ranges::any_of(recipes_[collection].clientObjects, [&](const Value& one) {
    return one.object == value.object;
  });
  if (isClients)
    fail("no recorded call makes the client's " + (type.empty() ? "object" : type));
  else
    fail("the client's " + type + " is a part of another object");
  return nullptr;
}

const Variable* TestBody::find(const Operand& operand) {
  if (operand.kind == Operand::Made)
    return &made_[operand.source];
  return find(operand.source, recordedValue(calls_, plan_, operand));
}

std::vector<const Variable*> TestBody::variablesOf(const PlannedCall& call) {
  bool constructs =
      trace_.methods[raw(calls_[raw(call.call)].method)].kind == MethodKind::Constructor;
  std::vector<const Variable*> variables;
  for (size_t i = 0; i < call.operands.size(); ++i)
    variables.push_back(i == 0 && constructs ? nullptr : find(call.operands[i]));
  return variables;
}

/// Whether the class has constructors of which none can be called without arguments.
bool TestBody::needsArguments(TypeId type) const {
  bool hasConstructor = false;
  for (const Method& method : trace_.methods)
    if (method.kind == MethodKind::Constructor && method.ownerClass == type) {
      if (method.parameters.empty())
        return false;
      // Copies and moves take one of its own, and come with every class.
      const Type& first = trace_.types[method.parameters.front()];
      hasConstructor |= method.parameters.size() > 1 || first.target != type;
    }
  return hasConstructor;
}

/// What a callback of the client is in a test: one that does nothing.
static std::string emptyCallback(const std::string& type) {
  size_t begin = std::string_view("std::function<").size();
  size_t end = type.find(" (", begin);
  if (!type.starts_with("std::function<") || end == std::string::npos)
    return "";
  std::string result = type.substr(begin, end - begin);
  if (result == "void")
    return "[](auto&&...) {}";
  return "[](auto&&...) -> " + result + " { return {}; }";
}

/// Where nobody knows how, there is no variable, and calls that need it cannot be written.
void TestBody::makeClientObject(uint32_t collection, const Value& value) {
  const Type& type = trace_.types[value.type];
  if (type.isAbstract || type.name.empty() || type.kind == TypeKind::Unknown ||
      type.name.find("lambda") != std::string::npos || needsArguments(value.type))
    return;
  Storage storage = storageOf(collection, value.object);
  Variable made{freshName(nameFor(collection, value)), storage, value.type};
  std::string statement = type.name + " " + made.name + "{" + emptyCallback(type.name) + "};";
  if (storage == Storage::Shared)
    statement = "auto " + made.name + " = std::make_shared<" + type.name + ">();";
  if (storage == Storage::Unique)
    statement = "auto " + made.name + " = std::make_unique<" + type.name + ">();";
  if (storage == Storage::Raw)
    statement = "auto* " + made.name + " = new " + type.name + "();";
  objects_.push_back("  " + statement + "\n");
  variables_[{collection, value.object}] = made;
}

static std::string placeText(const Place& place) {
  return place.file.empty() ? "" : " (" + place.file + ":" + std::to_string(place.line) + ")";
}

void TestBody::makeCollection(uint32_t index, const std::set<uint32_t>& arguments) {
  constexpr size_t most = 200;
  const Recipe& recipe = recipes_[index];
  if (recipe.calls.size() > most)
    return fail("its objects take " + std::to_string(recipe.calls.size()) + " calls to make");
  const CallSummary& call = calls_[raw(plan_.collections[index].call)];
  objects_.push_back("  // As \"" + call.test + "\" has them when it calls " +
                     trace_.methods[raw(call.method)].qualifiedName + placeText(call.place) +
                     ".\n");
  for (const Value& value : recipe.clientObjects)
    makeClientObject(index, value);
  std::set<Address> used;
  for (uint32_t argument : arguments)
    used.insert(call.values[argument].object);
  for (const Value& value : foundIn(index))
    used.insert(value.object);
  std::vector<std::set<Address>> usedLater;
  for (auto made = recipe.calls.rbegin(); made != recipe.calls.rend(); ++made) {
    usedLater.push_back(used);
    for (const Value& value : calls_[raw(*made)].values)
      used.insert(value.object);
  }
  for (size_t i = 0; i < recipe.calls.size(); ++i)
    repeat(index, calls_[raw(recipe.calls[i])], usedLater[recipe.calls.size() - 1 - i]);
}

void TestBody::repeat(uint32_t collection, const CallSummary& call,
                      const std::set<Address>& usedLater) {
  const Method& method = trace_.methods[raw(call.method)];
  bool constructs = method.kind == MethodKind::Constructor;
  bool gives = constructs ||
               (call.result.kind == ValueKind::Object && usedLater.contains(call.result.object) &&
                !variables_.contains({collection, call.result.object}));
  std::string before = problem_;
  std::vector<const Variable*> operands;
  for (size_t i = 0; i < call.values.size(); ++i)
    operands.push_back(i == 0 && constructs ? nullptr : find(collection, call.values[i]));
  if (!gives && before.empty()) { // only the state of objects depends on it
    expression(call, operands);
    if (!problem_.empty()) {
      objects_.push_back("  // Left out: " + method.qualifiedName + ", " + problem_ + ".\n");
      problem_.clear();
      return;
    }
  }
  std::string statement;
  if (constructs) {
    const Value& value = call.values.front();
    Variable made{freshName(nameFor(collection, value)), storageOf(collection, value.object),
                  value.type};
    statement = construct(call, argumentList(call, operands), made);
    variables_[{collection, value.object}] = made;
  } else {
    statement = expression(call, operands) + ";";
    if (gives) {
      Variable made = resultVariable(call, freshName(nameFor(collection, call.result)));
      statement = declareResult(call, expression(call, operands), made);
      variables_[{collection, call.result.object}] = made;
    }
  }
  if (call.threw)
    statement = "try { " + statement + " } catch (...) {}";
  objects_.push_back("  " + statement + "\n");
}

std::string TestBody::construct(const CallSummary& call, const std::string& arguments,
                                const Variable& made) {
  const std::string& type = trace_.types[call.values.front().type].name;
  switch (made.storage) {
  case Storage::Local:
    return type + " " + made.name + (arguments.empty() ? "" : "(" + arguments + ")") + ";";
  case Storage::Raw:
    return "auto* " + made.name + " = new " + type + "(" + arguments + ");";
  case Storage::Shared:
    return "auto " + made.name + " = std::make_shared<" + type + ">(" + arguments + ");";
  case Storage::Unique:
    return "auto " + made.name + " = std::make_unique<" + type + ">(" + arguments + ");";
  }
  return "";
}

Variable TestBody::resultVariable(const CallSummary& call, std::string name) const {
  const Method& method = trace_.methods[raw(call.method)];
  const Type& declared = trace_.types[method.result];
  Variable made{std::move(name), Storage::Local, declared.target};
  switch (declared.kind) {
  case TypeKind::Pointer:
    made.storage = Storage::Raw;
    return made;
  case TypeKind::SharedPointer:
    made.storage = Storage::Shared;
    return made;
  case TypeKind::UniquePointer:
    made.storage = Storage::Unique;
    return made;
  case TypeKind::Reference:
  case TypeKind::RvalueReference:
    return made;
  default:
    made.type = method.result;
    return made;
  }
}

std::string TestBody::declareResult(const CallSummary& call, const std::string& expression,
                                    const Variable& made) {
  TypeKind kind = trace_.types[trace_.methods[raw(call.method)].result].kind;
  std::string type = "auto ";
  if (kind == TypeKind::Pointer)
    type = "auto* ";
  if (kind == TypeKind::Reference)
    type = "auto& ";
  return type + made.name + " = " + expression + ";";
}

static bool isPointerLike(const Variable& variable) { return variable.storage != Storage::Local; }

std::string TestBody::argument(TypeId declared, const Value& value, const Variable* variable) {
  const Type& type = trace_.types[declared];
  if (value.kind == ValueKind::Opaque) {
    bool isValue = type.kind == TypeKind::Class && type.name.find("lambda") == std::string::npos;
    if (!isValue || type.name.empty() || needsArguments(declared))
      fail("an argument cannot be written down: " + value.text);
    return type.name + "{}";
  }
  if (value.kind != ValueKind::Object)
    return literal(trace_.types, value).value_or("");
  if (!variable)
    return "";
  TypeId wanted = isEdge(type.kind) ? type.target : declared;
  if (wanted != TypeId::None && !trace_.types.isA(variable->type, wanted))
    fail("the client reaches the " + trace_.types[wanted].name + " through a cast");
  std::string object = (isPointerLike(*variable) ? "*" : "") + variable->name;
  switch (type.kind) {
  case TypeKind::Pointer:
    if (variable->storage == Storage::Raw)
      return variable->name;
    return variable->storage == Storage::Local ? "&" + variable->name : variable->name + ".get()";
  case TypeKind::SharedPointer:
    if (variable->storage != Storage::Shared)
      fail("a " + type.name + " is asked for that the client does not hold as one");
    return variable->name;
  case TypeKind::UniquePointer:
    if (variable->storage != Storage::Unique)
      fail("a " + type.name + " is asked for that the client does not hold as one");
    return "std::move(" + variable->name + ")";
  case TypeKind::RvalueReference:
    return "std::move(" + object + ")";
  default:
    return object;
  }
}

std::string TestBody::argumentList(const CallSummary& call,
                                   const std::vector<const Variable*>& operands) {
  const Method& method = trace_.methods[raw(call.method)];
  std::string text;
  for (size_t i = 1; i < call.values.size(); ++i) {
    TypeId declared = i <= method.parameters.size() ? method.parameters[i - 1] : TypeId::None;
    text += (i > 1 ? ", " : "") + argument(declared, call.values[i], operands[i]);
  }
  return text;
}

std::string TestBody::expression(const CallSummary& call,
                                 const std::vector<const Variable*>& operands) {
  const Method& method = trace_.methods[raw(call.method)];
  std::string arguments = "(" + argumentList(call, operands) + ")";
  switch (method.kind) {
  case MethodKind::Free:
    return method.qualifiedName + arguments;
  case MethodKind::Constructor:
    return trace_.types[method.ownerClass].name + arguments;
  case MethodKind::Destructor:
    fail("a destructor cannot be called");
    return "";
  case MethodKind::Member:
    break;
  }
  if (operands.empty() || !operands.front())
    return "";
  const Variable& receiver = *operands.front();
  if (!trace_.types.isA(receiver.type, method.ownerClass))
    fail("the client reaches the " + trace_.types[method.ownerClass].name + " through a cast");
  return receiver.name + (isPointerLike(receiver) ? "->" : ".") + method.name + arguments;
}

void TestBody::addSetup(size_t step) {
  const PlannedCall& planned = plan_.setup[step];
  const CallSummary& call = calls_[raw(planned.call)];
  const Method& method = trace_.methods[raw(call.method)];
  std::vector<const Variable*> operands = variablesOf(planned);
  auto index = static_cast<uint32_t>(step);
  std::string name = nameOf({Operand::Made, index, 0, CallId::None});
  if (planned.heldAt != Label::None) {
    held_.push_back("held" + std::to_string(held_.size() + 1));
    setup_.push_back("  std::thread " + held_.back() + "([&] { " + expression(call, operands) +
                     "; });\n");
    return;
  }
  if (method.kind == MethodKind::Constructor) {
    made_[index] = {freshName(name), Storage::Local, call.values.front().type};
    setup_.push_back("  " + construct(call, argumentList(call, operands), made_[index]) + "\n");
    return;
  }
  std::string text = expression(call, operands);
  auto uses = [&](const PlannedCall& later) {
    return std::ranges::find(later.operands, Operand{Operand::Made, index, 0, CallId::None}) !=
           later.operands.end();
  };
  bool isUsed = std::ranges::any_of(plan_.setup, uses) || std::ranges::any_of(plan_.sides, uses);
  if (!isUsed) {
    setup_.push_back("  " + text + ";\n");
    return;
  }
  made_[index] = resultVariable(call, freshName(name));
  setup_.push_back("  " + declareResult(call, text, made_[index]) + "\n");
}

bool TestBody::sideReturns(size_t index) const {
  TypeId result = trace_.methods[raw(calls_[raw(plan_.sides[index].call)].method)].result;
  return result != TypeId::None && trace_.types[result].kind != TypeKind::Void;
}

std::string TestBody::nameOf(const Operand& operand) const {
  return operandName(trace_, calls_, plan_, operand);
}

void TestBody::addObservers() {
  std::set<std::string> seen;
  for (const PlannedCall& side : plan_.sides)
    for (const Variable* variable : variablesOf(side))
      for (const Method& method : trace_.methods)
        if (variable && method.kind == MethodKind::Member && method.isConst && method.isPublic &&
            method.parameters.empty() && method.result != TypeId::None &&
            trace_.types.isA(variable->type, method.ownerClass) &&
            variable->storage != Storage::Unique) {
          std::string call =
              variable->name + (isPointerLike(*variable) ? "->" : ".") + method.name + "()";
          if (seen.insert(call).second)
            observers_.push_back(call);
        }
}

} // namespace heddle::synth
