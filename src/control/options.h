#pragma once

#include "model/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The settings of a command, from options.def.
struct Options {
#define HEDDLE_NUMBER(member, initial, help) uint64_t member = initial;
#define HEDDLE_SECONDS(member, initial, help) double member = initial;
#define HEDDLE_FLAG(member, initial, help) bool member = initial;
#define HEDDLE_WORD(member, initial, allowed, help) std::string member = initial;
#include "control/options.def"
#undef HEDDLE_NUMBER
#undef HEDDLE_SECONDS
#undef HEDDLE_FLAG
#undef HEDDLE_WORD
};

enum class OptionType { Number, Seconds, Flag, Word };

/// What the list says about one option; for help texts and the command line.
struct OptionFacts {
  const char* key; ///< as in HEDDLE_OPTIONS: "max_steps"
  OptionType type;
  std::string initial;
  const char* allowed; ///< Word: "a|b|c", or "" for any text
  const char* help;

  std::string flagName() const; ///< "max-steps"
};

const std::vector<OptionFacts>& optionList();

/// Cores that this process may use.
uint64_t coreCount();

/// Sets one option from its text. Errors name the key, the value and what is allowed.
Status setOption(Options& options, std::string_view key, std::string_view value);

/// Reads "key=value:key=value". A value that holds a colon cannot be given here.
Status readOptionsText(Options& options, std::string_view text);

} // namespace heddle
