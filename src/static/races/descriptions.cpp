#include "static/races/descriptions.h"

#include "model/site_catalog.h"
#include "static/ir/object_types.h"
#include "static/ir/standard_library.h"
#include "static/program/harness.h"
#include "static/program/openmp.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::analysis {

namespace {

constexpr size_t kLongName = 120;

/// "std::vector<int, std::allocator<int> >::size()" as "std::vector<…>::size()".
std::string withoutTemplateArguments(StringRef name) {
  std::string shown;
  unsigned depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    bool isOperator =
        StringRef(shown).ends_with("operator") || StringRef(shown).ends_with("operator<");
    if (name[i] == '<' && (depth > 0 || !isOperator)) {
      if (depth++ == 0)
        shown += "<…>";
    } else if (name[i] == '>' && depth > 0 && name[i - 1] != '-')
      --depth;
    else if (depth == 0)
      shown += name[i];
  }
  return shown;
}

std::string functionName(const Function& function) {
  if (function.getName().starts_with(kClientPrefix))
    return function.getName().str();
  // Code of a pragma is the function's that has it; that of a task has no other name.
  StringRef linkage = withoutOutlining(function.getName());
  if (linkage.starts_with(".omp_"))
    return "a task";
  std::string name = demangle(linkage.str());
  return name.size() > kLongName && isLibrary(function) ? withoutTemplateArguments(name) : name;
}

} // namespace

heddle::Location locate(const Instruction& instruction) {
  heddle::Location location;
  location.function = functionName(*instruction.getFunction());
  if (const DILocation* debug = instruction.getDebugLoc()) {
    location.file = debug->getFilename().str();
    location.line = debug->getLine();
    location.column = debug->getColumn();
  }
  return location;
}

const Instruction& Descriptions::shown(const Instruction& at, uint32_t activation) const {
  const CallBase* call = analyses_.activations.all()[activation].userCall;
  return call ? *call : at;
}

Stack Descriptions::callPath(const Instruction& at, uint32_t activation) const {
  Stack stack{locate(at)};
  auto all = analyses_.activations.all();
  for (uint32_t index = activation; all[index].call; index = all[index].parent)
    if (!isOutlining(*all[index].call->getFunction()))
      stack.push_back(locate(*all[index].call));
  return stack;
}

std::vector<Stack> Descriptions::callPaths(const Instruction& at, uint32_t activation,
                                           size_t most) const {
  std::vector<Stack> found;
  auto all = analyses_.activations.all();
  SmallVector<uint32_t, 16> inside; // recursion is shown once
  Stack stack{locate(at)};
  auto climb = [&](auto& self, uint32_t index) -> void {
    if (found.size() >= most || is_contained(inside, index))
      return;
    if (!all[index].call) {
      found.push_back(stack);
      return;
    }
    inside.push_back(index);
    auto go = [&](uint32_t caller, const CallBase& call) {
      bool shown = !isOutlining(*call.getFunction());
      if (shown)
        stack.push_back(locate(call));
      self(self, caller);
      if (shown)
        stack.pop_back();
    };
    go(all[index].parent, *all[index].call);
    for (const Activations::Caller& other : analyses_.activations.otherCallers(index))
      if (other.call)
        go(other.activation, *other.call);
    inside.pop_back();
  };
  climb(climb, activation);
  return found;
}

std::string Descriptions::lockName(const HeldLock& lock) const {
  std::string name = lock.location == LocationId::None ? "a lock" : objectName(lock.location);
  return lock.exclusive ? name : name + " for reading";
}

std::vector<std::string> Descriptions::lockNames(LockSetId locks) const {
  std::vector<std::string> names;
  for (const HeldLock& lock : analyses_.activations.lockSet(locks))
    if (!lock.handOver)
      names.push_back(lockName(lock));
  return names;
}

namespace {

/// The class inside what std::make_shared allocates.
const DIType* sharedClass(const DICompositeType& type) {
  auto parameters = type.getTemplateParams();
  if (!isSharedBlock(type) || parameters.empty())
    return nullptr;
  auto* first = dyn_cast<DITemplateTypeParameter>(parameters[0]);
  return first ? strippedType(first->getType()) : nullptr;
}
constexpr uint64_t kSharedOffset = 16; // after the counts

/// The member at an offset of a class, down to what a library's classes are made of.
struct Member {
  const DIType* owner = nullptr;
  std::string name; ///< "pool.mutex_"; "" when it is not known
};

Member memberAt(const DIType* type, uint64_t offset) {
  Member found{strippedType(type), ""};
  const DIType* inside = found.owner;
  while (auto* composite = dyn_cast_or_null<DICompositeType>(inside)) {
    if (const DIType* shared = sharedClass(*composite); shared && offset >= kSharedOffset) {
      found.owner = inside = shared;
      offset -= kSharedOffset;
      continue;
    }
    const DIDerivedType* member = nullptr;
    for (const DINode* element : composite->getElements()) {
      auto* part = dyn_cast<DIDerivedType>(element);
      if (!part || part->isStaticMember() || part->getTag() != dwarf::DW_TAG_member)
        continue;
      uint64_t begin = part->getOffsetInBits() / 8;
      const DIType* type = strippedType(part->getBaseType());
      if (offset >= begin && offset < begin + (type ? type->getSizeInBits() / 8 : 0))
        member = part;
    }
    if (!member || member->getName().starts_with("_")) // a library's own
      break;
    found.name += (found.name.empty() ? "" : ".") + member->getName().str();
    offset -= member->getOffsetInBits() / 8;
    inside = strippedType(member->getBaseType());
  }
  return found;
}

/// Where the program's own code makes an object: the allocation, or what called the library there.
const Instruction* makerOf(const Object& object, const Contexts& contexts) {
  auto* site = dyn_cast<Instruction>(object.site);
  if (!site || !isLibrary(*site->getFunction()))
    return site;
  for (const ContextElement& element : contexts.elements(object.context)) {
    auto* place = dyn_cast_or_null<Instruction>(static_cast<const Value*>(element.place));
    if (place && place->getDebugLoc() && !isLibrary(*place->getFunction()))
      return place;
  }
  return site;
}

} // namespace

