#pragma once

#include "model/result.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

/// Static analysis of whole programs. The folders follow the data: files → one linked module
/// (program) → constraints per function, points-to sets and call graph (points_to) → threads, locks
/// (sync) → what they share (sharing) → pairs of accesses and findings (races) → AnalysisReport
/// (analysis).
namespace heddle::analysis {

/// What was read of one file.
struct LoadedFile {
  std::string path;
  size_t units = 0; ///< translation units with bitcode
};

/// A program's units linked into one module.
class Program {
public:
  Program(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
          std::vector<LoadedFile> files, std::set<std::string> exported = {});
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  llvm::Module& module() const { return *module_; }
  const std::vector<LoadedFile>& files() const { return files_; }
  /// Linkage names that an executable or library lets other modules use.
  const std::set<std::string>& exported() const { return exported_; }

private:
  std::unique_ptr<llvm::LLVMContext> context_; // outlives the module
  std::unique_ptr<llvm::Module> module_;
  std::vector<LoadedFile> files_;
  std::set<std::string> exported_;
};

/// Reads and links the bitcode of executables, shared libraries, objects, archives and .bc files,
/// in this order. Errors say which file has no bitcode, or one of another LLVM, or does not link.
Result<Program> loadProgram(const std::vector<std::string>& paths);

} // namespace heddle::analysis
