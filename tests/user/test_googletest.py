#!/usr/bin/env python3
"""GoogleTest programs are run test by test, and findings say in which."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from workshop import PROGRAMS, Workshop

FLAGS = ["-std=c++17", "-O1"]
LIBRARIES = ["-lgtest_main", "-lgtest"]


def line_of(program, mark):
    """The line of a program that carries a comment."""
    lines = (PROGRAMS / program).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// {mark}"))


def statuses(report):
    return {entry["test"]: entry["status"] for entry in report["tests"]}


def by_test(report):
    return {finding["test"]: finding for finding in report["findings"]}


class TestProgram(Workshop):
    """A test with a program that all tests of its class share: GoogleTest takes long to compile."""

    source = ""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="heddle-user-")
        cls.addClassCleanup(folder.cleanup)
        cls.built = Path(folder.name) / "tests"

    def setUp(self):
        super().setUp()
        if not self.built.exists():
            self.build(self.source, *LIBRARIES, flags=FLAGS, output=self.built)
        shutil.copy(self.built, self.folder / "tests")
        self.program = "./tests"


class GoogleTest(TestProgram):
    source = "gtest_bank.cpp"

    def check(self, *words, code=2, **settings):
        return self.report("check", "--runs=30000", *words, code=code, **settings)

    def test_every_test_has_its_own_end(self):
        report = self.check(self.program)
        self.assertEqual(statuses(report), {
            "Bank.LosesMoney": "found",
            "Bank.KeepsMoney": "nothing found",
            "Bank.Throws": "found",
            "Bank.HasOneThread": "one thread",
            "Bank.DISABLED_IsNotRun": "skipped",
            "Bank.SkipsItself": "skipped",
            "Bank.ExpectsAFailure": "found",
            "BankDeathTest.Dies": "skipped",
            "Races.InOneTest": "found",
            "Races.InAnotherTest": "found",
            "Typed/0.Works": "nothing found",
            "Typed/1.Works": "nothing found",
            "Both/Amounts.Add/0": "nothing found",
            "Both/Amounts.Add/1": "found",
        })
        why = {entry["test"]: entry.get("why") for entry in report["tests"]}
        self.assertEqual(why["BankDeathTest.Dies"], "death test")
        self.assertEqual(why["Bank.DISABLED_IsNotRun"], "disabled")
        self.assertEqual(why["Bank.SkipsItself"], "by the test itself")
        self.assertEqual(report["not_seen"], [], "GoogleTest only calls the tests")

    def test_a_failing_expectation_is_an_assertion_at_its_line(self):
        report = self.check(self.program, "--gtest_filter=Bank.*-*Expects*")
        found = by_test(report)["Bank.LosesMoney"]
        self.assertEqual(found["failure"]["kind"], "assertion")
        self.assertIn("failed expectation: Expected equality", found["message"])
        self.assertIn("a payment was lost", found["message"])
        self.assertEqual(found["failure"]["site"]["line"], line_of("gtest_bank.cpp", "expect"))
        thrown = by_test(report)["Bank.Throws"]
        self.assertEqual(thrown["failure"]["kind"], "exception")
        self.assertEqual(thrown["failure"]["site"]["line"], line_of("gtest_bank.cpp", "throw"))

    def test_a_test_of_failing_expectations_is_not_ended_by_them(self):
        report = self.check(self.program, "--gtest_filter=Bank.ExpectsAFailure")
        found = by_test(report)["Bank.ExpectsAFailure"]
        self.assertIn("payTwice(true)", found["message"])
        self.assertEqual(found["failure"]["site"]["line"], line_of("gtest_bank.cpp", "goes on"))
        replayed = self.report("replay", found["id"], code=2)
        self.assertEqual(replayed["findings"][0]["message"], found["message"])

    def test_a_replay_starts_the_right_test(self):
        report = self.check(self.program)
        for test in ("Bank.LosesMoney", "Bank.Throws", "Both/Amounts.Add/1"):
            found = by_test(report)[test]
            replayed = self.report("replay", "--times=3", found["id"], code=2)
            self.assertEqual(replayed["trace_digest"], found["trace_digest"])
            self.assertEqual(replayed["findings"][0]["test"], test)
            self.assertIn(f"--gtest_filter={test}", replayed["arguments"])
        stored = self.report("report", code=2)
        self.assertEqual(sorted(f["id"] for f in stored["findings"]),
                         sorted({f["id"] for f in report["findings"]}))

    def test_one_bug_in_two_tests_is_one_finding(self):
        report = self.report("races", self.program, "--gtest_filter=Races.*", code=2)
        race, = report["findings"]
        self.assertEqual(race["sites"][0]["line"], line_of("gtest_bank.cpp", "race"))
        self.assertEqual(race["test"], "Races.InAnotherTest")
        self.assertIn("also found in test Races.InOneTest", race["notes"])
        stored, = self.report("report", code=2)["findings"]
        self.assertEqual(stored["notes"], race["notes"])
        ids = {entry["test"]: entry["findings"] for entry in report["tests"]}
        self.assertEqual(ids, {"Races.InOneTest": [race["id"]],
                               "Races.InAnotherTest": [race["id"]]})

    def test_the_text_has_the_test_and_a_table(self):
        text = self.heddle("check", "--runs=3000", self.program, "--gtest_filter=Bank.*", code=2).stdout
        self.assertIn("\n  in test Bank.LosesMoney\n", text)
        self.assertRegex(text, r"SUMMARY: .*, in test Bank\.LosesMoney\n")
        self.assertRegex(text, r"\ntest +runs  findings  status\n")
        self.assertRegex(text, r"\nBank\.LosesMoney +\d+ +1  found\n")
        self.assertRegex(text, r"\nBank\.DISABLED_IsNotRun +0 +0  skipped: disabled\n")

    def test_sarif_has_the_test(self):
        done = self.heddle("check", "--runs=3000", "--format=sarif", self.program,
                           "--gtest_filter=Bank.LosesMoney", code=2)
        result, = json.loads(done.stdout)["runs"][0]["results"]
        self.assertEqual(result["properties"]["test"], "Bank.LosesMoney")

    def test_arguments_and_filters_of_the_user_are_kept(self):
        report = self.check("--", self.program, "--gtest_filter=*Keeps*:Typed/0.*", "word", code=0)
        self.assertEqual(list(statuses(report)), ["Bank.KeepsMoney", "Typed/0.Works"])
        self.assertEqual(report["arguments"], ["--gtest_filter=*Keeps*:Typed/0.*", "word"])
        report = self.check(self.program, code=0, environment={"GTEST_FILTER": "Bank.Keeps*",
                                                               "GTEST_TOTAL_SHARDS": "7",
                                                               "GTEST_SHARD_INDEX": "5"})
        self.assertEqual(statuses(report), {"Bank.KeepsMoney": "nothing found"})

    def test_the_runs_are_shared(self):
        report = self.report("check", "--runs=400", self.program,
                             "--gtest_filter=Bank.KeepsMoney:Typed/*:Both/Amounts.Add/0")
        runs = {entry["test"]: entry["runs"] for entry in report["tests"]}
        self.assertEqual(len(runs), 4)
        for test, count in runs.items():
            self.assertTrue(60 <= count <= 160, (test, count))

    def test_the_time_is_shared_and_kept(self):
        budget = self.seconds(2)
        report = self.report("check", budget, "--settled-runs=0", self.program,
                             "--gtest_filter=Bank.KeepsMoney:Typed/*")
        self.assertLess(report["seconds"], float(budget.removeprefix("--seconds=")) + 1.5)
        for entry in report["tests"]:
            self.assertEqual(entry["status"], "nothing found", entry)
            self.assertGreater(entry["runs"], 10)

    def test_without_tests_it_is_one_program(self):
        report = self.report("check", "--runs=300", "--gtest=off", self.program,
                             "--gtest_filter=Typed/*")
        self.assertNotIn("tests", report)
        self.assertIn("--gtest_filter=Typed/*", report["arguments"])

    def test_tests_are_listed(self):
        done = self.heddle("tests", self.program, "--gtest_filter=Bank*")
        self.assertIn("Bank.LosesMoney\n", done.stdout)
        self.assertIn("# BankDeathTest.Dies: skipped, death test\n", done.stdout)
        report = self.report("tests", self.program, "--gtest_filter=Typed/*")
        self.assertEqual(report["tests"], [{"test": "Typed/0.Works"}, {"test": "Typed/1.Works"}])

    def test_messages(self):
        self.assertIn("lists no tests", self.one_sentence("check", self.program,
                                                          "--gtest_filter=Nothing"))
        other = self.build("counter.cpp", output="other")
        self.assertIn("--gtest=on says that it is", self.one_sentence("tests", other))
        self.assertIn("it is no GoogleTest program",
                      self.one_sentence("check", "--gtest=on", "--runs=10", other))


class HeddleTest(TestProgram):
    source = "heddle_tests.cpp"

    def include(self):
        include = self.bin.parent / "include"
        return include if (include / "heddle").exists() else include.parent.parent / "include"

    def test_only_these_are_explored(self):
        report = self.report("check", "--runs=3000", self.program, code=2)
        self.assertEqual(statuses(report), {
            "Counters.Lost": "found", "Counters.Kept": "nothing found",
            "Counters.LostToo": "skipped", "Plain.Passes": "nothing found",
            "Plain.StandsBesideIt": "skipped", "Refuses.ToSetUp": "one thread"})
        skipped = {e["test"]: e.get("why") for e in report["tests"] if e["status"] == "skipped"}
        self.assertEqual(set(skipped.values()), {"no HEDDLE_TEST"})
        report = self.report("check", "--runs=3000", "--gtest=all", self.program, code=2)
        self.assertEqual(statuses(report)["Counters.LostToo"], "found")
        self.assertEqual(statuses(report)["Plain.StandsBesideIt"], "one thread")

    def test_the_set_up_is_not_repeated_for_every_run(self):
        log = self.folder / "log"
        report = self.report("check", "--runs=3000", f"--env=SET_UP_LOG={log}", self.program,
                             "--gtest_filter=Counters.Kept")
        self.assertGreater(report["runs"], 2000)
        self.assertLess(len(log.read_text().splitlines()), 20)

    def test_a_finding_replays(self):
        report = self.report("check", "--runs=3000", self.program, code=2)
        found, = report["findings"]
        self.assertEqual(found["test"], "Counters.Lost")
        replayed = self.report("replay", "--times=3", found["id"], code=2)
        self.assertEqual(replayed["trace_digest"], found["trace_digest"])
        self.heddle("export", found["id"], "--output=moved.heddle")
        self.report("replay", "moved.heddle", code=2)

    def test_a_set_up_that_fails_is_found(self):
        report = self.report("check", "--runs=10", "--env=REFUSE=1", self.program,
                             "--gtest_filter=Refuses.*", code=2)
        found, = report["findings"]
        self.assertEqual(found["kind"], "exception")
        self.assertEqual(found["failure"]["site"]["line"], line_of(self.source, "refused"))
        self.report("replay", found["id"], code=2)

    def test_run_directly_they_are_ordinary_tests(self):
        done = self.run_tool(self.program)
        self.assertIn("[  PASSED  ] 6 tests.", done.stdout)

    def test_they_compile_without_heddle(self):
        for compiler in ("clang++-19", "g++"):
            self.run_tool(compiler, *FLAGS, "-Wall", "-Wextra", "-Werror", f"-I{self.include()}",
                          PROGRAMS / self.source, "-o", "plain", *LIBRARIES, "-lpthread")
            done = self.run_tool("./plain", "--gtest_filter=-*Lost*")
            self.assertIn("[  PASSED  ] 4 tests.", done.stdout)


if __name__ == "__main__":
    unittest.main()
