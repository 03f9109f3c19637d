#include "report/trace_event_reporter.h"

#include "report/wording.h"
#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <ostream>
#include <set>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

/// Writes the events of one finding, as process number `process`.
class FindingTimeline {
public:
  FindingTimeline(const Finding& finding, size_t process, Json& events)
      : finding_(finding), process_(process), events_(events) {}

  void write() {
    writeNames();
    for (const Step& step : finding_.steps)
      writeStep(step);
    for (size_t i = 1; i < finding_.steps.size(); ++i)
      if (finding_.steps[i].switched)
        writeFlow(finding_.steps[i - 1], finding_.steps[i], "switch");
    writeRacingPair();
    writeFailure();
  }

private:
  Json event(const char* phase, const std::string& name, unsigned thread) const {
    return Json{{"ph", phase}, {"name", name}, {"pid", process_}, {"tid", thread}};
  }

  void writeNames() {
    Json process = event("M", "process_name", 0);
    const std::string test = finding_.test.empty() ? "" : " in test " + finding_.test;
    process["args"] = {{"name", finding_.id + " " + kindWords(finding_.kind).title + test}};
    events_.push_back(std::move(process));
    std::set<unsigned> threads;
    for (const Step& step : finding_.steps)
      threads.insert(step.thread);
    for (const ThreadInfo& thread : finding_.threads)
      threads.insert(thread.index);
    for (const unsigned thread : threads) {
      Json name = event("M", "thread_name", thread);
      name["args"] = {{"name", trackName(thread)}};
      events_.push_back(std::move(name));
      Json order = event("M", "thread_sort_index", thread);
      order["args"] = {{"sort_index", thread}};
      events_.push_back(std::move(order));
    }
  }

  std::string trackName(unsigned thread) const {
    std::string name = "T" + std::to_string(thread);
    for (const ThreadInfo& info : finding_.threads)
      if (info.index == thread && !info.name.empty())
        return name + " " + info.name;
    return thread == 0 ? name + " main" : name;
  }

  void writeStep(const Step& step) {
    Json json = event("X", step.action, step.thread);
    json["cat"] = "step";
    json["ts"] = step.index;
    json["dur"] = 1;
    json["args"] = {{"value", step.value},
                    {"at", locationText(step.location)},
                    {"function", step.location.function},
                    {"switched", step.switched}};
    events_.push_back(std::move(json));
  }

  void writeFlow(const Step& from, const Step& to, const char* name) {
    ++flow_;
    for (const bool start : {true, false}) {
      const Step& step = start ? from : to;
      Json json = event(start ? "s" : "f", name, step.thread);
      json["cat"] = name;
      json["id"] = process_ * 1'000'000 + flow_;
      json["ts"] = step.index;
      if (!start)
        json["bp"] = "e"; // bind to the step that encloses it, not to the next one
      events_.push_back(std::move(json));
    }
  }

  /// The last step at a site: the one nearest to what went wrong.
  const Step* lastStepAt(const FindingSite& site) const {
    for (size_t i = finding_.steps.size(); i-- > 0;) {
      const Step& step = finding_.steps[i];
      if (step.thread == site.thread && locationText(step.location) == locationText(site.location))
        return &step;
    }
    return nullptr;
  }

  void writeRacingPair() {
    if (finding_.sites.size() < 2)
      return;
    const Step* first = lastStepAt(finding_.sites[0]);
    const Step* second = lastStepAt(finding_.sites[1]);
    if (!first || !second || first == second)
      return;
    if (first->index > second->index)
      std::swap(first, second);
    writeFlow(*first, *second, "conflict");
  }

  void writeFailure() {
    if (!finding_.failure)
      return;
    const unsigned thread = finding_.failure->site ? finding_.failure->site->thread : 0;
    Json json = event("i", finding_.failure->message, thread);
    json["cat"] = "failure";
    json["ts"] = finding_.steps.empty() ? 0 : finding_.steps.back().index + 1;
    json["s"] = "p";
    events_.push_back(std::move(json));
  }

  const Finding& finding_;
  size_t process_;
  Json& events_;
  size_t flow_ = 0;
};

} // namespace

void TraceEventReporter::write(const Report& report, std::ostream& out, const ReportOptions&) {
  Json events = Json::array();
  for (size_t i = 0; i < report.findings.size(); ++i)
    FindingTimeline(report.findings[i], i + 1, events).write();
  const Json json{{"traceEvents", std::move(events)},
                  {"displayTimeUnit", "ns"},
                  {"otherData",
                   {{"heddle", HEDDLE_VERSION},
                    {"command", report.command},
                    {"program", commandLine(report.program)},
                    {"time", "one microsecond is one step"}}}};
  out << dumpJsonIndented(json) << "\n";
}

} // namespace heddle
