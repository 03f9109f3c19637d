#pragma once

#include "model/report.h"
#include "model/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Findings that the user does not want to hear of, in the format of ThreadSanitizer's files: a
/// line is `type:pattern`, `#` begins a comment. A pattern matches a part of a function's, a file's
/// or a variable's name; `*` stands for any text, `^` and `$` for the beginning and the end.
class Suppressions {
public:
  Suppressions() = default;
  /// Errors name the line, and the known types.
  static Result<Suppressions> read(const std::string& path);
  static Result<Suppressions> parse(std::string_view text, const std::string& name);

  /// Whether a line matches the finding; it counts as used then.
  bool suppress(const Finding& finding);
  /// The same without counting.
  bool matches(const Finding& finding) const;
  uint64_t suppressed() const { return suppressed_; }
  /// Lines that nothing matched.
  std::vector<std::string> unused() const;

private:
  struct Rule {
    std::string type;
    std::string pattern;
    uint64_t used = 0;
  };

  /// The first rule that matches; rules_.size(): none.
  size_t ruleFor(const Finding& finding) const;

  std::vector<Rule> rules_;
  uint64_t suppressed_ = 0;
};

/// Says in the report how much was suppressed, and which lines nothing matched.
void reportSuppressions(uint64_t suppressed, const std::vector<std::string>& unused,
                        Report& report);

/// A pattern of a suppression against a name.
bool matchesPattern(std::string_view pattern, std::string_view name);

} // namespace heddle
