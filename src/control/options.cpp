#include "control/options.h"

#include "model/spelling.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

namespace heddle {
namespace {

std::string initialText(uint64_t value) { return std::to_string(value); }
std::string initialText(bool value) { return value ? "true" : "false"; }
std::string initialText(const char* value) { return value; }
std::string initialSeconds(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

Error badValue(std::string_view key, std::string_view value, const std::string& expected) {
  return Error{"option " + std::string(key) + ": '" + std::string(value) + "' is not " + expected,
               ErrorKind::Usage};
}

Status assign(uint64_t& member, std::string_view key, std::string_view value, const char*) {
  uint64_t number = 0;
  auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code != std::errc() || end != value.data() + value.size())
    return badValue(key, value, "a number from 0");
  member = number;
  return Success{};
}

Status assign(double& member, std::string_view key, std::string_view value, const char*) {
  double number = 0;
  auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (code == std::errc() && std::string_view(end, value.data() + value.size() - end) == "s")
    ++end;
  if (code != std::errc() || end != value.data() + value.size() || !(number >= 0))
    return badValue(key, value, "a number of seconds");
  member = number;
  return Success{};
}

Status assign(bool& member, std::string_view key, std::string_view value, const char*) {
  bool yes = value == "true" || value == "1" || value == "yes" || value.empty();
  bool no = value == "false" || value == "0" || value == "no";
  if (!yes && !no)
    return badValue(key, value, "true or false");
  member = yes;
  return Success{};
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

Status assign(std::string& member, std::string_view key, std::string_view value,
              const char* allowed) {
  std::vector<std::string> words = split(allowed, '|');
  if (*allowed && std::find(words.begin(), words.end(), value) == words.end()) {
    std::string near = didYouMean(value, words);
    std::string expected = "one of ";
    for (const std::string& word : words)
      expected += (word == words.front() ? "" : ", ") + word;
    return badValue(key, value, expected + (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  member = value;
  return Success{};
}

} // namespace

std::string OptionFacts::flagName() const {
  std::string name = key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

const std::vector<OptionFacts>& optionList() {
  static const std::vector<OptionFacts> list = {
#define HEDDLE_NUMBER(member, initial, help)                                                       \
  {#member, OptionType::Number, initialText(uint64_t{initial}), "", help},
#define HEDDLE_SECONDS(member, initial, help)                                                      \
  {#member, OptionType::Seconds, initialSeconds(initial), "", help},
#define HEDDLE_FLAG(member, initial, help)                                                         \
  {#member, OptionType::Flag, initialText(bool{initial}), "", help},
#define HEDDLE_WORD(member, initial, allowed, help)                                                \
  {#member, OptionType::Word, initialText(initial), allowed, help},
#include "control/options.def"
#undef HEDDLE_NUMBER
#undef HEDDLE_SECONDS
#undef HEDDLE_FLAG
#undef HEDDLE_WORD
  };
  return list;
}

namespace {

Status assignByKey(Options& options, std::string_view key, std::string_view value) {
#define HEDDLE_NUMBER(member, initial, help)                                                       \
  if (key == #member)                                                                              \
    return assign(options.member, key, value, "");
#define HEDDLE_SECONDS HEDDLE_NUMBER
#define HEDDLE_FLAG HEDDLE_NUMBER
#define HEDDLE_WORD(member, initial, allowed, help)                                                \
  if (key == #member)                                                                              \
    return assign(options.member, key, value, allowed);
#include "control/options.def"
#undef HEDDLE_NUMBER
#undef HEDDLE_SECONDS
#undef HEDDLE_FLAG
#undef HEDDLE_WORD
  std::vector<std::string> known;
  for (const OptionFacts& facts : optionList())
    known.emplace_back(facts.key);
  std::string near = didYouMean(key, known);
  return Error{
      "unknown option '" + std::string(key) + "'" +
          (near.empty() ? "; `heddle help options` lists them" : "; did you mean '" + near + "'?"),
      ErrorKind::Usage};
}

} // namespace

uint64_t coreCount() { return std::max(1u, std::thread::hardware_concurrency()); }

Status setOption(Options& options, std::string_view key, std::string_view value) {
  Status status = assignByKey(options, key, value);
  if (key == "jobs" && options.jobs == 0) // said, and not left to us
    options.jobs = coreCount();
  return status;
}

Status readOptionsText(Options& options, std::string_view text) {
  for (const std::string& entry : split(text, ':')) {
    if (entry.empty())
      continue;
    size_t equals = entry.find('=');
    std::string_view all(entry);
    std::string_view key = all.substr(0, equals);
    std::string_view value = equals == std::string::npos ? "" : all.substr(equals + 1);
    if (Status status = setOption(options, key, value); !status)
      return Error{"HEDDLE_OPTIONS: " + status.error().message, ErrorKind::Usage};
  }
  return Success{};
}

} // namespace heddle
