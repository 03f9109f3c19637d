#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// How a program was built: the command lines that the compiler drivers leave in it, so that its
/// units can be compiled once more for another purpose, and tests of the same library built like
/// the ones that are there. Written by the pass and the drivers, read by `heddle synth`.
namespace heddle {

/// One record per compiled unit and one for the link, in the order of linking, zeroes between
/// them: magic, length of what follows (4 bytes each), the words, each ended by a 0.
inline constexpr const char* kBuildSection = ".heddle_build";
inline constexpr uint32_t kBuildMagic = 0x44424448; // "HDBD"

/// The variable in which a driver tells the pass the record of the unit that clang compiles.
inline constexpr const char* kBuildVariable = "HEDDLE_BUILD_RECORD";

enum class BuildStep : uint8_t { Compile, Link };

struct BuildRecord {
  BuildStep step = BuildStep::Compile;
  std::string directory;              ///< in which the command ran
  std::string source;                 ///< Compile: the unit's file, as the command names it
  std::vector<std::string> arguments; ///< the user's, with response files expanded
};

/// The words of a record; `source` is added by who knows it.
inline std::string encodeBuildRecord(const BuildRecord& record) {
  std::string body = record.step == BuildStep::Link ? "link" : "compile";
  body += '\0';
  body += record.directory + '\0' + record.source + '\0';
  for (const std::string& argument : record.arguments)
    body += argument + '\0';
  std::string bytes(8, '\0');
  auto length = static_cast<uint32_t>(body.size());
  std::memcpy(bytes.data(), &kBuildMagic, sizeof kBuildMagic);
  std::memcpy(bytes.data() + 4, &length, sizeof length);
  return bytes + body;
}

/// The records of a section; stops at what is none.
inline std::vector<BuildRecord> decodeBuildRecords(std::string_view section) {
  std::vector<BuildRecord> records;
  auto numberAt = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, section.data() + at, sizeof value);
    return value;
  };
  while (true) {
    while (!section.empty() && section.front() == '\0')
      section.remove_prefix(1);
    if (section.size() < 8 || numberAt(0) != kBuildMagic || numberAt(4) > section.size() - 8)
      return records;
    std::string_view body = section.substr(8, numberAt(4));
    section.remove_prefix(8 + body.size());
    std::vector<std::string> words;
    for (size_t end = 0; (end = body.find('\0')) != std::string_view::npos;) {
      words.emplace_back(body.substr(0, end));
      body.remove_prefix(end + 1);
    }
    if (words.size() < 3)
      return records;
    BuildRecord record{words[0] == "link" ? BuildStep::Link : BuildStep::Compile,
                       words[1],
                       words[2],
                       {words.begin() + 3, words.end()}};
    records.push_back(std::move(record));
  }
}

} // namespace heddle
