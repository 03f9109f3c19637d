#include "synth/source_writer.h"

namespace heddle::synth {

namespace {

std::string stemOf(const std::string& file) { return file.substr(0, file.rfind('.')); }

std::string frameworkText(Framework framework) {
  switch (framework) {
  case Framework::Plain:
    return "";
  case Framework::GoogleTest:
    return "find_package(GTest REQUIRED)\n";
  case Framework::Catch2:
    return "find_package(Catch2 REQUIRED)\n";
  }
  return "";
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += " \"";
    for (char c : word)
      text += (c == '"' || c == '\\' || c == '$' ? "\\" : "") + std::string(1, c);
    text += "\"";
  }
  return text;
}

std::string targetText(const SourceFile& file, const SourceOptions& options,
                       const TestBuild& build) {
  std::string name = stemOf(file.name);
  std::string text = "\nadd_executable(" + name + " " + file.name + quoted(build.sources);
  text += options.framework == Framework::Catch2 ? " ${catch_main})\n" : ")\n";
  if (!build.folders.empty())
    text += "target_include_directories(" + name + " PRIVATE" + quoted(build.folders) + ")\n";
  if (!build.flags.empty())
    text += "target_compile_options(" + name + " PRIVATE" + quoted(build.flags) + ")\n";
  text += "target_link_libraries(" + name + " PRIVATE Threads::Threads" + quoted(build.libraries);
  if (options.framework == Framework::GoogleTest)
    text += " GTest::gtest_main";
  if (options.framework == Framework::Catch2)
    text += " ${catch_library}";
  text += ")\n";
  text += "if(HEDDLE)\n  heddle_instrument(" + name + ")\nendif()\n";
  return text + "add_test(NAME " + name + " COMMAND " + name + ")\n";
}

/// Catch2 3 has a library with a main, Catch2 2 wants a file with it.
const char* const kCatchMain = "if(TARGET Catch2::Catch2WithMain)\n"
                               "  set(catch_library Catch2::Catch2WithMain)\n"
                               "else()\n"
                               "  set(catch_library Catch2::Catch2)\n"
                               "  set(catch_main \"${CMAKE_BINARY_DIR}/catch_main.cpp\")\n"
                               "  file(WRITE \"${catch_main}\" \"#define "
                               "CATCH_CONFIG_MAIN\\n#include <catch2/catch.hpp>\\n\")\n"
                               "endif()\n";

} // namespace

std::string writeCMake(const WrittenTests& tests, const SourceOptions& options,
                       const TestBuild& build) {
  std::string text = "# Written by heddle synth. With -DHEDDLE=ON the tests are built for heddle, "
                     "else they are\n# ordinary tests; -DTSAN=ON adds -fsanitize=thread.\n"
                     "cmake_minimum_required(VERSION 3.16)\n"
                     "project(synthesized_tests LANGUAGES C CXX)\n"
                     "option(HEDDLE \"Build the tests for heddle\" OFF)\n"
                     "option(TSAN \"Build the tests with ThreadSanitizer\" OFF)\n"
                     "set(CMAKE_CXX_STANDARD 20)\n"
                     "set(CMAKE_CXX_STANDARD_REQUIRED ON)\n"
                     "if(NOT CMAKE_BUILD_TYPE)\n"
                     "  set(CMAKE_BUILD_TYPE RelWithDebInfo)\n"
                     "endif()\n"
                     "find_package(Threads REQUIRED)\n";
  text += frameworkText(options.framework);
  if (options.framework == Framework::Catch2)
    text += kCatchMain;
  text += "if(HEDDLE)\n  find_package(heddle REQUIRED)\nendif()\n"
          "if(TSAN)\n  add_compile_options(-fsanitize=thread -g)\n"
          "  add_link_options(-fsanitize=thread)\nendif()\n"
          "enable_testing()\n";
  for (const SourceFile& file : tests.files)
    text += targetText(file, options, build);
  return text;
}

} // namespace heddle::synth
