#include "synth/linearizability.h"

#include <algorithm>
#include <map>

namespace heddle::synth {

std::string Outcome::text() const {
  if (isStuck)
    return "stuck";
  std::string all;
  for (const auto* part : {&results, &observations})
    for (const std::string& one : *part)
      all += (all.empty() ? "" : " | ") + one;
  return all;
}

static void extend(std::vector<size_t>& left, SerialOrder& order, std::vector<SerialOrder>& all) {
  bool complete = true;
  for (size_t thread = 0; thread < left.size(); ++thread) {
    if (left[thread] == 0)
      continue;
    complete = false;
    --left[thread];
    order.push_back(thread);
    extend(left, order, all);
    order.pop_back();
    ++left[thread];
  }
  if (complete)
    all.push_back(order);
}

std::vector<SerialOrder> serialOrders(const std::vector<size_t>& callsPerThread) {
  std::vector<size_t> left = callsPerThread;
  std::vector<SerialOrder> all;
  SerialOrder order;
  extend(left, order, all);
  return all;
}

void LegalOutcomes::add(const SerialOrder& order, const Outcome& outcome) {
  runs_.push_back({order, outcome});
}

bool LegalOutcomes::isDeterministic() const {
  std::map<SerialOrder, const Outcome*> first;
  return std::ranges::all_of(runs_, [&](const Run& run) {
    return *first.emplace(run.order, &run.outcome).first->second == run.outcome;
  });
}

Linearity LegalOutcomes::judge(const Outcome& observed) const {
  auto gives = [&](const Run& run) { return run.outcome == observed; };
  if (std::ranges::any_of(runs_, gives))
    return Linearity::Linearizable;
  if (runs_.empty() || !isDeterministic())
    return Linearity::NotDecided;
  return Linearity::NotLinearizable;
}

std::vector<Outcome> LegalOutcomes::outcomes() const {
  std::vector<Outcome> all;
  for (const Run& run : runs_)
    all.push_back(run.outcome);
  std::ranges::sort(all);
  auto rest = std::ranges::unique(all);
  all.erase(rest.begin(), rest.end());
  return all;
}

std::string LegalOutcomes::explain(const Outcome& observed) const {
  std::string text = "observed: " + observed.text() + "\n";
  std::map<SerialOrder, std::vector<std::string>> byOrder;
  for (const Run& run : runs_) {
    std::vector<std::string>& known = byOrder[run.order];
    if (std::ranges::find(known, run.outcome.text()) == known.end())
      known.push_back(run.outcome.text());
  }
  for (const auto& [order, outcomes] : byOrder) {
    text += "threads";
    for (size_t thread : order)
      text += " " + std::to_string(thread + 1);
    text += ":";
    for (const std::string& one : outcomes)
      text += (one == outcomes.front() ? " " : ", or ") + one;
    text += "\n";
  }
  return text;
}

} // namespace heddle::synth
