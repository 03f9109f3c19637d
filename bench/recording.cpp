#include "bench.h"

#include <fmt/core.h>

/// Records every access of a program and reads the complete trace: CPU time of both sides.
/// Prints one line for bench/run: seconds of the program, events received.
namespace heddle::bench {

int measureRecording(const std::vector<std::string>& arguments) {
  uint64_t received = 0;
  uint64_t checksum = 0;
  auto sink = [&](std::span<const Event> events) {
    received += events.size();
    for (const Event& event : events) // every event is looked at, as an analysis would
      checksum += event.site + event.address;
  };
  uint64_t announced = 0;
  {
    Session session = openSession(arguments, Isolation::Fork);
    PlanRequest request = makePlan(StrategyKind::NonPreemptive, Isolation::Fork, 1);
    request.plan.flags = kPlanRecord;
    BatchReport report = runPlan(session, request, sink);
    announced = report.results.at(0).events;
    session.end();
  }
  fmt::print("{{\"seconds\": {:.4f}, \"events\": {}, \"announced\": {}, \"checksum\": {}}}\n",
             childSeconds(), received, announced, checksum % 1000);
  if (received == announced)
    return 0;
  fmt::print(stderr, "heddle-bench: {} events were written, {} were received\n", announced,
             received);
  return 1;
}

} // namespace heddle::bench
