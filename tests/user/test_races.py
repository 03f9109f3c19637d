#!/usr/bin/env python3
"""Races are predicted, made to happen, judged by what they break, and replayed."""

import unittest

from workshop import PROGRAMS, Workshop


def line_of(program, mark):
    """The line of a program that carries a comment."""
    lines = (PROGRAMS / program).read_text().splitlines()
    return 1 + next(i for i, line in enumerate(lines) if line.endswith(f"// {mark}"))


def lines(finding):
    return sorted(site["line"] for site in finding["sites"])


class Races(Workshop):
    def races(self, *words, code=2):
        return self.report("races", *words, code=code)

    def test_only_the_real_race_of_figure_1_is_confirmed(self):
        program = self.build("figure1.cpp")
        report = self.races(program)
        self.assertEqual(report["candidates"], 2)
        harmful, potential = report["findings"]
        one, five, seven, ten = (line_of("figure1.cpp", str(n)) for n in (1, 5, 7, 10))
        self.assertEqual((harmful["kind"], harmful["status"]), ("data-race", "harmful"))
        self.assertEqual(lines(harmful), [five, seven])
        self.assertEqual(harmful["failure"]["site"]["line"], line_of("figure1.cpp", "ERROR1"))
        self.assertEqual(harmful["probability"], 1)
        self.assertEqual((potential["kind"], potential["status"]), ("data-race", "potential"))
        self.assertEqual(lines(potential), [one, ten])

    def test_what_fails_by_a_sleep_that_ends_early_is_not_the_harm_of_a_race(self):
        program = self.build("sleeping_order.cpp")
        report = self.report("check", "--keep-going", "--runs=2000", program, code=2)
        status = {finding["kind"]: finding["status"] for finding in report["findings"]}
        self.assertEqual(status["data-race"], "confirmed")
        for finding in report["findings"]:
            if finding["kind"] == "assertion":
                self.assertIn("needs --time=any", finding["notes"])

    def test_one_order_fails_and_the_other_does_not(self):
        program = self.build("figure1.cpp")
        finding = self.races(program)["findings"][0]
        by_line = {finding["sites"][order["first_site"]]["line"]: order
                   for order in finding["orders"]}
        fails = by_line[line_of("figure1.cpp", "7")]
        passes = by_line[line_of("figure1.cpp", "5")]
        self.assertEqual(fails["failures"], fails["runs"])
        self.assertEqual(passes["failures"], 0)
        self.assertGreaterEqual(passes["runs"], 20)

    def test_figure_2_whatever_its_length(self):
        for statements in (10, 1000, 100000):
            with self.subTest(statements=statements):
                program = self.build("figure2.cpp", flags=["-O1", f"-DSTATEMENTS={statements}"])
                report = self.races("--trials", "200", "--store", f"store{statements}", program)
                finding = report["findings"][0]
                self.assertEqual(finding["status"], "harmful")
                self.assertEqual(finding["probability"], 1)
                failures = sum(order["failures"] for order in finding["orders"])
                self.assertTrue(80 <= failures <= 120, failures)

    def test_a_confirmed_race_replays(self):
        program = self.build("figure1.cpp")
        finding = self.races(program)["findings"][0]
        for isolation in ("exec", "fork", "inplace"):
            report = self.report("replay", "--times", "20", "--isolation", isolation, finding["id"],
                                 code=2)
            self.assertEqual(report["runs"], 20)
            self.assertEqual(report["trace_digest"], finding["trace_digest"])
            self.assertEqual(report["findings"][0]["id"], finding["id"])

    def test_a_race_that_only_memory_order_allows_stays_potential(self):
        report = self.races(self.build("relaxed_flag.cpp"), code=0)
        self.assertEqual([f["status"] for f in report["findings"]], ["potential"])
        self.assertEqual(lines(report["findings"][0]),
                         [line_of("relaxed_flag.cpp", "write"), line_of("relaxed_flag.cpp", "read")])

    def test_a_lock_that_is_held_for_reading(self):
        program = self.build("shared_lock.cpp", flags=["-std=c++17"])
        (finding,) = self.races(program)["findings"]
        for site in finding["sites"]:
            self.assertEqual(len(site["held"]), 1)
            self.assertTrue(site["held"][0].startswith("table_lock for reading (taken at "), site["held"])
        self.assertIn("holding table_lock for reading (taken at ", self.heddle("races", program, code=2).stdout)

    def test_who_spins_does_not_keep_others_from_running(self):
        findings = self.races(self.build("relay.cpp"), code=0)["findings"]
        self.assertEqual([(f["kind"], f["status"]) for f in findings], [("data-race", "potential")])
        self.assertNotIn("missing_order", findings[0])

    def test_a_program_without_threads(self):
        report = self.races(self.build("tidy.cpp"), code=0)
        self.assertEqual(report["findings"], [])
        self.assertTrue(any("no second thread" in warning for warning in report["warnings"]))

    def test_a_racing_address_that_is_freed(self):
        findings = self.races(self.build("freed_cell.cpp"))["findings"]
        self.assertEqual([f["status"] for f in findings], ["harmful"])
        self.assertEqual(lines(findings[0]), [line_of("freed_cell.cpp", "read"),
                                              line_of("freed_cell.cpp", "free")])
        self.assertEqual(findings[0]["failure"]["kind"], "memory-error")
        self.assertEqual([site["access"] for site in findings[0]["sites"]], ["free", "read"])
        self.assertIn("free by T2", findings[0]["message"])

    def test_a_candidate_that_never_comes_back(self):
        report = self.races(self.build("first_time_only.cpp"), "marker", code=0)
        self.assertEqual([f["status"] for f in report["findings"]], ["potential"])
        self.assertIn("not all reached", report["findings"][0]["message"])
        self.assertLessEqual(report["runs"], 60)

    def test_a_crash_while_it_is_recorded(self):
        findings = self.races(self.build("published_late.cpp"))["findings"]
        self.assertEqual([f["status"] for f in findings], ["harmful"])
        self.assertEqual(findings[0]["failure"]["kind"], "crash")
        self.assertEqual(lines(findings[0]), [line_of("published_late.cpp", "write"),
                                              line_of("published_late.cpp", "read")])

    def test_ten_thousand_candidates_in_a_short_time(self):
        statements = "\n".join(f"  v = v + {i};" for i in range(75))
        source = (f"#include <thread>\nstatic int v;\nstatic void a() {{\n{statements}\n}}\n"
                  f"static void b() {{\n{statements}\n}}\n"
                  "int main() { std::thread t(a), u(b); t.join(); u.join(); }\n")
        (self.folder / "many.cpp").write_text(source)
        budget = self.seconds(6)
        report = self.races(budget, self.build("many.cpp", flags=["-O1"]))
        self.assertGreaterEqual(report["candidates"], 8000)
        statuses = [f["status"] for f in report["findings"]]
        self.assertIn("confirmed", statuses)
        came_about = sum(int(words.split()[0]) for words in report["warnings"]
                         if "no time to see them happen again" in words)
        self.assertGreaterEqual(came_about + statuses.count("confirmed"), 1000)
        self.assertLess(report["seconds"], float(budget.removeprefix("--seconds=")) + 2)

    def test_suppressed_races_are_counted_and_not_reported(self):
        program = self.build("figure1.cpp")
        (self.folder / "quiet").write_text("# known\nrace:^z$\nrace:nobody\n")
        report = self.races("--suppressions=quiet", program, code=0)
        self.assertEqual([f["status"] for f in report["findings"]], ["potential"])
        self.assertEqual(report["suppressed"], 1)
        self.assertIn("suppressions that nothing matched: race:nobody", report["summary"])

    def test_a_suppressed_failure_does_not_end_the_search(self):
        program = self.build("known_deadlock.cpp", flags=["-std=c++17"])
        (self.folder / "known").write_text("deadlock:legacyForth\n")
        for seed in range(1, 7):
            report = self.report("check", f"--seed={seed}", "--suppressions=known",
                                 f"--store=store{seed}", program, code=2)
            found, = report["findings"]
            self.assertEqual(found["failure"]["kind"], "assertion")
            self.assertEqual(found["failure"]["site"]["line"], line_of("known_deadlock.cpp", "sold out"))

    def test_a_wrong_suppression_is_one_sentence(self):
        program = self.build("figure1.cpp")
        (self.folder / "wrong").write_text("race:x\nrac:y\n")
        self.assertIn("wrong:2: unknown type 'rac' (known: race, ",
                      self.one_sentence("races", "--suppressions=wrong", program))
        self.assertIn("cannot read the suppressions nothing",
                      self.one_sentence("check", "--suppressions=nothing", program))

    def test_check_finds_the_race_in_few_runs(self):
        finding = self.finding_of_check(self.build("figure1.cpp"))
        self.assertEqual(finding["status"], "harmful")
        self.assertLessEqual(finding["run"], 10)

    def test_what_follows_from_a_double_checked_pointer_is_that_race(self):
        program = self.build("double_checked.cpp", flags=["-O1"])
        for seed in range(1, 7):
            findings = self.report("check", f"--seed={seed}", f"--store=store{seed}", program,
                                   code=2)["findings"]
            self.assertEqual({f["kind"] for f in findings}, {"data-race"})
            harmful = [f for f in findings if f["status"] == "harmful"]
            self.assertEqual(len(harmful), 1)
            # The pointer's race, or that of what the pointer publishes: each leads to the failure.
            self.assertIn(lines(harmful[0]),
                          ([line_of("double_checked.cpp", "read"),
                            line_of("double_checked.cpp", "write")],
                           [line_of("double_checked.cpp", "fill"),
                            line_of("double_checked.cpp", "look")]))
            self.assertEqual(harmful[0]["failure"]["kind"], "exception")

    def test_a_failure_that_a_race_beside_it_does_not_cause_is_no_race(self):
        program = self.build("bystander_race.cpp", flags=["-O1"])
        for seed in range(1, 7):
            findings = self.report("check", f"--seed={seed}", f"--store=store{seed}", program,
                                   code=2)["findings"]
            failing, = [f for f in findings if f["failure"]]
            self.assertEqual(failing["failure"]["kind"], "assertion")
            self.assertNotEqual(failing["kind"], "data-race")
            self.assertNotIn("calls", failing["message"])

    def finding_of_check(self, program):
        findings = self.report("check", program, code=2)["findings"]
        self.assertEqual(len(findings), 1)
        return findings[0]


if __name__ == "__main__":
    unittest.main()
