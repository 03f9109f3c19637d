#include "store/learned.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace heddle {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
/// More would take longer to read than to record.
constexpr size_t kMaxCandidates = 5000;
constexpr size_t kMaxExecuted = 200'000;

std::filesystem::path folderOf(const Store& store) {
  return std::filesystem::path(store.directory()) / "learned";
}

std::filesystem::path fileOf(const Store& store, const std::string& name) {
  uint64_t hash = name.size();
  for (unsigned char byte : name)
    hash = mix(hash, byte);
  char text[32];
  snprintf(text, sizeof(text), "%016llx.json", static_cast<unsigned long long>(hash));
  return folderOf(store) / text;
}

Json toJson(const CandidateSide& side) {
  return Json::array({raw(side.site), raw(side.caller), side.context});
}

CandidateSide sideOf(const Json& json) {
  return {static_cast<SiteIdentity>(json.at(0).get<uint64_t>()),
          static_cast<SiteIdentity>(json.at(1).get<uint64_t>()), json.at(2).get<uint64_t>()};
}

Json toJson(const CandidateExample& example) {
  Json sides = Json::array();
  for (const RoleExample& side : example.sides)
    sides.push_back(Json::array(
        {static_cast<uint64_t>(side.thread), side.address, side.occurrence, side.role}));
  return {{"leader", example.leader}, {"sides", std::move(sides)}};
}

CandidateExample exampleOf(const Json& json) {
  CandidateExample example;
  example.leader = json.at("leader").get<uint32_t>();
  for (const Json& side : json.at("sides"))
    example.sides.push_back({static_cast<ThreadPath>(side.at(0).get<uint64_t>()),
                             side.at(1).get<uint64_t>(), side.at(2).get<uint32_t>(),
                             side.at(3).get<uint32_t>()});
  return example;
}

Json toJson(const AtomicSide& side) {
  return Json::array(
      {toJson(side.place), static_cast<unsigned>(side.order), side.update, side.lacks});
}

AtomicSide atomicSideOf(const Json& json) {
  return {sideOf(json.at(0)), static_cast<MemoryOrder>(json.at(1).get<unsigned>()),
          json.at(2).get<bool>(), json.at(3).get<bool>()};
}

Json toJson(const Candidate& candidate) {
  Json json{{"kind", static_cast<unsigned>(candidate.kind)},
            {"origin", candidate.origin},
            {"count", candidate.count},
            {"unordered", candidate.unordered},
            {"sides", Json::array()},
            {"examples", Json::array()},
            {"missing_orders", Json::array()}};
  for (const CandidateSide& side : candidate.sides)
    json["sides"].push_back(toJson(side));
  for (const CandidateExample& example : candidate.examples)
    json["examples"].push_back(toJson(example));
  for (const MissingOrder& missing : candidate.missingOrders)
    json["missing_orders"].push_back(Json::array({toJson(missing.store), toJson(missing.load)}));
  return json;
}

Candidate candidateOf(const Json& json) {
  Candidate candidate;
  candidate.kind = static_cast<TargetKind>(json.at("kind").get<unsigned>());
  candidate.origin = json.at("origin").get<std::string>();
  candidate.count = json.at("count").get<uint64_t>();
  candidate.unordered = json.at("unordered").get<bool>();
  for (const Json& side : json.at("sides"))
    candidate.sides.push_back(sideOf(side));
  for (const Json& example : json.at("examples"))
    candidate.examples.push_back(exampleOf(example));
  for (const Json& missing : json.at("missing_orders"))
    candidate.missingOrders.push_back({atomicSideOf(missing.at(0)), atomicSideOf(missing.at(1))});
  return candidate;
}

bool isKept(const Candidate& candidate) {
  return candidate.kind == TargetKind::Race || candidate.kind == TargetKind::LockCycle;
}

/// A name that another one happens to share its hash with is another one.
Learned learnedOf(const Json& json) {
  Learned learned;
  learned.recordings = json.at("recordings").get<uint64_t>();
  for (uint64_t site : json.at("executed").get<std::vector<uint64_t>>())
    learned.executed.push_back(static_cast<SiteIdentity>(site));
  for (const Json& candidate : json.at("candidates"))
    if (Candidate one = candidateOf(candidate); isKept(one))
      learned.candidates.push_back(std::move(one));
  return learned;
}

} // namespace

std::optional<Learned> readLearned(const Store& store, const std::string& name) {
  std::ifstream file(fileOf(store, name));
  Json json = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  try {
    if (!json.is_object() || json.at("version") != kVersion || json.at("name") != name)
      return std::nullopt;
    return learnedOf(json);
  } catch (const Json::exception&) {
    return std::nullopt; // cut off, or written by somebody else
  }
}

Status writeLearned(const Store& store, const std::string& name, const Learned& learned) {
  Json json{{"version", kVersion},
            {"name", name},
            {"recordings", learned.recordings},
            {"executed", Json::array()},
            {"candidates", Json::array()}};
  for (size_t i = 0; i < std::min(learned.executed.size(), kMaxExecuted); ++i)
    json["executed"].push_back(raw(learned.executed[i]));
  for (const Candidate& candidate : learned.candidates)
    if (isKept(candidate) && json["candidates"].size() < kMaxCandidates)
      json["candidates"].push_back(toJson(candidate));
  std::error_code failed;
  std::filesystem::create_directories(folderOf(store), failed);
  std::filesystem::path place = fileOf(store, name);
  std::filesystem::path written = place.string() + "." + std::to_string(getpid());
  std::ofstream file(written);
  file << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::flush;
  if (file)
    std::filesystem::rename(written, place, failed);
  if (!file || failed) {
    std::filesystem::remove(written, failed);
    return Error{"what was learned about the program is not kept: cannot write " + place.string(),
                 ErrorKind::Environment};
  }
  return Success{};
}

} // namespace heddle
