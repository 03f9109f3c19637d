#pragma once

#include "synth/linearizability.h"
#include "synth/synthesis.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::synth {

/// What runs the generated tests.
enum class Framework : uint8_t { Plain, GoogleTest, Catch2 };

struct SourceOptions {
  Framework framework = Framework::Plain;
  std::string prelude;               ///< source before the includes
  std::vector<std::string> includes; ///< as written in an #include: "\"queue.h\"", "<queue.h>"
  /// Of a test, by its line: the outcomes of its serial orders. It then asserts one of them.
  std::map<std::string, std::vector<Outcome>> legal;
  /// Of a test, by its line: one more sentence above it.
  std::map<std::string, std::string> remarks;
};

/// Generated source of one class. Compiles without any header of heddle.
struct SourceFile {
  std::string name; ///< "lib_queue_test.cpp"
  std::string text;
  std::vector<std::string> tests; ///< their names in it
  std::vector<size_t> lines;      ///< where the text of each begins, counted from 1
};

struct UnwrittenTest {
  std::string test; ///< its line
  std::string problem;
};

struct WrittenTests {
  std::vector<SourceFile> files;
  std::map<std::string, std::string> names; ///< the test's line -> "file:name"
  std::vector<UnwrittenTest> unwritten;
};

/// One file per class, one test per context.
WrittenTests writeTests(const SeedTrace& trace, const Synthesis& synthesis,
                        const SourceOptions& options);

/// A program that makes the calls of a test one after the other: `serial FILE:NAME 12` or `21`
/// prints the outcome, so that the serial outcomes can be found out. Its tests are named as in
/// WrittenTests::names.
SourceFile writeSerialFile(const SeedTrace& trace, const Synthesis& synthesis,
                           const SourceOptions& options);
std::string writeSerialProgram(const SeedTrace& trace, const Synthesis& synthesis,
                               const SourceOptions& options);

/// What the tests need to be compiled and linked; paths are absolute.
struct TestBuild {
  std::vector<std::string> folders;   ///< of headers
  std::vector<std::string> flags;     ///< of the compiler
  std::vector<std::string> sources;   ///< of the library
  std::vector<std::string> libraries; ///< and other words of the linker
};

/// A CMakeLists.txt that builds the files, with heddle where find_package finds it and
/// HEDDLE is on, else as ordinary tests.
std::string writeCMake(const WrittenTests& tests, const SourceOptions& options,
                       const TestBuild& build);

} // namespace heddle::synth
