#include "static/program/annotations.h"

#include "model/site_catalog.h"
#include "model/spelling.h"
#include "static/ir/addresses.h"
#include "static/ir/type_layouts.h"
#include "static/program/interfaces.h"
#include "static/program/sites.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <map>

using namespace llvm;

namespace heddle::analysis {
namespace {

constexpr StringLiteral kLocalMember = "heddle:thread-local";
constexpr StringLiteral kExclusivePrefix = "heddle:not-parallel:";
constexpr StringLiteral kLocalClassMarker = "heddle_thread_local_class";

StringRef constantText(const Value* value) {
  auto* global = dyn_cast<GlobalVariable>(value->stripPointerCasts());
  auto* data = global && global->hasInitializer()
                   ? dyn_cast<ConstantDataArray>(global->getInitializer())
                   : nullptr;
  return data && data->isCString() ? data->getAsCString() : "";
}

/// `bank::Account::run` of a function, without parameters.
std::string plainName(const Function& function) {
  std::string name = demangle(function.getName().str());
  return name.substr(0, name.find('('));
}

/// Whether a name that somebody wrote means this one: the same, or its end after "::".
bool means(StringRef written, StringRef name) {
  if (!name.ends_with(written))
    return false;
  StringRef before = name.drop_back(written.size());
  return before.empty() || before.ends_with("::") || before.ends_with(".");
}

} // namespace

Result<Annotations> Annotations::read(const std::string& path) {
  auto text = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return Error{fmt::format("{}: cannot be read: {}\n  --annotations takes the path of a file",
                             path, text.getError().message()),
                 ErrorKind::Environment};
  Annotations annotations;
  if (Status status = annotations.parse(path, (*text)->getBuffer()); !status)
    return status.error();
  return annotations;
}

Status Annotations::parse(const std::string& path, StringRef text) {
  path_ = path;
  SmallVector<StringRef, 32> lines;
  text.split(lines, '\n');
  for (unsigned i = 0; i < lines.size(); ++i) {
    StringRef line = lines[i].split('#').first.trim();
    if (line.empty())
      continue;
    SmallVector<StringRef, 4> words;
    line.split(words, ' ', -1, /*KeepEmpty=*/false);
    auto wrong = [&](const std::string& what) {
      return Error{fmt::format("{}:{}: {}\n  expected is `thread-local MEMBER-OR-CLASS ...` or "
                               "`not-parallel FUNCTION FUNCTION ...`",
                               path, i + 1, what),
                   ErrorKind::Usage};
    };
    std::vector<Name> names;
    for (StringRef word : drop_begin(words))
      names.push_back({word.str(), i + 1});
    if (words[0] == "thread-local") {
      if (names.empty())
        return wrong("thread-local names nothing");
      local_.insert(local_.end(), names.begin(), names.end());
    } else if (words[0] == "not-parallel") {
      if (names.size() < 2)
        return wrong("not-parallel needs two functions; name one twice if it never runs twice at "
                     "the same time");
      exclusive_.push_back(std::move(names));
    } else {
      std::string near = didYouMean(words[0].str(), {"thread-local", "not-parallel"});
      return wrong(fmt::format("unknown word '{}'{}", words[0].str(),
                               near.empty() ? "" : "; did you mean " + near + "?"));
    }
  }
  return Success{};
}

void Annotations::addFrom(const Module& module) {
  std::map<std::string, std::vector<Name>> groups;
  if (auto* all = module.getNamedGlobal("llvm.global.annotations"))
    if (auto* list = dyn_cast<ConstantArray>(all->getInitializer()))
      for (const Use& entry : list->operands()) {
        auto* record = cast<ConstantStruct>(entry);
        StringRef text = constantText(record->getOperand(1));
        auto* function = dyn_cast<Function>(record->getOperand(0)->stripPointerCasts());
        if (function && text.consume_front(kExclusivePrefix))
          groups[text.str()].push_back({plainName(*function), 0});
      }
  for (auto& [name, functions] : groups) {
    if (functions.size() == 1)
      functions.push_back(functions[0]); // it never runs twice at the same time
    exclusive_.push_back(std::move(functions));
  }
  // A member's attribute stands at each place that takes its address.
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function)) {
      auto* mark = dyn_cast<IntrinsicInst>(&instruction);
      if (!mark || mark->getIntrinsicID() != Intrinsic::ptr_annotation ||
          constantText(mark->getArgOperand(1)) != kLocalMember)
        continue;
      for (const User* user : mark->users())
        if (auto* access = dyn_cast<Instruction>(user))
          if (std::string name = objectOf(*access); !name.empty())
            local_.push_back({name, 0});
    }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types())
    if (auto* composite = dyn_cast<DICompositeType>(type); composite && isClass(composite))
      for (const DINode* element : composite->getElements())
        if (auto* member = dyn_cast<DIDerivedType>(element);
            member && member->isStaticMember() && member->getName() == kLocalClassMarker)
          local_.push_back({qualifiedName(*composite), 0});
}

Status Annotations::check(const Module& module) const {
  std::vector<std::string> functions, objects;
  for (const Function& function : module)
    if (hasBody(function)) {
      functions.push_back(plainName(function));
      for (const Instruction& instruction : instructions(function))
        if (std::string name = objectOf(instruction); !name.empty())
          objects.push_back(name);
    }
  DebugInfoFinder finder;
  finder.processModule(module);
  for (const DIType* type : finder.types())
    if (isClass(type) && !type->getName().empty())
      objects.push_back(qualifiedName(*type));
  auto exists = [](const Name& name, const std::vector<std::string>& known) {
    return name.line == 0 ||
           any_of(known, [&](const std::string& each) { return means(name.text, each); });
  };
  auto unknown = [&](const Name& name, const std::vector<std::string>& known, const char* kind) {
    std::string near = didYouMean(name.text, known);
    return Error{fmt::format("{}:{}: the program has no {} '{}'{}\n  names are written as in the "
                             "source, qualified or not",
                             path_, name.line, kind, name.text,
                             near.empty() ? "" : "; did you mean " + near + "?"),
                 ErrorKind::Usage};
  };
  for (const Name& name : local_)
    if (!exists(name, objects))
      return unknown(name, objects, "member, variable or class");
  for (const auto& group : exclusive_)
    for (const Name& name : group)
      if (!exists(name, functions))
        return unknown(name, functions, "function");
  return Success{};
}

bool Annotations::isThreadLocal(StringRef object, const DIType* type) const {
  std::string className = type ? qualifiedName(*type) : "";
  size_t end = object.rfind("::");
  StringRef owner = end == StringRef::npos ? "" : object.substr(0, end);
  return any_of(local_, [&](const Name& name) {
    return means(name.text, object) || (!owner.empty() && means(name.text, owner)) ||
           (!className.empty() && means(name.text, className));
  });
}

bool Annotations::areExclusive(const Function& one, const Function& other) const {
  std::string first = plainName(one), second = plainName(other);
  return any_of(exclusive_, [&](const std::vector<Name>& group) {
    for (size_t i = 0; i < group.size(); ++i)
      for (size_t j = 0; j < group.size(); ++j)
        if (i != j && means(group[i].text, first) && means(group[j].text, second))
          return true;
    return false;
  });
}

} // namespace heddle::analysis
