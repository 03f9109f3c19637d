#!/usr/bin/env python3
"""Atomicity violations are predicted, made to happen, judged by what they break, and replayed."""

import json
import unittest

from workshop import PROGRAMS, Workshop


def line_of(program, mark):
    """The line of a program that carries a comment."""
    lines = (PROGRAMS / program).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// {mark}"))


def lines(finding):
    return [site["line"] for site in finding["sites"]]


class Atomicity(Workshop):
    def atomicity(self, *words, code=0):
        return self.report("atomicity", *words, code=code)

    def test_the_papers_account_has_its_9th_pattern_and_nothing_else(self):
        program = self.build("account.cpp", flags=["-O1"])
        report = self.atomicity("--trials", "100", program)
        self.assertEqual(report["patterns"], 1)  # and none that isLegal would give
        (finding,) = report["findings"]
        self.assertEqual((finding["kind"], finding["status"]), ("atomicity-violation", "confirmed"))
        self.assertEqual(finding["pattern"], 9)
        self.assertTrue(finding["inferred"])
        marks = ("READ CHECKING", "WRITE CHECKING", "WRITE SAVINGS", "READ SAVINGS")
        self.assertEqual(lines(finding), [line_of("account.cpp", mark) for mark in marks])
        self.assertGreaterEqual(finding["probability"], 0.95)
        self.assertEqual(report["thrashings"], 0)
        self.assertIn("`checking_` and `savings_` of Account are read apart in Account::Account",
                      finding["message"])

    def test_races_are_silent_about_the_account(self):
        program = self.build("account.cpp", flags=["-O1"])
        self.assertEqual(self.report("races", program)["findings"], [])

    def test_what_breaks_the_program_is_harmful_and_replays(self):
        program = self.build("account.cpp", flags=["-O1", "-DCHECKED"])
        (finding,) = self.atomicity(program, code=2)["findings"]
        self.assertEqual((finding["status"], finding["pattern"]), ("harmful", 9))
        self.assertEqual(finding["failure"]["kind"], "crash")
        report = self.report("replay", "--times", "5", finding["id"], code=2)
        self.assertEqual([f["id"] for f in report["findings"]], [finding["id"]])

    def test_the_interleaving_shows_each_access_of_the_pattern(self):
        program = self.build("mean.c", compiler="heddle-cc", flags=["-O1"])
        text = self.heddle("atomicity", program, code=2).stdout
        table = text[text.index("Interleaving"):].split("\n\n")[0]
        for mark in ("READ NUMBER", "WRITE SUM", "WRITE NUMBER", "READ SUM"):
            self.assertRegex(table, rf"mean\.c:{line_of('mean.c', mark)}:", mark)
        self.assertRegex(table, r"lock mutex  ")  # without a number: there is only one

    def test_a_violation_that_breaks_nothing_is_a_note(self):
        program = self.build("account.cpp", flags=["-O1"])
        done = self.heddle("atomicity", "--format=sarif", program)
        (result,) = json.loads(done.stdout)["runs"][0]["results"]
        self.assertEqual(result["level"], "note")
        text = self.heddle("atomicity", program).stdout
        self.assertRegex(text, r"(?m)^account\.cpp:\d+:\d+: note: `checking_` and `savings_`|"
                               r"^.*/account\.cpp:\d+:\d+: note: `checking_` and `savings_`")
        self.assertIn("confirmed: a run did it, and it replayed in a fresh process; nothing failed", text)

    def test_a_reader_that_fails_at_once(self):
        marks = [line_of("half_seen.cpp", mark)
                 for mark in ("FIRST", "READ LEFT", "READ RIGHT", "SECOND")]
        for flags, cut in (([], False), (["-DINSIDE"], True)):
            with self.subTest(flags=flags):
                program = self.build("half_seen.cpp", flags=["-O1", *flags])
                (finding,) = self.atomicity(program, code=2)["findings"]
                self.assertEqual((finding["status"], finding["pattern"]), ("harmful", 8))
                self.assertEqual(lines(finding), marks)
                self.assertEqual(any("before the last access" in note for note in finding["notes"]),
                                 cut)
                report = self.report("replay", finding["id"], code=2)
                self.assertEqual([f["id"] for f in report["findings"]], [finding["id"]])

    def test_what_a_unit_sees_before_it_waits_is_not_its_window(self):
        program = self.build("mailbox.cpp", flags=["-O1"])
        harmful = [f for f in self.atomicity(program, code=2)["findings"] if f["status"] == "harmful"]
        self.assertTrue(harmful)
        for finding in harmful:
            self.assertEqual(finding["failure"]["kind"], "assertion")
            self.assertEqual(lines(finding)[:2], [line_of("mailbox.cpp", "SEEN"),
                                                  line_of("mailbox.cpp", "TAKEN")])

    def test_waiting_for_others_disturbs_nobody(self):
        program = self.build("phases.cpp", flags=["-O1", "-std=c++20"])
        self.assertEqual(self.atomicity(program)["findings"], [])

    def test_check_finds_what_is_harmful(self):
        program = self.build("account.cpp", flags=["-O1", "-DCHECKED"])
        report = self.report("check", program, code=2)
        self.assertEqual(self.failures(report), ["crash"])

    def test_check_traces_a_failed_assertion_to_the_torn_unit(self):
        program = self.build("cache.cpp", flags=["-O1"])
        for options in ((), ("--keep-going", "--runs", "500")):
            with self.subTest(options=options):
                (finding,) = self.report("check", *options, program, code=2)["findings"]
                self.assertEqual((finding["kind"], finding["status"]),
                                 ("atomicity-violation", "harmful"))
                self.assertIn("Cache::get reads `values_` of Cache twice, and another Cache::get "
                              "writes it in between", finding["message"])
                self.assertEqual(finding["failure"]["kind"], "assertion")
                self.assertEqual(finding["failure"]["site"]["line"], line_of("cache.cpp", "FAIL"))
                self.assertEqual(lines(finding)[0], line_of("cache.cpp", "LOOK"))
                self.heddle("replay", "--times", "5", finding["id"], code=2)

    def test_check_names_the_tear_that_matters(self):
        program = self.build("torn_statistics.cpp", flags=["-O1"])
        (finding,) = self.report("check", program, code=2)["findings"]
        self.assertEqual(finding["kind"], "atomicity-violation")
        self.assertEqual(finding["failure"]["kind"], "assertion")
        self.assertIn("`done_` of Service", finding["message"])

    def test_check_traces_a_failure_of_a_run_that_was_to_show_a_race(self):
        program = self.build("opened_twice.cpp", flags=["-O1"])
        (finding,) = self.report("check", program, code=2)["findings"]
        self.assertEqual((finding["kind"], finding["status"]), ("atomicity-violation", "harmful"))
        self.assertIn("Sessions::get reads `sessions_` of Sessions", finding["message"])
        self.assertEqual(finding["failure"]["kind"], "exit-status")

    def test_check_blames_no_unit_for_a_lost_notification(self):
        program = self.build("lost_stop.cpp", flags=["-O1"])
        for seed in ("1", "2", "3"):
            with self.subTest(seed=seed):
                (finding,) = self.report("check", "--seed", seed, program, code=2)["findings"]
                self.assertEqual(finding["kind"], "deadlock")
                self.assertEqual(lines(finding)[0], line_of("lost_stop.cpp", "SLEEPS"))

    def test_check_blames_no_unit_that_has_nothing_to_do_with_it(self):
        program = self.build("torn_statistics.cpp", flags=["-O1", "-DORDER"])
        torn = self.atomicity("--trials", "20", program, code=2)["findings"]
        self.assertIn("atomicity-violation", [f["kind"] for f in torn])  # the statistics
        for options in ((), ("--keep-going", "--runs", "500")):
            with self.subTest(options=options):
                (finding,) = self.report("check", *options, program, code=2)["findings"]
                self.assertEqual(finding["kind"], "assertion")
                self.assertIn("taken too early", finding["message"])

    def test_a_suppressed_violation_leaves_its_failure(self):
        (self.folder / "quiet").write_text("atomicity:^Cache::\n")
        program = self.build("cache.cpp", flags=["-O1"])
        (finding,) = self.report("check", "--suppressions=quiet", program, code=2)["findings"]
        self.assertEqual(finding["kind"], "assertion")
        (self.folder / "quiet").write_text("assertion:loaded twice\n")
        report = self.report("check", "--suppressions=quiet", "--runs", "500", program)
        self.assertEqual(report["findings"], [])

    def test_the_patterns_of_one_bug_are_one_finding(self):
        program = self.build("cache.cpp", flags=["-O1"])
        findings = [f for f in self.atomicity(program, code=2)["findings"]
                    if f["status"] != "potential"]
        (finding,) = findings
        self.assertEqual((finding["status"], finding["pattern"]), ("harmful", 2))
        self.assertGreater(len(finding["related"]), 1)
        ids = {related["id"] for related in finding["related"]}
        self.assertEqual(len(ids | {finding["id"]}), len(finding["related"]) + 1)
        members = " ".join(related["message"] for related in finding["related"])
        self.assertIn("`loads_`", members)
        for related in finding["related"]:
            self.assertEqual(related["status"], "harmful")
            self.assertEqual(related["sites"][0]["line"], line_of("cache.cpp", "LOOK"))
            self.assertGreaterEqual(related["probability"], 0.9)
        text = self.heddle("report", finding["id"], code=2).stdout
        self.assertIn("note: also: ", text)

    def test_units_that_are_torn_at_the_same_sites_are_two_findings(self):
        program = self.build("same_getters.cpp", flags=["-O1"])
        findings = self.atomicity(program, code=2)["findings"]
        self.assertEqual({f["status"] for f in findings}, {"confirmed"})
        torn = sorted(f["message"].split(" are read apart in ")[1].split(",")[0] for f in findings)
        self.assertEqual(torn, ["Disk::full", "Disk::percent"])
        self.assertEqual(len({f["id"] for f in findings}), 2)
        again = self.atomicity(program, code=2)["findings"]
        self.assertEqual({f["id"] for f in again}, {f["id"] for f in findings})

    def test_what_breaks_something_else_is_another_finding(self):
        program = self.build("torn_statistics.cpp", flags=["-O1", "-DORDER"])
        findings = self.atomicity(program, code=2)["findings"]
        torn = [f for f in findings if f["kind"] == "atomicity-violation"]
        self.assertEqual({f["status"] for f in torn} - {"potential"}, {"confirmed"})
        self.assertTrue(all("`requests_`" in f["message"] for f in torn))
        failed = [f for f in findings if f["kind"] == "assertion"]
        self.assertEqual(len(failed), 1)  # it needs no torn unit
        self.assertIn("taken too early", failed[0]["message"])

    def test_a_tear_beside_the_one_that_matters_is_a_note(self):
        program = self.build("torn_beside.cpp", flags=["-O1"])
        findings = [f for f in self.atomicity("--trials", "40", program, code=2)["findings"]
                    if f["status"] != "potential"]
        self.assertEqual({(f["status"], "Log" in f["message"]) for f in findings},
                         {("harmful", False), ("confirmed", True)})
        (finding,) = self.report("check", program, code=2)["findings"]
        self.assertIn("`balance_` of Account", finding["message"])

    def test_the_innermost_tear_stands_for_those_around_it(self):
        program = self.build("torn_statistics.cpp", flags=["-O1"])
        harmful = [f for f in self.atomicity(program, code=2)["findings"]
                   if f["status"] == "harmful"]
        self.assertEqual(len(harmful), 1)
        self.assertIn("`done_`", harmful[0]["message"])

    def test_a_minimised_violation_stays_one(self):
        program = self.build("cache.cpp", flags=["-O1"])
        (found,) = self.report("check", "--no-minimize", program, code=2)["findings"]
        (short,) = self.report("minimize", found["id"], code=2)["findings"]
        for key in ("id", "kind", "status", "message", "pattern", "sites", "related"):
            self.assertEqual(short[key], found[key], key)
        self.assertLessEqual(short["preemptions"], found["preemptions"])
        self.assertNotEqual(short["steps"], [])
        self.assertEqual(short["failure"]["kind"], "assertion")
        (again,) = self.report("replay", found["id"], code=2)["findings"]
        self.assertEqual(again["pattern"], found["pattern"])

    def test_other_ways_to_look_for_it(self):
        program = self.build("account.cpp", flags=["-O1"])
        monitored = self.atomicity("--method=monitoring", "--trials", "50", program)
        self.assertEqual(monitored["method_runs"], 50)
        self.assertLess(monitored["detections"], 50)
        self.assertGreater(monitored["detections"], 0)
        locking = self.atomicity("--method=lock-pattern", "--trials", "50", program)
        self.assertEqual(locking["detections"], 0)  # the paper: no execution has that pattern

    def annotated(self, program, text, code):
        (self.folder / "sets.txt").write_text(text)
        return self.heddle("atomicity", "--format=json", "--sets", "sets.txt", program, code=code)

    def test_a_declared_set_counts_without_a_failure(self):
        program = self.build("account.cpp", flags=["-O1"])
        done = self.annotated(program, "set Account::checking_ Account::savings_\n", code=2)
        (finding,) = json.loads(done.stdout)["findings"]
        self.assertEqual((finding["status"], finding["inferred"]), ("confirmed", False))

    def test_a_set_that_the_source_declares(self):
        for level in ("-O0", "-O2"):
            program = self.build("account.cpp", flags=[level, "-DDECLARED"])
            (finding,) = self.atomicity(program, code=2)["findings"]
            self.assertEqual((finding["status"], finding["inferred"]), ("confirmed", False))

    def test_declarations_in_c(self):
        sets = (((), {(9, "high"), (9, "hits"), (9, "opened")}, set()),
                (("-DMEMBERS",), {(9, "high"), (9, "opened")}, {(9, "high")}),
                (("-DNO_MEMBERS",), {(9, "opened")}, set()),
                (("-DGLOBALS",), {(9, "high"), (9, "hits"), (9, "opened")}, {(9, "opened")}),
                (("-DNO_GLOBALS",), {(9, "high"), (9, "hits")}, set()))

        def members(findings):
            return {(finding["pattern"], name) for finding in findings
                    for name in ("high", "hits", "opened")
                    if f"`{name}`" in finding["message"] and
                    (name != "high" or "`low`" in finding["message"])}

        for flags, found, declared in sets:
            with self.subTest(flags=flags):
                program = self.build("declared_sets.c", compiler="heddle-cc",
                                     flags=["-O1", *flags])
                report = self.atomicity(program, code=2 if declared else 0)
                self.assertEqual(members(report["findings"]), found)
                self.assertEqual(
                    members(f for f in report["findings"] if not f["inferred"]), declared)

    def test_a_check_reports_violations_of_declared_sets(self):
        program = self.build("account.cpp", flags=["-O1", "-DDECLARED"])
        report = self.report("check", "--runs", "500", program, code=2)
        self.assertEqual([f["kind"] for f in report["findings"]], ["atomicity-violation"])

    def test_what_is_in_no_set_and_what_is_no_unit(self):
        program = self.build("account.cpp", flags=["-O1"])
        for text in ("not-in-set savings_\n", "not-in-set Account\n",
                     "not-unit creditInterest # locked\n"):
            with self.subTest(text=text):
                done = self.annotated(program, text, code=0)
                self.assertEqual(json.loads(done.stdout)["findings"], [])

    def readers(self, findings):
        """The functions in which the meter is read apart, of violations of pattern 9."""
        return {name for finding in findings for name in ("power", "difference", "watch")
                if finding["pattern"] == 9 and f"are read apart in {name}," in finding["message"]}

    def test_a_declared_unit_is_one_for_all_that_it_uses(self):
        for flags, units in (((), {"power", "difference"}), (("-DWATCH",), {"watch"})):
            with self.subTest(flags=flags):
                program = self.build("declared_unit.cpp", flags=["-O1", *flags])
                self.assertEqual(self.readers(self.atomicity(program)["findings"]), set())
                done = self.annotated(program, f"unit {' '.join(units)}\n", code=0)
                self.assertEqual(self.readers(json.loads(done.stdout)["findings"]), units)
                declared = self.build("declared_unit.cpp", flags=["-O1", "-DDECLARED", *flags])
                findings = self.atomicity(declared)["findings"]
                self.assertEqual(self.readers(findings), units)
                for finding in findings:
                    self.assertIn("of Meter", finding["message"])
                    self.heddle("replay", finding["id"])

    def test_locks_are_shown_with_the_acquisition_that_holds_them(self):
        program = self.build("two_guards.cpp", flags=["-O1"])
        findings = self.atomicity(program, code=2)["findings"]
        finding = next(f for f in findings if f["pattern"] == 1)
        places = [int(site["held"][0].rsplit(":", 1)[1].rstrip(")")) for site in finding["sites"]]
        first, second = (line_of("two_guards.cpp", f"{mark} LOCK") for mark in ("FIRST", "SECOND"))
        self.assertEqual(places, [first, second, second])

    def test_annotations_that_are_wrong(self):
        program = self.build("account.cpp", flags=["-O1"])
        for text, words in (("set Account::checking_ Account::saving_\n", "did you mean"),
                            ("sett a b\n", "unknown word 'sett'"), ("set a\n", "two members"),
                            ("unit Account::nothing\n", "no function 'Account::nothing'")):
            with self.subTest(text=text):
                self.assertIn(words, self.annotated(program, text, code=1).stderr)

    def test_wrong_annotations_are_known_before_anything_is_run(self):
        program = self.build("account.cpp", flags=["-O1", "-DCHECKED"])
        for text, words in (("sett a b\n", "unknown word 'sett'"),
                            ("unit Account::nothing\n", "no function 'Account::nothing'")):
            (self.folder / "sets.txt").write_text(text)
            for command in ("atomicity", "check"):
                with self.subTest(text=text, command=command):
                    done = self.heddle(command, "--sets=sets.txt", program, code=1)
                    self.assertIn(words, done.stderr)
                    self.assertEqual(done.stdout, "")
        self.assertFalse(list((self.folder / ".heddle" / "traces").glob("*")))

    def test_without_debug_information(self):
        program = self.build("account.cpp", flags=["-O1", "-g0"])
        report = self.atomicity(program)
        self.assertEqual([f["pattern"] for f in report["findings"]], [9])
        self.assertTrue(any("without debug information" in w for w in report["warnings"]),
                        report["warnings"])

    def test_a_program_without_objects(self):
        program = self.build("no_objects.c", compiler="heddle-cc")
        done = self.heddle("atomicity", program)
        self.assertIn("no function gets an object or uses a global", done.stdout)

    def test_a_million_units(self):
        program = self.build("many_units.cpp", flags=["-O2"])
        report = self.atomicity("--profiles", "1", "--trials", "1", "--seconds", "100",
                                "--max-steps", "100000000", program)
        self.assertEqual({f["pattern"] for f in report["findings"]}, {8})


if __name__ == "__main__":
    unittest.main()
