#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace llvm {
class DIFile;
class DISubprogram;
class Module;
} // namespace llvm

namespace heddle::pass {

/// Who a function belongs to when sequential tests are recorded for synthesis.
enum class Zone : uint32_t {
  System = 0,    ///< headers of the system: it acts for whoever called it
  Library = 1,   ///< under test
  Client = 2,    ///< the tests
  Container = 3, ///< a member function of a standard container: what it allocates is its own
};

/// With its folder; empty of none.
std::string pathOf(const llvm::DIFile* file);

/// Whether it is a class of the standard library that holds others.
bool isContainerName(const std::string& name);

/// The border between library and client in one unit. `own` says what the library is: parts of
/// paths, names of namespaces and classes after "::", and "*" for all code that stands neither
/// in a folder of the system nor in a file with a test.
class SeedZones {
public:
  SeedZones(const llvm::Module& module, std::vector<std::string> own);

  Zone zoneOf(const llvm::DISubprogram* function) const;
  /// Whether a sequential test begins with the function: main, or what the macros of GoogleTest
  /// and Catch2 make.
  static bool isTest(const llvm::DISubprogram& function);
  bool hasTest() const { return !testFiles_.empty(); }

private:
  bool isOwn(const llvm::DISubprogram* function, const std::string& path) const;

  std::vector<std::string> own_;
  std::set<std::string> testFiles_;
};

} // namespace heddle::pass
