#!/usr/bin/env python3
"""Options of check on programs that need them."""

import unittest

from workshop import Workshop


class Options(Workshop):
    def test_the_programs_output(self):
        program = self.build("counter.cpp")
        failing = self.heddle("check", "--runs=3000", program, code=2)
        self.assertIn("    | the program starts\n", failing.stdout)
        self.assertEqual(failing.stderr, "")
        never = self.heddle("check", "--runs=3000", "--show-output=never", program, code=2)
        self.assertNotIn("the program starts", never.stdout + never.stderr)
        live = self.heddle("check", "--runs=20", "--show-output=live", program, "locked")
        lines = live.stderr.splitlines()
        self.assertEqual(set(lines), {"the program starts"})
        self.assertGreaterEqual(len(lines), 20)

    def test_options_behind_the_program_are_the_programs(self):
        program = self.build("counter.cpp")
        done = self.heddle("check", "--runs=20", program, "locked", "--seconds", "5")
        self.assertRegex(done.stderr, r"^heddle: warning: --seconds stands behind the program .*\n$")
        for words in ((program, "locked", "--second"), ("--", program, "locked", "--seconds=5")):
            self.assertEqual(self.heddle("check", "--runs=20", *words).stderr, "")

    def test_an_endless_loop_is_named_before_the_time_is_over(self):
        program = self.build("endless.cpp", flags=["-O1"])
        for word in ("computes", "writes"):
            done = self.heddle("check", "--hang-seconds=1", "--seconds=60", program, word, code=4)
            self.assertRegex(done.stderr, r"thread T0 has run for 1 s without a scheduling point, "
                                          r"after main \(.*endless.cpp:\d+\)")
            self.assertIn("it begins", done.stderr)

    def test_a_first_run_that_fails_by_its_status_shows_what_it_said(self):
        program = self.build("endless.cpp", flags=["-O1"])
        report = self.report("check", "--runs=20", program, "status")
        self.assertTrue(any("status 3" in text and "cannot begin" in text
                            for text in report["warnings"]), report["warnings"])

    def test_points_decide_what_is_found(self):
        program = self.build("counter.cpp")
        self.assertEqual(self.report("check", "--points=sync", "--runs=2000", program)["findings"],
                         [])
        for points in ("shared", "all"):
            self.finding(f"--points={points}", "--runs=3000", program)

    def test_timeouts_and_spurious_wakes_are_asked_for(self):
        program = self.build("early.cpp")
        for word, option in (("timeout", "--time=any"), ("spurious", "--spurious")):
            self.heddle("check", "--runs=2000", program, word)
            found = self.finding("--runs=5000", option, program, word)
            self.assertEqual(found["notes"], [f"needs {option}"])
            self.heddle("replay", found["id"], code=2)

    def test_keep_going_reports_each_bug_once(self):
        program = self.build("two_bugs.cpp")
        report = self.report("check", "--keep-going", "--runs=3000", program, code=2)
        # The lost update is two races, of the write with the read and with the other write: one bug.
        self.assertEqual(sorted(finding["kind"] for finding in report["findings"]),
                         ["data-race", "deadlock"])
        race = next(finding for finding in report["findings"] if finding["kind"] == "data-race")
        self.assertEqual(len(race["related"]), 1)
        self.assertEqual(self.failures(report), ["assertion", "deadlock"])
        self.assertGreaterEqual(report["runs"], 3000)
        self.assertEqual(len(self.report("report", code=2)["findings"]), 2)

    def test_keep_going_reports_one_finding_for_one_cause(self):
        program = self.build("bystander.cpp")
        for kind, word in (("deadlock", "deadlock"), ("memory-error", "free")):
            report = self.report("check", "--keep-going", "--runs=3000", program, word, code=2)
            failing = [finding for finding in report["findings"] if finding["failure"]]
            self.assertEqual({finding["failure"]["kind"] for finding in failing}, {kind})
            # The access races with each of the two places that free, and each may do the harm.
            self.assertLessEqual(len(failing), 1 if kind == "deadlock" else 2)
            self.assertGreater(max(finding["count"] for finding in failing), 5)
            for found in report["findings"]:
                self.heddle("replay", found["id"], code=2)

    def test_keep_going_keeps_the_shortest_schedule(self):
        program = self.build("bystander.cpp")
        report = self.report("check", "--keep-going", "--runs=3000", program, "deadlock", code=2)
        found = report["findings"][0]
        self.assertIn(f"{found['count']} runs failed from this cause", found["notes"][-1])
        first = self.finding("--runs=3000", "--store=other", program, "deadlock")
        self.assertEqual(first["count"], 1)
        self.assertLessEqual(len(found["schedule"]), len(first["schedule"]))

    def test_jobs_do_not_change_the_result(self):
        program = self.build("two_bugs.cpp")
        results = []
        for jobs in ("-j1", "-j2", "-j0", "--jobs=3", "--seed=1"):
            report = self.report("check", jobs, f"--store={jobs}", "--keep-going", "--runs=2000",
                                 program, code=2)
            found = [(f["id"], f["schedule"], f["count"]) for f in report["findings"]]
            results.append((report["runs"], report["behaviours"], found))
        self.assertEqual(results, [results[0]] * len(results))

    def test_jobs_do_not_change_when_a_check_ends(self):
        program = self.build("counter.cpp")
        ends = {self.report("check", jobs, f"--store={jobs}", "--settled-runs=700", program,
                            "locked")["runs"] for jobs in ("-j1", "-j2", "-j3")}
        self.assertEqual(len(ends), 1, ends)

    def test_no_strategy_starves_who_others_wait_for(self):
        for source in ("spinners.cpp", "loaders.cpp"):
            program = self.build(source, flags=["-O1", "-std=c++20"], output=source.split(".")[0])
            for strategy in ("random", "pct", "pos", "surw", "round-robin"):
                self.heddle("run", f"--strategy={strategy}", "--runs=300", program, code=0)

    def test_pct_changes_priorities_over_the_whole_run(self):
        program = self.build("late_update.cpp")
        report = self.report("run", "--strategy=pct", "--depth=2", "--runs=6000", "--keep-going",
                             program, code=2)
        # The paper's bound is 1 / (n k) = 1 / (2 * 160), and 19 runs; about 40 fail.
        self.assertGreater(report["findings"][0]["count"], 19)

    def test_options_from_the_environment(self):
        program = self.build("counter.cpp")
        settings = {"HEDDLE_OPTIONS": "runs=30:points=sync"}
        report = self.report("check", program, environment=settings)
        self.assertLess(report["runs"], 40)
        report = self.report("check", "--runs=60", program, environment=settings)
        self.assertGreaterEqual(report["runs"], 60)
        message = self.one_sentence("check", program, environment={"HEDDLE_OPTIONS": "time=never"})
        self.assertIn("HEDDLE_OPTIONS: option time: 'never' is not one of order, any", message)

    def test_variables_of_the_program(self):
        source = self.folder / "variable.cpp"
        source.write_text("#include <cstdlib>\n#include <cstring>\n#include <thread>\n"
                          "int main() { std::thread([] {}).join();\n"
                          '  const char* value = getenv("COLOUR");\n'
                          '  return value && !strcmp(value, "blue") ? 0 : 7; }\n')
        program = self.build("variable.cpp")
        done = self.heddle("check", "--runs=10", "--env", "COLOUR=blue", program)
        self.assertIn("exit status 0", done.stdout)
        done = self.heddle("check", "--runs=10", "--env", "COLOUR", program,
                           environment={"COLOUR": "blue"})
        self.assertIn("exit status 7", done.stdout)


if __name__ == "__main__":
    unittest.main()
