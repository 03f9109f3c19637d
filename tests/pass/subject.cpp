#include "subject.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace heddle::test {
namespace {

std::vector<std::string> split(const std::string& line, char separator) {
  std::vector<std::string> parts;
  std::stringstream stream(line);
  std::string part;
  while (std::getline(stream, part, separator))
    parts.push_back(part);
  return parts;
}

uint32_t number(const std::string& text) {
  return static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
}

SiteLine parseSite(const std::vector<std::string>& f) {
  return {std::stoi(f[1]),  number(f[2]),     number(f[3]), f[4],  f[5],          f[6],
          number(f[7]),     number(f[8]),     number(f[9]), f[10], number(f[11]), f[12],
          std::stoi(f[13]), std::stoi(f[14]), number(f[15])};
}

FunctionLine parseFunction(const std::vector<std::string>& f) {
  FunctionLine function = {std::stoi(f[1]), number(f[2]), f[3], f[4], number(f[6]), {}};
  if (f.size() > 7)
    for (const std::string& callee : split(f[7], ','))
      function.callees.push_back(number(callee));
  return function;
}

EventLine parseEvent(const std::vector<std::string>& f) {
  return {f[1][0],
          number(f[2]),
          std::strtoull(f[3].c_str(), nullptr, 16),
          std::strtoull(f[4].c_str(), nullptr, 10),
          std::stoi(f[5]),
          number(f[6]),
          number(f[7]),
          std::strtoull(f[8].c_str(), nullptr, 10)};
}

Log parse(const std::string& path) {
  Log log;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::vector<std::string> f = split(line, '\t');
    if (f[0] == "site")
      log.sites.push_back(parseSite(f));
    else if (f[0] == "function")
      log.functions.push_back(parseFunction(f));
    else if (f[0] == "event")
      log.events.push_back(parseEvent(f));
    else if (f[0] == "depth")
      log.depth = std::stoi(f[1]);
    else if (f[0] == "counts") {
      log.accesses = std::stol(f[1]);
      log.ranges = std::stol(f[2]);
      log.calls = std::stol(f[3]);
      log.spins = std::stol(f[4]);
    } else {
      ++log.modules;
    }
  }
  return log;
}

} // namespace

const char* const kAllLevels[4] = {"-O0", "-O1", "-O2", "-O3"};

std::vector<SiteLine> Log::sitesIn(const std::string& function) const {
  std::vector<SiteLine> result;
  for (const SiteLine& site : sites)
    if (site.function == function)
      result.push_back(site);
  return result;
}

std::vector<SiteLine> Log::sitesOn(uint32_t line) const {
  std::vector<SiteLine> result;
  for (const SiteLine& site : sites)
    if (site.line == line && !(site.flags & 2))
      result.push_back(site);
  return result;
}

const SiteLine* Log::site(uint32_t id) const {
  for (const SiteLine& site : sites)
    if (site.id == id)
      return &site;
  return nullptr;
}

const FunctionLine* Log::function(const std::string& name) const {
  for (const FunctionLine& function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

Workshop::Workshop() {
  std::string name = std::filesystem::temp_directory_path() / "heddle-pass-XXXXXX";
  directory_ = mkdtemp(name.data());
}

Workshop::~Workshop() {
  std::error_code error;
  if (!getenv("HEDDLE_KEEP_WORKSHOPS"))
    std::filesystem::remove_all(directory_, error);
}

void Workshop::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
}

Outcome Workshop::shell(const std::string& command) const {
  std::string full = "cd '" + directory_ +
                     "' && export CC='" HEDDLE_TEST_CC "' CXX='" HEDDLE_TEST_CXX "' && { " +
                     command + "\n} 2>&1";
  Outcome outcome;
  FILE* pipe = popen(full.c_str(), "r");
  char buffer[4096];
  while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
    outcome.output.append(buffer, count);
  int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string Workshop::must(const std::string& command) const {
  Outcome outcome = shell(command);
  EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.output;
  return outcome.output;
}

Outcome Workshop::run(const std::string& program, const std::string& mode) const {
  std::string log = path(program + ".log");
  Outcome outcome =
      shell("STANDIN_MODE=" + mode + " STANDIN_LOG='" + log + "' timeout 60 ./" + program);
  outcome.log = parse(log);
  return outcome;
}

Outcome compileAndRun(const std::string& source, const std::string& flags,
                      const std::string& mode) {
  // Many tests look at the same run: compiling it once keeps them quick.
  static std::map<std::string, Outcome> done;
  auto [entry, isNew] = done.try_emplace(flags + '\n' + mode + '\n' + source);
  if (!isNew)
    return entry->second;
  Workshop workshop;
  workshop.write("subject.cpp", source);
  workshop.must("$CXX -std=c++20 " + flags + " subject.cpp -o subject");
  return entry->second = workshop.run("subject", mode);
}

} // namespace heddle::test
