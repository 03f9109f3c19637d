#include "report/reporter.h"

#include "report/html_reporter.h"
#include "report/json_reporter.h"
#include "report/sarif_reporter.h"
#include "report/text_reporter.h"
#include "report/trace_event_reporter.h"

#include <cstdlib>

namespace heddle {

namespace {

template <typename T> std::unique_ptr<Reporter> make() { return std::make_unique<T>(); }

struct Entry {
  const char* name;
  std::unique_ptr<Reporter> (*create)();
};

/// A new reporter is one line here.
constexpr Entry kReporters[] = {
    {"text", make<TextReporter>},   {"json", make<JsonReporter>},
    {"sarif", make<SarifReporter>}, {"trace-event", make<TraceEventReporter>},
    {"html", make<HtmlReporter>},
};

} // namespace

std::vector<std::string> reporterNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kReporters)
    names.emplace_back(entry.name);
  return names;
}

Result<std::unique_ptr<Reporter>> createReporter(const std::string& name) {
  std::string known;
  for (const Entry& entry : kReporters) {
    if (name == entry.name)
      return entry.create();
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  return Error{"unknown format '" + name + "'; known formats: " + known};
}

bool wantColour(bool isTerminal) {
  const char* noColour = std::getenv("NO_COLOR");
  return isTerminal && (noColour == nullptr || *noColour == '\0');
}

} // namespace heddle
