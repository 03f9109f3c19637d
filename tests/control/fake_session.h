#pragma once

#include "control/session.h"

#include <gtest/gtest.h>

namespace heddle {

inline std::shared_ptr<Program> fakeProgram(std::vector<std::string> settings) {
  settings.insert(settings.begin(), HEDDLE_FAKE_PROGRAM);
  auto program = locateProgram(settings);
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return std::make_shared<Program>();
  }
  return std::make_shared<Program>(std::move(*program));
}

inline SessionOptions fakeOptions(Isolation isolation = Isolation::InPlace) {
  SessionOptions options;
  options.isolation = isolation;
  options.hangCpuSeconds = 0.3;
  options.hangWallSeconds = 20;
  return options;
}

inline Session fakeSession(std::vector<std::string> settings,
                           const SessionOptions& options = fakeOptions()) {
  auto session = Session::create(fakeProgram(std::move(settings)), options);
  if (!session)
    ADD_FAILURE() << session.error().message;
  return std::move(*session);
}

inline PlanRequest fakePlan(uint64_t firstSeed, uint64_t runs) {
  PlanRequest request;
  request.plan.strategy = StrategyKind::Random;
  request.plan.firstSeed = firstSeed;
  request.plan.runCount = runs;
  request.plan.maxSteps = 1000;
  return request;
}

} // namespace heddle
