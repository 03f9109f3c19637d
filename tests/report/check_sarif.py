"""Checks SARIF files for what SARIF 2.1.0 and GitHub code scanning require.

usage: check_sarif.py FILE-OR-FOLDER...

No Debian package has the JSON schema, so the rules that concern what heddle writes are spelled out
here: the properties that each object may and must have (the schema allows no others), types,
enumerations, minima, and GitHub's further demands (help texts, a primary location with a line,
relative paths, fingerprints, executionOrder across the threads of a flow).
"""

import json
import os
import sys

LEVELS = ("none", "note", "warning", "error")
PRECISIONS = ("very-high", "high", "medium", "low")

# Object: (required properties, other properties that heddle may write).
OBJECTS = {
    "log": ({"version", "runs", "$schema"}, set()),
    "run": ({"tool", "results"}, {"automationDetails", "invocations", "originalUriBaseIds"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name", "semanticVersion", "rules"}, set()),
    "rule": ({"id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration",
              "properties"}, set()),
    "invocation": ({"executionSuccessful"}, {"toolExecutionNotifications", "properties"}),
    "notification": ({"message"}, {"level"}),
    "result": ({"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"},
               {"relatedLocations", "codeFlows", "properties"}),
    "location": (set(), {"id", "physicalLocation", "logicalLocations", "message"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),
    "artifactLocation": ({"uri"}, {"uriBaseId"}),
    "base": (set(), {"uri", "description"}),
    "region": ({"startLine"}, {"startColumn"}),
    "logicalLocation": (set(), {"fullyQualifiedName", "kind"}),
    "codeFlow": ({"threadFlows"}, set()),
    "threadFlow": ({"locations"}, {"id", "message"}),
    "threadFlowLocation": (set(), {"executionOrder", "importance", "location"}),
    "message": ({"text"}, {"markdown"}),
    "configuration": (set(), {"level"}),
    "details": (set(), {"id"}),
}


class Checker:
    def __init__(self):
        self.problems = []
        self.bases = set()

    def expect(self, condition, where, problem):
        if not condition:
            self.problems.append(f"{where}: {problem}")
        return condition

    def object(self, kind, value, where):
        if not self.expect(isinstance(value, dict), where, f"expected a {kind} object"):
            return {}
        required, allowed = OBJECTS[kind]
        for key in sorted(required - value.keys()):
            self.expect(False, where, f"{kind} has no {key}")
        for key in sorted(value.keys() - required - allowed):
            self.expect(False, where, f"{kind} may not have {key}")
        return value

    def list(self, value, where, minimum=0):
        if not self.expect(isinstance(value, list), where, "expected an array"):
            return []
        self.expect(len(value) >= minimum, where, f"expected at least {minimum} items")
        return value

    def text(self, value, where, empty=False):
        self.expect(isinstance(value, str) and (empty or value != ""), where, "expected a text")

    def integer(self, value, where, minimum):
        self.expect(isinstance(value, int) and not isinstance(value, bool) and value >= minimum,
                    where, f"expected an integer of at least {minimum}")

    def message(self, value, where):
        for key, text in self.object("message", value, where).items():
            self.text(text, f"{where}.{key}")

    def check_log(self, log, where):
        log = self.object("log", log, where)
        self.expect(log.get("version") == "2.1.0", where, "version is not 2.1.0")
        for i, run in enumerate(self.list(log.get("runs"), f"{where}.runs", 1)):
            self.check_run(run, f"{where}.runs[{i}]")

    def check_run(self, run, where):
        run = self.object("run", run, where)
        driver = self.object("driver", self.object("tool", run.get("tool"), where).get("driver"),
                             f"{where}.tool.driver")
        self.text(driver.get("name"), f"{where}.tool.driver.name")
        rules = self.list(driver.get("rules"), f"{where}.rules")
        for i, rule in enumerate(rules):
            self.check_rule(rule, f"{where}.rules[{i}]")
        ids = [rule.get("id") for rule in rules if isinstance(rule, dict)]
        self.expect(len(ids) == len(set(ids)), where, "two rules have the same id")
        if "automationDetails" in run:
            self.object("details", run["automationDetails"], f"{where}.automationDetails")
        bases = run.get("originalUriBaseIds", {})
        self.bases = set(bases) if isinstance(bases, dict) else set()
        for name, base in bases.items():
            self.object("base", base, f"{where}.originalUriBaseIds.{name}")
            self.expect(base.get("uri", "/").endswith("/"), where, f"{name} is no folder")
        for i, invocation in enumerate(self.list(run.get("invocations", []), where)):
            self.check_invocation(invocation, f"{where}.invocations[{i}]")
        for i, result in enumerate(self.list(run.get("results"), f"{where}.results")):
            self.check_result(result, ids, f"{where}.results[{i}]")

    def check_rule(self, rule, where):
        rule = self.object("rule", rule, where)
        self.text(rule.get("id"), f"{where}.id")
        for key in ("shortDescription", "fullDescription", "help"):
            self.message(rule.get(key), f"{where}.{key}")
        self.expect(len(rule.get("shortDescription", {}).get("text", "")) <= 1024, where,
                    "shortDescription is longer than 1024 characters")
        level = self.object("configuration", rule.get("defaultConfiguration"), where).get("level")
        self.expect(level in LEVELS, where, f"unknown level {level}")
        properties = rule.get("properties", {})
        self.expect(properties.get("precision") in PRECISIONS, where, "unknown precision")
        self.expect(properties.get("problem.severity") in ("error", "warning", "recommendation"),
                    where, "unknown problem.severity")

    def check_invocation(self, invocation, where):
        invocation = self.object("invocation", invocation, where)
        self.expect(isinstance(invocation.get("executionSuccessful"), bool), where,
                    "executionSuccessful is not a boolean")
        for note in self.list(invocation.get("toolExecutionNotifications", []), where):
            self.message(self.object("notification", note, where).get("message"), where)
            self.expect(note.get("level") in LEVELS, where, "unknown level")

    def check_result(self, result, rules, where):
        result = self.object("result", result, where)
        index = result.get("ruleIndex")
        self.expect(isinstance(index, int) and 0 <= index < len(rules) and
                    rules[index] == result.get("ruleId"), where, "ruleIndex is not that of ruleId")
        self.expect(result.get("level") in LEVELS, where, "unknown level")
        self.message(result.get("message"), f"{where}.message")
        locations = self.list(result.get("locations"), f"{where}.locations", 1)
        self.expect(len(locations) == 1, where, "GitHub shows the first location only")
        for i, location in enumerate(locations):
            location = self.check_location(location, f"{where}.locations[{i}]")
            region = location.get("physicalLocation", {}).get("region")
            self.expect(region is not None, where, "the primary location has no line")
        related = self.list(result.get("relatedLocations", []), where)
        for i, location in enumerate(related):
            location = self.check_location(location, f"{where}.relatedLocations[{i}]")
            self.expect(location.get("id") == i + 1, where, "related locations are not numbered")
            self.expect("message" in location, where, "a related location says nothing")
        fingerprints = result.get("partialFingerprints", {})
        self.text(fingerprints.get("primaryLocationLineHash"), f"{where}.partialFingerprints")
        for flow in self.list(result.get("codeFlows", []), where):
            self.check_flow(flow, f"{where}.codeFlows")

    def check_flow(self, flow, where):
        flow = self.object("codeFlow", flow, where)
        orders = []
        for thread in self.list(flow.get("threadFlows"), where, 1):
            thread = self.object("threadFlow", thread, where)
            own = []
            for step in self.list(thread.get("locations"), where, 1):
                step = self.object("threadFlowLocation", step, where)
                self.integer(step.get("executionOrder"), f"{where}.executionOrder", 1)
                own.append(step.get("executionOrder"))
                self.expect(step.get("importance") in ("important", "essential", "unimportant"),
                            where, "unknown importance")
                self.check_location(step.get("location"), f"{where}.location")
            self.expect(own == sorted(own), where, "a thread's steps are not in order")
            orders += own
        self.expect(sorted(orders) == list(range(1, len(orders) + 1)), where,
                    "executionOrder does not number the steps of all threads")

    def check_location(self, location, where):
        location = self.object("location", location, where)
        if "message" in location:
            self.message(location["message"], f"{where}.message")
        for logical in self.list(location.get("logicalLocations", []), where):
            self.object("logicalLocation", logical, where)
        if "physicalLocation" in location:
            physical = self.object("physicalLocation", location["physicalLocation"], where)
            self.check_artifact(physical.get("artifactLocation"), where)
            if "region" in physical:
                region = self.object("region", physical["region"], where)
                self.integer(region.get("startLine"), f"{where}.startLine", 1)
                self.integer(region.get("startColumn", 1), f"{where}.startColumn", 1)
        return location

    def check_artifact(self, artifact, where):
        artifact = self.object("artifactLocation", artifact, where)
        uri = artifact.get("uri", "")
        self.text(uri, f"{where}.uri")
        self.expect(not set(uri) & set(" <>\"{}|\\^`") and uri.isascii(), where,
                    f"{uri} is not a URI")
        absolute = uri.startswith("/") or "://" in uri
        self.expect(not uri.startswith(("/", "./", "../")), where, f"{uri} is not normalised")
        self.expect(absolute != ("uriBaseId" in artifact), where,
                    "exactly relative URIs have a uriBaseId")
        base = artifact.get("uriBaseId")
        self.expect(absolute or base in self.bases, where, f"{base} is not in originalUriBaseIds")


def files_of(arguments):
    for argument in arguments:
        if os.path.isdir(argument):
            yield from sorted(os.path.join(argument, name) for name in os.listdir(argument)
                              if name.endswith(".sarif"))
        else:
            yield argument


def main():
    names = list(files_of(sys.argv[1:]))
    if not names:
        sys.exit("error: no SARIF file to check")
    checker = Checker()
    for name in names:
        with open(name, encoding="utf-8") as file:
            checker.check_log(json.load(file), os.path.basename(name))
    for problem in checker.problems:
        print(problem)
    if checker.problems:
        sys.exit(f"{len(checker.problems)} problems in {len(names)} files")
    print(f"sarif: {len(names)} files, no problem")


if __name__ == "__main__":
    main()