std::string Descriptions::objectName(LocationId id) const {
  const Object& object = analyses_.pointsTo.objectOf(id);
  uint32_t offset = analyses_.pointsTo.location(id).offset;
  Member member = memberAt(object.type, offset);
  if (object.kind == ObjectKind::Global) {
    std::string name = demangle(object.site->getName().str());
    return member.name.empty() ? name : name + "." + member.name;
  }
  std::string name = member.owner && !member.owner->getName().empty()
                         ? member.owner->getName().str()
                     : object.kind == ObjectKind::Local ? "local"
                                                        : "object";
  if (!member.name.empty())
    name += "::" + member.name;
  else if (offset)
    name += fmt::format(" + {}", offset);
  const Instruction* site = makerOf(object, analyses_.pointsTo.contexts());
  if (!site)
    return name;
  heddle::Location at = locate(*site);
  return name + (at.line ? fmt::format(" of {}:{}", at.file, at.line) : "");
}

std::string Descriptions::memoryPlace(LocationId id) const {
  const Instruction* site = makerOf(analyses_.pointsTo.objectOf(id), analyses_.pointsTo.contexts());
  if (!site)
    return objectName(id);
  heddle::Location at = locate(*site);
  return at.line == 0 ? at.function : fmt::format("{}:{}", at.file, at.line);
}

std::string Descriptions::memoryName(LocationId id) const {
  const Object& object = analyses_.pointsTo.objectOf(id);
  const Instruction* site = makerOf(object, analyses_.pointsTo.contexts());
  if (!site)
    return "the variable " + objectName(id);
  if (site->getFunction()->getName() == kHarnessName)
    return "an object that callers share" +
           (object.type ? ": " + object.type->getName().str() : std::string());
  heddle::Location at = locate(*site);
  auto* local = dyn_cast<AllocaInst>(object.site);
  if (const DILocalVariable* variable = local ? declaredVariable(*local) : nullptr)
    return fmt::format("the variable {} of {}, {}:{}", variable->getName().str(),
                       locate(*local).function, variable->getFilename().str(), variable->getLine());
  if (at.line == 0)
    return "memory of " + at.function;
  return fmt::format("{} {}:{}", object.kind == ObjectKind::Heap ? "allocated at" : "a local of",
                     at.file, at.line);
}

/// The program's own calls that lead to the creation of a thread, innermost first. Where there are
/// none, the creation itself.
const Stack& Descriptions::creationPath(uint32_t index) const {
  auto [entry, isNew] = creationPaths_.try_emplace(index);
  if (!isNew)
    return entry->second;
  const Thread& thread = analyses_.threads.all()[index];
  auto all = analyses_.activations.all();
  auto creator =
      find_if(all, [&](const Activation& each) { return each.instance == thread.creator; });
  Stack& path = entry->second;
  auto add = [&](const Instruction& at) {
    if (!isLibrary(*at.getFunction()) && !isOutlining(*at.getFunction()))
      path.push_back(locate(at));
  };
  add(*thread.creation);
  if (creator != all.end())
    for (auto index = static_cast<uint32_t>(creator - all.begin()); all[index].call;
         index = all[index].parent)
      add(*all[index].call);
  if (path.empty())
    path.push_back(locate(*thread.creation));
  return path;
}

ThreadInfo Descriptions::thread(uint32_t index) const {
  ThreadInfo info;
  info.index = index;
  const Thread& thread = analyses_.threads.all()[index];
  if (!thread.creation) {
    info.name = "main";
    return info;
  }
  StringRef entry = analyses_.pointsTo.instance(thread.entry).body->function->getName();
  if (entry.starts_with(kClientPrefix)) {
    info.name = entry.str();
    return info;
  }
  info.name = demangle(entry.str());
  info.createdAt = creationPath(index);
  auto creators = analyses_.threads.executing(thread.creator);
  info.parent = creators.empty() ? 0 : creators[0];
  return info;
}

} // namespace heddle::analysis
