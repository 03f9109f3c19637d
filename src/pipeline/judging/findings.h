#pragma once

#include "pipeline/runs/captured_run.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace heddle {

/// The note of findings that could not be confirmed in time.
inline constexpr const char* kUnconfirmedNote =
    "a run did it, but there was no time to see it happen again: the replay confirms it";
/// The same where there was no time to keep the run, either.
inline constexpr const char* kNotKeptNote =
    "a run did it, but there was no time to keep it: give more with --seconds";

/// The findings of a command, each once, and in the store where there is one. What is suppressed is
/// not kept.
class Findings {
public:
  Findings(CommandContext& context, std::string command)
      : context_(context), command_(std::move(command)) {}

  const std::vector<Finding>& all() const { return findings_; }
  bool contains(const std::string& id) const;

  /// Keeps a finding that was confirmed, by this run; one that is known only if more is known of it
  /// now.
  void keep(const Finding& finding, const CapturedRun& run);
  /// Keeps the finding of a cause; `known` is its place if there is one already, which a shorter
  /// run replaces. Its place; empty: it is suppressed.
  std::optional<size_t> keepShortest(std::optional<size_t> known, const Finding& finding,
                                     const CapturedRun& run);
  /// Keeps what a run did and what was not seen again, because there was no time.
  void keepUnconfirmed(Finding finding, const CapturedRun& run);
  /// Adds what no run did: not stored, since there is nothing to replay.
  void addPotential(Finding finding);
  /// Adds to a finding that is kept what turned out to be the same bug; once for each id.
  void addRelated(const std::string& id, RelatedPattern related);

  /// Makes findings of one bug one, with the others as related; when all were counted.
  void mergeSameBugs();

  /// Adds runs that failed from the cause of the finding at this place.
  void addCount(size_t place, uint64_t runs);
  /// Writes down what has changed since findings were stored; when all were judged.
  void finish();

private:
  /// Takes over `other`, which is the same bug, as related.
  void takeOver(Finding& finding, const Finding& other);
  void removeFromStore(const Finding& finding);
  void store(const Finding& finding, const CapturedRun& run);
  void replace(Finding& known, const Finding& finding, const CapturedRun& run);

  CommandContext& context_;
  std::string command_;
  std::vector<Finding> findings_;
  std::set<std::string> changed_; ///< ids of findings that differ from what is stored
};

} // namespace heddle
