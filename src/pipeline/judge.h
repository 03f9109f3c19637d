#pragma once

#include "pipeline/campaign.h"
#include "pipeline/confirmation.h"

namespace heddle {

/// Turns failing runs into findings: confirms each in a fresh process, asks for the details,
/// stores it. Findings with the same id are one. What could not be confirmed before the time was
/// used up or Ctrl-C came is kept as a potential finding.
class Judge {
public:
  Judge(Campaign& campaign, std::string command)
      : campaign_(campaign), confirmation_(campaign), command_(std::move(command)) {}

  /// Judges one run. A failure that does not replay becomes the reason for which control is lost.
  Status judge(const FailingRun& failing);

  const std::vector<Finding>& findings() const { return findings_; }
  const std::optional<Error>& lost() const { return lost_; }
  Confirmation& confirmation() { return confirmation_; }

private:
  /// The finding of a run that replayed as `replayed`, with an interleaving if that can be had.
  Finding describe(const FailingRun& failing, const RunRecord& replayed);
  /// The finding of a run that nobody replayed.
  Finding describeUnconfirmed(const FailingRun& failing) const;
  void reject(const FailingRun& failing, const std::string& difference);
  void keep(const Finding& finding, const FailingRun& failing);

  Campaign& campaign_;
  Confirmation confirmation_;
  std::string command_;
  std::vector<Finding> findings_;
  std::optional<Error> lost_;
};

/// What the store keeps of a run beside its finding.
StoredRun storedRun(const Campaign& campaign, const std::string& command,
                    const FailingRun& failing);

} // namespace heddle
