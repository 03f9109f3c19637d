"""check_sarif.py must notice each kind of mistake in a file that it accepts otherwise."""

import copy
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)

import check_sarif  # noqa: E402


class CheckSarif(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(HERE, "approved", "race.sarif"), encoding="utf-8") as file:
            self.log = json.load(file)

    def problems(self, log):
        checker = check_sarif.Checker()
        checker.check_log(log, "log")
        return checker.problems

    def refuse(self, change, expected):
        log = copy.deepcopy(self.log)
        change(log, log["runs"][0], log["runs"][0]["results"][0])
        problems = self.problems(log)
        self.assertTrue(any(expected in problem for problem in problems), problems)

    def test_accepts(self):
        self.assertEqual(self.problems(self.log), [])

    def test_version(self):
        self.refuse(lambda log, run, result: log.update(version="2.0.0"), "version is not 2.1.0")

    def test_unknown_property(self):
        self.refuse(lambda log, run, result: result.update(extra=1), "may not have extra")

    def test_missing_help(self):
        self.refuse(lambda log, run, result: run["tool"]["driver"]["rules"][0].pop("help"),
                    "rule has no help")

    def test_precision(self):
        self.refuse(lambda log, run, result:
                    run["tool"]["driver"]["rules"][0]["properties"].update(precision="sure"),
                    "unknown precision")

    def test_rule_index(self):
        self.refuse(lambda log, run, result: result.update(ruleIndex=0), "ruleIndex is not")

    def test_level(self):
        self.refuse(lambda log, run, result: result.update(level="fatal"), "unknown level")

    def test_no_location(self):
        self.refuse(lambda log, run, result: result.update(locations=[]), "at least 1")

    def test_no_line(self):
        self.refuse(lambda log, run, result:
                    result["locations"][0]["physicalLocation"].pop("region"), "has no line")

    def test_line_zero(self):
        self.refuse(lambda log, run, result: result["locations"][0]["physicalLocation"]["region"]
                    .update(startLine=0), "at least 1")

    def test_absolute_path(self):
        self.refuse(lambda log, run, result: result["locations"][0]["physicalLocation"]
                    ["artifactLocation"].update(uri="/a/b.cpp"), "is not normalised")

    def test_space_in_uri(self):
        self.refuse(lambda log, run, result: result["locations"][0]["physicalLocation"]
                    ["artifactLocation"].update(uri="a b.cpp"), "is not a URI")

    def test_fingerprint(self):
        self.refuse(lambda log, run, result: result["partialFingerprints"]
                    .pop("primaryLocationLineHash"), "partialFingerprints")

    def test_order_across_threads(self):
        self.refuse(lambda log, run, result: result["codeFlows"][0]["threadFlows"][0]["locations"]
                    [0].update(executionOrder=9), "executionOrder does not number")


if __name__ == "__main__":
    unittest.main()
