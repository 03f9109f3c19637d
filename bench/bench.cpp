#include "bench.h"

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <map>
#include <sys/resource.h>

namespace heddle::bench {

double wallSeconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

static double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

double childSeconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

uint64_t childPeakBytes() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

[[noreturn]] static void giveUp(const std::string& message) {
  fmt::print(stderr, "heddle-bench: {}\n", message);
  std::exit(1);
}

Session openSession(const std::vector<std::string>& arguments, Isolation isolation) {
  Result<Program> program = locateProgram(arguments);
  if (!program)
    giveUp(program.error().message);
  program->environment = chooseEnvironment(ownEnvironment(), {});
  SessionOptions options;
  options.isolation = isolation;
  options.isolationFixed = true;
  options.donorPool = 3; // as `heddle run` has it after its first run
  options.hangCpuSeconds = 120;
  options.hangWallSeconds = 600;
  Result<Session> session = Session::create(std::make_shared<const Program>(*program), options);
  if (!session)
    giveUp(session.error().message);
  return std::move(*session);
}

PlanRequest makePlan(StrategyKind strategy, Isolation isolation, uint64_t runs) {
  PlanRequest request;
  request.plan.strategy = strategy;
  request.plan.isolation = isolation;
  request.plan.points = PointSet::Listed;
  request.plan.firstSeed = 1;
  request.plan.runCount = runs;
  request.plan.pctDepth = 3;
  request.plan.donorPool = 4;
  return request;
}

BatchReport runPlan(Session& session, const PlanRequest& request, const EventSink& sink) {
  Result<BatchReport> report = session.execute(request, sink, true);
  if (!report)
    giveUp(report.error().message);
  for (const RunResult& result : report->results)
    if (result.outcome != Outcome::Finished || result.exitStatus != 0)
      giveUp(fmt::format("a run ended as '{}' with status {}: {}", outcomeName(result.outcome),
                         result.exitStatus, report->last ? report->last->message : ""));
  return std::move(*report);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

bool verdict(const std::string& what, double value, const char* relation, double limit) {
  bool holds = relation[0] == '<' ? value <= limit : value >= limit;
  fmt::print("{:<58} {:>10.2f}  {} {:<8g} {}\n", what, value, relation, limit,
             holds ? "ok" : "MISSED");
  return holds;
}

} // namespace heddle::bench

int main(int argc, char** argv) {
  using namespace heddle::bench;
  const std::map<std::string, int (*)(const std::vector<std::string>&)> commands = {
      {"throughput", measureThroughput}, {"decisions", measureDecisions},
      {"recording", measureRecording},   {"forcing", measureForcing},
      {"limits", measureLimits},         {"local", measureLocalSites},
  };
  auto command = argc > 1 ? commands.find(argv[1]) : commands.end();
  if (command == commands.end()) {
    fmt::print(
        stderr,
        "usage: heddle-bench throughput|decisions|recording|forcing|limits|local ARGUMENTS\n");
    return 1;
  }
  return command->second({argv + 2, argv + argc});
}
