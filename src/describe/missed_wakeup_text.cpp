#include "describe/missed_wakeup_text.h"

#include "describe/interleaving.h"
#include "describe/missed_wakeup.h"
#include "describe/operations.h"

namespace heddle {
namespace {

std::string shortPlace(const Location& location) {
  return location.file.empty() ? ""
                               : " (" + location.file.substr(location.file.rfind('/') + 1) + ":" +
                                     std::to_string(location.line) + ")";
}

/// Says of a deadlock that it is a missed wake-up: which notification, which wait, and what was
/// read in between.
class MissedWakeupText {
public:
  MissedWakeupText(const RecordedRun& run, const ObjectNames& objects)
      : record_(run.record), objects_(objects), operations_(readOperations(run, {})),
        missed_(findMissedWakeup(operations_, record_)) {}

  void addTo(Finding& finding) const {
    if (!missed_)
      return;
    Step notify = step(missed_->notify);
    finding.message = "missed wake-up: " + (missed_->read ? tooEarly(notify) : another(notify));
    finding.failure->message = finding.message;
    finding.failure->site = missed_->read ? waiterSite(finding) : siteOf(notify);
  }

private:
  Step step(size_t operation) const { return stepOf(operations_, operation, record_, objects_); }

  static std::string name(unsigned thread) { return "T" + std::to_string(thread); }

  std::string condition() const {
    std::string object = step(missed_->wait).action;
    size_t space = object.find(' ');
    return "condition variable" + (space == std::string::npos ? "" : object.substr(space));
  }

  std::string tooEarly(const Step& notify) const {
    Step read = step(*missed_->read);
    Step change = step(*missed_->change);
    Step wait = step(missed_->wait);
    std::string waiter = name(missed_->waiter);
    return waiter + " waits for " + condition() +
           ", and the notification came too early: " + waiter + " did " + read.action +
           (read.value.empty() ? "" : " " + read.value) + shortPlace(read.location) + ", then " +
           name(change.thread) + " did " + change.action +
           (change.value.empty() ? "" : " " + change.value) + shortPlace(change.location) +
           " and " + (notify.thread == change.thread ? "" : name(notify.thread) + " did ") +
           notify.action + shortPlace(notify.location) + ", and only then " + waiter +
           " began to wait" + shortPlace(wait.location);
  }

  std::string another(const Step& notify) const {
    std::string others;
    size_t count = 0;
    for (unsigned i = 0; i < record_.threads.size(); ++i) {
      const ThreadDetail& thread = record_.threads[i];
      bool waits = thread.state == ThreadState::Blocked && thread.wait == WaitKind::Condition &&
                   thread.waitObject == record_.threads[missed_->waiter].waitObject;
      if (!waits || i == *missed_->woken)
        continue;
      others += (count++ == 0 ? "" : ", ") + name(i);
    }
    return name(notify.thread) + " did " + notify.action + shortPlace(notify.location) +
           ", which woke " + name(*missed_->woken) +
           "; that one could not use it and waits again, and " + others +
           (count == 1 ? " waits" : " wait") + " for the same " + condition() + " and " +
           (count == 1 ? "was" : "were") + " not woken";
  }

  std::optional<FindingSite> waiterSite(const Finding& finding) const {
    for (const FindingSite& site : finding.sites)
      if (site.thread == missed_->waiter)
        return site;
    return finding.failure->site;
  }

  static FindingSite siteOf(const Step& notify) {
    FindingSite site;
    site.location = notify.location;
    site.access = "notify";
    site.thread = notify.thread;
    return site;
  }

  const RunRecord& record_;
  const ObjectNames& objects_;
  std::vector<Operation> operations_;
  std::optional<MissedWakeup> missed_;
};

} // namespace

void tellMissedWakeup(Finding& deadlock, const RecordedRun& run, const ObjectNames& objects) {
  MissedWakeupText(run, objects).addTo(deadlock);
}

} // namespace heddle
