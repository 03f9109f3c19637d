/// heddle-cc and heddle-c++: clang 19 with heddle's plugin when it compiles and heddle's runtime
/// when it links an executable. Everything else is clang's own business.
#include "arguments.h"
#include "build_note.h"
#include "gcc_options.h"
#include "resources.h"
#include "response_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace heddle::driver {
namespace {

using Arguments = std::vector<std::string>;

std::string programName(const char* path) {
  const char* slash = std::strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int fail(const std::string& program, const std::string& message) {
  std::fprintf(stderr, "%s: error: %s\n", program.c_str(), message.c_str());
  return 1;
}

bool isReadable(const std::string& path) { return access(path.c_str(), R_OK) == 0; }

// Added in front of what the user wrote, so that the user's options win and a "--" stays last.
Arguments additions(const Invocation& invocation, const Resources& resources) {
  Arguments added = {"--start-no-unused-arguments",  "-fpass-plugin=" + resources.plugin,
                     "-isystem" + resources.include, "-D__HEDDLE__=1",
                     "-Wno-unknown-warning-option",  "-Wno-ignored-optimization-argument"};
  if (invocation.debugInfo)
    added.push_back("-fstandalone-debug"); // names the members of classes from other files
  added.push_back("--end-no-unused-arguments");
  if (invocation.links) {
    // The runtime comes first: its allocator wins over those of archives.
    added.push_back(resources.runtime);
    added.push_back("-Wl,--dynamic-list=" + resources.dynamicList);
    added.push_back("-Wl,--build-id");
    added.push_back("-pthread");
    added.push_back("-ldl");
  }
  return added;
}

// The names come last: archives of the user are asked for them first, as they are before libc.
// With them the record of the link.
void addLast(const Resources& resources, const std::string& record, Arguments& arguments) {
  bool onlyFilesFollow = std::find(arguments.begin(), arguments.end(), "--") != arguments.end();
  for (const std::string& file : {record, resources.names}) {
    if (file.empty())
      continue;
    if (!onlyFilesFollow)
      arguments.push_back("-Xlinker"); // -x may say that files are of some language
    arguments.push_back(file);
  }
}

std::string missingFile(const Invocation& invocation, const Resources& resources) {
  if (!isReadable(resources.plugin))
    return resources.plugin;
  if (!invocation.links)
    return "";
  for (const std::string* file : {&resources.runtime, &resources.names, &resources.dynamicList})
    if (!isReadable(*file))
      return *file;
  return "";
}

Arguments withoutGccOptions(const Arguments& arguments, const Arguments& expanded) {
  bool inResponseFile = std::any_of(expanded.begin(), expanded.end(), isIgnorableGccOption) &&
                        std::none_of(arguments.begin(), arguments.end(), isIgnorableGccOption);
  Arguments kept;
  std::remove_copy_if(inResponseFile ? expanded.begin() : arguments.begin(),
                      inResponseFile ? expanded.end() : arguments.end(), std::back_inserter(kept),
                      isIgnorableGccOption);
  return kept;
}

int execute(const std::string& program, const std::string& clang, const Arguments& arguments) {
  std::vector<char*> argv = {const_cast<char*>(clang.c_str())};
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(clang.c_str(), argv.data());
  return fail(program, "cannot run " + clang + ": " + std::strerror(errno));
}

// For ccache's compiler check: changes whenever code that this compiler makes may change.
int printFingerprint(const Resources& resources) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::string& path : {resources.plugin, resources.runtime, resources.names}) {
    std::ifstream file(path, std::ios::binary);
    for (std::istreambuf_iterator<char> byte(file), end; byte != end; ++byte)
      hash = (hash ^ static_cast<unsigned char>(*byte)) * 0x100000001b3ull;
  }
  std::printf("heddle %s %016llx\n", HEDDLE_VERSION, static_cast<unsigned long long>(hash));
  return 0;
}

int run(const std::string& program, const Arguments& arguments) {
  bool cPlusPlus = program.ends_with("++");
  Resources resources = findResources();
  if (arguments == Arguments{"--heddle-fingerprint"})
    return printFingerprint(resources);

  std::string clang = findClang(cPlusPlus);
  if (clang.empty())
    return fail(program,
                std::string("clang 19 is needed and was not found: install the package "
                            "clang-19, or set HEDDLE_CLANG_DIR to the directory that has ") +
                    (cPlusPlus ? "its clang++" : "its clang"));
  const char* plain = std::getenv("HEDDLE_PLAIN");
  if (plain && std::string(plain) == "1")
    return execute(program, clang, arguments);

  Arguments expanded = expandResponseFiles(arguments);
  Invocation invocation = examine(expanded);
  if (!invocation.hasInput)
    return execute(program, clang, arguments);
  if (!invocation.refusal.empty())
    return fail(program, invocation.refusal);
  if (std::string missing = missingFile(invocation, resources); !missing.empty())
    return fail(program, missing + " is missing; it belongs beside this program: build or install "
                                   "heddle again");
  Arguments all = additions(invocation, resources);
  Arguments kept = withoutGccOptions(arguments, expanded);
  all.insert(all.end(), kept.begin(), kept.end());
  tellBuildCommand(expanded);
  if (invocation.links)
    addLast(resources, linkRecordObject(expanded), all);
  return execute(program, clang, all);
}

} // namespace
} // namespace heddle::driver

int main(int argc, char** argv) {
  return heddle::driver::run(heddle::driver::programName(argv[0]), {argv + 1, argv + argc});
}
