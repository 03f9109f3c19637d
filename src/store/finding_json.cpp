#include "store/finding_json.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>

namespace heddle {

using Json = nlohmann::ordered_json;

namespace {

/// Digests use all 64 bits, which JSON readers that know only doubles would round.
std::string hex(uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

Json locationToJson(const Location& location) {
  return Json{{"file", location.file},
              {"line", location.line},
              {"column", location.column},
              {"function", location.function}};
}

Json stackToJson(const Stack& stack) {
  Json json = Json::array();
  for (const Location& frame : stack)
    json.push_back(locationToJson(frame));
  return json;
}

Json siteToJson(const FindingSite& site) {
  Json json = locationToJson(site.location);
  json["access"] = site.access;
  json["object"] = site.object;
  if (!site.role.empty())
    json["role"] = site.role;
  json["thread"] = site.thread;
  json["size"] = site.size;
  json["linkage_name"] = site.linkageName;
  json["ordinal"] = site.ordinal;
  json["stack"] = stackToJson(site.stack);
  if (!site.held.empty())
    json["held"] = site.held;
  return json;
}

Json pathToJson(const CallPath& path) {
  return Json{{"thread", path.thread}, {"stack", stackToJson(path.stack)}, {"held", path.held}};
}

Json pathsToJson(const PathPair& paths) {
  return Json{{"first", pathToJson(paths.first)}, {"second", pathToJson(paths.second)}};
}

Json failureToJson(const FailureInfo& failure) {
  return Json{{"kind", findingKindName(failure.kind)},
              {"message", failure.message},
              {"site", failure.site ? siteToJson(*failure.site) : Json()}};
}

Json threadToJson(const ThreadInfo& thread) {
  return Json{{"index", thread.index},
              {"path", thread.path},
              {"name", thread.name},
              {"state", thread.state},
              {"parent", thread.parent},
              {"stack", stackToJson(thread.stack)},
              {"created_at", stackToJson(thread.createdAt)},
              {"held", thread.held}};
}

Json stepToJson(const Step& step) {
  Json json{{"index", step.index}, {"thread", step.thread}};
  json.update(locationToJson(step.location));
  json["action"] = step.action;
  json["value"] = step.value;
  json["switched"] = step.switched;
  return json;
}

template <typename T, typename Convert>
Json listToJson(const std::vector<T>& items, Convert convert) {
  Json json = Json::array();
  for (const T& item : items)
    json.push_back(convert(item));
  return json;
}

Json relatedToJson(const RelatedPattern& related) {
  return Json{{"id", related.id},
              {"status", findingStatusName(related.status)},
              {"pattern", related.pattern},
              {"message", related.message},
              {"sites", listToJson(related.sites, siteToJson)},
              {"probability", related.probability ? Json(*related.probability) : Json()},
              {"candidates", related.candidates}};
}

// From here on: readers. They throw nlohmann's exceptions or NameError; findingFromJson() is the
// only way in and catches both.

struct NameError {
  std::string message;
};

FindingKind kindFromJson(const Json& json) {
  const auto name = json.get<std::string>();
  if (const auto kind = parseFindingKind(name))
    return *kind;
  throw NameError{"unknown kind '" + name + "'"};
}

FindingStatus statusFromJson(const Json& json) {
  const auto name = json.get<std::string>();
  if (const auto status = parseFindingStatus(name))
    return *status;
  throw NameError{"unknown status '" + name + "'"};
}

template <typename T, typename Convert>
std::vector<T> listFromJson(const Json& json, Convert convert) {
  if (!json.is_array())
    throw NameError{"expected an array, found " + std::string(json.type_name())};
  std::vector<T> items;
  for (const Json& item : json)
    items.push_back(convert(item));
  return items;
}

Location locationFromJson(const Json& json) {
  Location location;
  json.at("file").get_to(location.file);
  json.at("line").get_to(location.line);
  json.at("column").get_to(location.column);
  json.at("function").get_to(location.function);
  return location;
}

Stack stackFromJson(const Json& json) { return listFromJson<Location>(json, locationFromJson); }

FindingSite siteFromJson(const Json& json) {
  FindingSite site;
  site.location = locationFromJson(json);
  json.at("access").get_to(site.access);
  json.at("object").get_to(site.object);
  site.role = json.value("role", "");
  json.at("thread").get_to(site.thread);
  json.at("size").get_to(site.size);
  json.at("linkage_name").get_to(site.linkageName);
  json.at("ordinal").get_to(site.ordinal);
  site.stack = stackFromJson(json.at("stack"));
  site.held = json.value("held", std::vector<std::string>());
  return site;
}

FailureInfo failureFromJson(const Json& json) {
  FailureInfo failure{kindFromJson(json.at("kind")), json.at("message").get<std::string>(), {}};
  if (!json.at("site").is_null())
    failure.site = siteFromJson(json.at("site"));
  return failure;
}

ThreadInfo threadFromJson(const Json& json) {
  ThreadInfo thread;
  json.at("index").get_to(thread.index);
  json.at("path").get_to(thread.path);
  json.at("name").get_to(thread.name);
  json.at("state").get_to(thread.state);
  json.at("parent").get_to(thread.parent);
  thread.stack = stackFromJson(json.at("stack"));
  thread.createdAt = stackFromJson(json.at("created_at"));
  json.at("held").get_to(thread.held);
  return thread;
}

Step stepFromJson(const Json& json) {
  Step step;
  json.at("index").get_to(step.index);
  json.at("thread").get_to(step.thread);
  step.location = locationFromJson(json);
  json.at("action").get_to(step.action);
  json.at("value").get_to(step.value);
  json.at("switched").get_to(step.switched);
  return step;
}

RelatedPattern relatedFromJson(const Json& json) {
  RelatedPattern related;
  json.at("id").get_to(related.id);
  related.status = statusFromJson(json.at("status"));
  json.at("pattern").get_to(related.pattern);
  json.at("message").get_to(related.message);
  related.sites = listFromJson<FindingSite>(json.at("sites"), siteFromJson);
  if (!json.at("probability").is_null())
    related.probability = json.at("probability").get<double>();
  json.at("candidates").get_to(related.candidates);
  return related;
}

Json orderToJson(const OrderOutcome& order) {
  return {{"first_site", order.firstSite}, {"runs", order.runs}, {"failures", order.failures}};
}

OrderOutcome orderFromJson(const Json& json) {
  OrderOutcome order;
  json.at("first_site").get_to(order.firstSite);
  json.at("runs").get_to(order.runs);
  json.at("failures").get_to(order.failures);
  return order;
}

Json switchesToJson(const SwitchCounts& counts) {
  return {{"preemptions", counts.preemptions}, {"context_switches", counts.switches}};
}

SwitchCounts switchesFromJson(const Json& json) {
  SwitchCounts counts;
  json.at("preemptions").get_to(counts.preemptions);
  json.at("context_switches").get_to(counts.switches);
  return counts;
}

Json atomicToJson(const AtomicAccess& access) {
  Json json = locationToJson(access.location);
  json["access"] = access.access;
  json["order"] = access.order;
  if (!access.needs.empty())
    json["needs"] = access.needs;
  return json;
}

AtomicAccess atomicFromJson(const Json& json) {
  AtomicAccess access;
  access.location = locationFromJson(json);
  json.at("access").get_to(access.access);
  json.at("order").get_to(access.order);
  access.needs = json.value("needs", "");
  return access;
}

MissingOrderInfo missingOrderFromJson(const Json& json) {
  return {json.at("object").get<std::string>(), atomicFromJson(json.at("store")),
          atomicFromJson(json.at("load"))};
}

Finding readFinding(const Json& json) {
  Finding finding;
  json.at("id").get_to(finding.id);
  finding.kind = kindFromJson(json.at("kind"));
  finding.status = statusFromJson(json.at("status"));
  json.at("message").get_to(finding.message);
  finding.sites = listFromJson<FindingSite>(json.at("sites"), siteFromJson);
  if (json.contains("first_site"))
    finding.firstSite = json.at("first_site").get<unsigned>();
  if (!json.at("failure").is_null())
    finding.failure = failureFromJson(json.at("failure"));
  if (!json.at("probability").is_null())
    finding.probability = json.at("probability").get<double>();
  json.at("schedule").get_to(finding.schedule);
  json.at("replay").get_to(finding.replay);
  finding.threads = listFromJson<ThreadInfo>(json.at("threads"), threadFromJson);
  finding.steps = listFromJson<Step>(json.at("steps"), stepFromJson);
  json.at("output").get_to(finding.output);
  json.at("notes").get_to(finding.notes);
  json.at("strategy").get_to(finding.strategy);
  json.at("seed").get_to(finding.seed);
  json.at("run").get_to(finding.run);
  finding.count = json.value("count", uint64_t{0});
  finding.test = json.value("test", "");
  finding.candidates = json.value("candidates", std::vector<std::string>());
  finding.pattern = json.value("pattern", 0u);
  finding.inferred = json.value("inferred", false);
  if (json.contains("related"))
    finding.related = listFromJson<RelatedPattern>(json.at("related"), relatedFromJson);
  if (json.contains("orders"))
    finding.orders = listFromJson<OrderOutcome>(json.at("orders"), orderFromJson);
  if (json.contains("missing_order"))
    finding.missingOrder = missingOrderFromJson(json.at("missing_order"));
  if (json.contains("preemptions"))
    finding.switches = switchesFromJson(json);
  if (json.contains("minimized_from"))
    finding.foundSwitches = switchesFromJson(json.at("minimized_from"));
  finding.digest = std::strtoull(json.at("trace_digest").get<std::string>().c_str(), nullptr, 16);
  return finding;
}

} // namespace

Json missingOrderToJson(const MissingOrderInfo& missing) {
  return {{"object", missing.object},
          {"store", atomicToJson(missing.store)},
          {"load", atomicToJson(missing.load)}};
}

Json findingToJson(const Finding& finding) {
  Json json{{"id", finding.id},
            {"kind", findingKindName(finding.kind)},
            {"status", findingStatusName(finding.status)},
            {"message", finding.message},
            {"sites", listToJson(finding.sites, siteToJson)},
            {"failure", finding.failure ? failureToJson(*finding.failure) : Json()},
            {"probability", finding.probability ? Json(*finding.probability) : Json()},
            {"schedule", finding.schedule},
            {"replay", finding.replay},
            {"strategy", finding.strategy},
            {"seed", finding.seed},
            {"run", finding.run},
            {"trace_digest", hex(finding.digest)},
            {"notes", finding.notes},
            {"threads", listToJson(finding.threads, threadToJson)},
            {"steps", listToJson(finding.steps, stepToJson)},
            {"output", finding.output}};
  if (finding.firstSite)
    json["first_site"] = *finding.firstSite;
  if (!finding.group.empty())
    json["group"] = finding.group;
  if (!finding.paths.empty())
    json["paths"] = listToJson(finding.paths, pathsToJson);
  if (!finding.candidates.empty())
    json["candidates"] = finding.candidates;
  if (finding.count != 0)
    json["count"] = finding.count;
  if (!finding.test.empty())
    json["test"] = finding.test;
  if (finding.pattern != 0) {
    json["pattern"] = finding.pattern;
    json["inferred"] = finding.inferred;
  }
  if (finding.pattern != 0 || !finding.related.empty())
    json["related"] = listToJson(finding.related, relatedToJson);
  if (!finding.orders.empty())
    json["orders"] = listToJson(finding.orders, orderToJson);
  if (finding.missingOrder)
    json["missing_order"] = missingOrderToJson(*finding.missingOrder);
  if (finding.switches)
    json.update(switchesToJson(*finding.switches));
  if (finding.foundSwitches)
    json["minimized_from"] = switchesToJson(*finding.foundSwitches);
  return json;
}

Result<Finding> findingFromJson(const Json& json) {
  try {
    return readFinding(json);
  } catch (const Json::exception& error) {
    return Error{std::string("a stored finding cannot be read: ") + error.what(),
                 ErrorKind::Internal};
  } catch (const NameError& error) {
    return Error{"a stored finding cannot be read: " + error.message, ErrorKind::Internal};
  }
}

std::string dumpJson(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string dumpJsonIndented(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<Finding> parseFindingJson(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    return Error{"a stored finding is not valid JSON", ErrorKind::Internal};
  return findingFromJson(json);
}

} // namespace heddle
