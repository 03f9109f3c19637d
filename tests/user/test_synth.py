#!/usr/bin/env python3
"""heddle synth: from a program of sequential tests to concurrent ones that compile and find."""

import shutil
import unittest

from workshop import PROGRAMS, Workshop

MAIN = """#include "synth_queue.h"
int main() {
  shop::Queue queue, other;
  queue.push(3);
  queue.drain(other);
  (void)queue.pop();
  (void)queue.pushed();
}
"""

GOOGLE = """#include "synth_queue.h"
#include <gtest/gtest.h>
#include <thread>
TEST(Queue, Pushes) { shop::Queue queue; queue.push(3); EXPECT_EQ(queue.pushed(), 1); }
TEST(Queue, Fails) { shop::Queue queue; (void)queue.pop(); EXPECT_EQ(queue.pushed(), 1); }
TEST(Queue, Threads) { shop::Queue queue; std::thread t([&] { queue.pop(); }); t.join(); queue.pop(); }
"""


class Synth(Workshop):
    def sequential(self, text, *libraries, output="sequential"):
        """Compiles sequential tests as a user does who has never heard of synth."""
        shutil.copy(PROGRAMS / "synth_queue.h", self.folder)
        (self.folder / "sequential.cpp").write_text(text)
        return self.build("sequential.cpp", *libraries, flags=["-std=c++20"], output=output)

    def compile_all(self, folder, *flags):
        files = sorted((self.folder / folder).glob("*_test.cpp"))
        self.assertTrue(files)
        for file in files:
            self.run_tool("clang++-19", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only",
                          f"-I{self.folder}", *flags, file)
        return files

    def test_tests_of_a_plain_program_compile_and_say_what_they_are_about(self):
        program = self.sequential(MAIN)
        report = self.report("synth", program, "-o", "out")
        calls = {test["calls"] for test in report["tests"]}
        self.assertIn("queue1.push(3) || queue1.pushed()", calls)
        for test in report["tests"]:
            self.assertTrue(test["pairs"], test)
        self.assertEqual(report["sequential_tests"], 1)
        (file,) = self.compile_all("out")
        text = file.read_text()
        self.assertIn("Race on shop::Queue::pushed_", text)
        self.assertIn("#include \"synth_queue.h\"", text)
        self.assertNotIn("heddle/", text)
        self.assertTrue((self.folder / "out" / "summary.txt").read_text())
        self.assertTrue((self.folder / "out" / "summary.json").exists())

    def test_every_test_that_stays_after_a_check_has_found_something(self):
        program = self.sequential(MAIN)
        report = self.report("synth", "--check", program, "-o", "out", code=2)
        aims = {test["test"]: test["aim"] for test in report["tests"]}
        checks = report["checks"]["tests"]
        self.assertEqual({check["test"] for check in checks}, set(aims))
        # drain beside drain, push and pop: each outcome is that of a serial order, so they go.
        self.assertEqual(list(aims.values()), ["race", "race"])
        self.assertTrue(any("shows nothing" in one["reason"] for one in report["dropped"]), report["dropped"])
        for check in checks:
            self.assertTrue(check["findings"], check)
            self.assertTrue(check["announced"], check)
        for finding in report["findings"]:
            self.assertIn(finding["test"], set(aims))
        self.heddle("replay", report["findings"][0]["id"], code=2)
        self.compile_all("out")

    def test_chance_makes_as_many_tests_at_most(self):
        program = self.sequential(MAIN)
        directed = self.report("synth", program, "-o", "out")
        random = self.report("synth", "--random", program, "-o", "random")
        self.assertTrue(random["tests"])
        self.assertLessEqual(len(random["tests"]), len(directed["tests"]))
        self.assertEqual({test["aim"] for test in random["tests"]}, {"random"})
        again = self.report("synth", "--random", program, "-o", "random")
        self.assertEqual([test["calls"] for test in random["tests"]], [test["calls"] for test in again["tests"]])
        self.compile_all("random")

    def test_an_outcome_that_no_serial_order_gives_is_a_finding_of_its_kind(self):
        program = self.sequential("""#include "synth_queue.h"
int main() { shop::Account account(7); (void)account.withdraw(4); (void)account.balance(); }
""")
        report = self.report("synth", "--check", program, "-o", "out", code=2)
        found = [finding for finding in report["findings"]
                 if (finding["failure"] or finding)["kind"] == "not-linearizable"]
        self.assertTrue(found, report["findings"])
        self.assertIn("`true | true | -1`", found[0]["message"])
        self.assertTrue(any(check["not_linearizable"] for check in report["checks"]["tests"]))
        replayed = self.heddle("replay", found[0]["id"], code=2)
        self.assertIn("no serial order", replayed.stdout + replayed.stderr)

    def test_failing_and_threaded_tests_are_left_out_with_the_reason(self):
        program = self.sequential(GOOGLE, "-lgtest_main", "-lgtest")
        report = self.report("synth", program, "-o", "out")
        skipped = {test["test"]: test["reason"] for test in report["skipped_tests"]}
        self.assertEqual(skipped["Queue_Fails_Test"], "fails by itself")
        self.assertEqual(skipped["Queue_Threads_Test"], "uses threads")
        self.assertEqual(report["sequential_tests"], 1)
        self.compile_all("out")

    def test_what_cannot_be_done_is_said_in_one_sentence(self):
        program = self.sequential(MAIN)
        self.assertIn("did you mean Queue?", self.one_sentence("synth", program, "--class=Quene", "-o", "out"))
        self.assertIn("-o DIR", self.one_sentence("synth", program))
        failing = self.sequential(MAIN.replace("}\n", "  return 3;\n}\n"), output="failing")
        self.assertIn("exited with status 3", self.one_sentence("synth", failing, "-o", "out"))
        alone = self.sequential("int main() {}", output="alone")
        self.assertIn("never call the library", self.one_sentence("synth", alone, "-o", "out"))

    def test_a_class_in_the_file_of_the_tests_is_found_by_its_name(self):
        program = self.sequential("""#include <mutex>
struct Counter { int n = 0; std::mutex m; void add() { ++n; } int get() { std::lock_guard g(m); return n; } };
int main() { Counter counter; counter.add(); return counter.get() != 1; }
""")
        self.assertIn("--own", self.one_sentence("synth", program, "-o", "out"))
        report = self.report("synth", program, "--own", "Counter", "-o", "out")
        self.assertIn("counter1.add() || counter1.add()", {test["calls"] for test in report["tests"]})
        self.compile_all("out")


if __name__ == "__main__":
    unittest.main()
