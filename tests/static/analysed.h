#pragma once

#include "static/sync/threads.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include <set>
#include <stdexcept>
#include <string>

namespace heddle::analysis {

/// A module in text form, solved from main: what the analyses of threads, locks and owners begin
/// with. Tests ask about the instruction that is named %here.
class Analysed {
public:
  explicit Analysed(const std::string& text) : module_(parse(text, context_)) {
    const llvm::Function* main = module_->getFunction("main");
    pointsTo_.solve(std::span(&main, 1));
    graph_ = std::make_unique<CallGraph>(pointsTo_);
    threads_ = std::make_unique<Threads>(*graph_);
  }

  llvm::Module& module() { return *module_; }
  const Models& models() const { return models_; }
  const PointsTo& pointsTo() const { return pointsTo_; }
  const CallGraph& graph() const { return *graph_; }
  const Threads& threads() const { return *threads_; }

  const llvm::Instruction& here() const {
    for (const llvm::Function& function : *module_)
      for (const llvm::Instruction& each : llvm::instructions(function))
        if (each.getName() == "here")
          return each;
    throw std::runtime_error("no instruction is named here");
  }

  /// The only instance of a function.
  InstanceId instanceOf(const llvm::Function& function) const {
    std::vector<InstanceId> found;
    for (uint32_t i = 0; i < pointsTo_.instances().size(); ++i)
      if (pointsTo_.instances()[i].body->function == &function)
        found.push_back(static_cast<InstanceId>(i));
    if (found.size() != 1)
      throw std::runtime_error(function.getName().str() + " has not one instance");
    return found.front();
  }
  InstanceId instanceOf(const char* function) const {
    return instanceOf(*module_->getFunction(function));
  }

private:
  static std::unique_ptr<llvm::Module> parse(const std::string& text, llvm::LLVMContext& context) {
    llvm::SMDiagnostic problem;
    auto module = llvm::parseAssemblyString(text, problem, context);
    if (!module)
      throw std::runtime_error(problem.getMessage().str() + "\n" + text);
    return module;
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  Models models_;
  ProgramConstraints constraints_{*module_, models_};
  PointsTo pointsTo_{*module_, constraints_, PointsToOptions{2, {}}};
  std::unique_ptr<CallGraph> graph_;
  std::unique_ptr<Threads> threads_;
};

using Names = std::set<std::string>;

/// One row of a table: a program's text, and the names that must come out.
struct NamesCase {
  const char* name;
  const char* text;
  Names expected;
};

} // namespace heddle::analysis
