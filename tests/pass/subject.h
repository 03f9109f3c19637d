#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Programs that tests compile with the drivers, and what the stand-in runtime saw in them.
namespace heddle::test {

struct SiteLine {
  int module = 0;
  uint32_t number = 0;
  uint32_t id = 0;
  std::string identity;
  std::string function;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t size = 0;
  std::string object;
  uint32_t offset = 0;
  std::string callee;
  int kind = 0;
  int flags = 0;
  uint32_t ordinal = 0;
};

struct FunctionLine {
  int module = 0;
  uint32_t number = 0;
  std::string name;
  std::string displayName;
  uint32_t siteCount = 0;
  std::vector<uint32_t> callees;
};

struct EventLine {
  char kind = 0;
  uint32_t site = 0;
  uint64_t address = 0;
  uint64_t length = 0;
  int depth = 0;
  uint32_t caller = 0;
  uint32_t orders = 0;   ///< of atomic operations and fences
  uint64_t expected = 0; ///< of compare-exchanges
};

struct Log {
  std::vector<SiteLine> sites;
  std::vector<FunctionLine> functions;
  std::vector<EventLine> events;
  int modules = 0;
  long accesses = 0;
  long ranges = 0;
  long calls = 0;
  long spins = 0;
  int depth = -1; ///< of the shadow stack when the program ended

  std::vector<SiteLine> sitesIn(const std::string& function) const;
  std::vector<SiteLine> sitesOn(uint32_t line) const;
  const SiteLine* site(uint32_t id) const;
  const FunctionLine* function(const std::string& name) const;
};

struct Outcome {
  int status = -1;    ///< exit status; 128 + signal if it was killed
  std::string output; ///< standard output and error
  Log log;
};

/// A directory of its own for one test; removed with the object.
class Workshop {
public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void write(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return directory_ + "/" + name; }

  /// Runs a shell command in the directory. $CC, $CXX are the drivers.
  Outcome shell(const std::string& command) const;
  /// Expects success.
  std::string must(const std::string& command) const;
  /// Runs ./program with the stand-in's mode and reads its log.
  Outcome run(const std::string& program, const std::string& mode = "off") const;

private:
  std::string directory_;
};

/// Compiles one C++ file with the flags and runs it.
Outcome compileAndRun(const std::string& source, const std::string& flags,
                      const std::string& mode = "off");

extern const char* const kAllLevels[4];

} // namespace heddle::test
