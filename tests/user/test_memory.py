#!/usr/bin/env python3
"""Memory that begins and ends, has two addresses, is not touched; and what a restore cannot undo."""

import shutil
import unittest

from workshop import Workshop

CORRECT = ["mapping_reused.cpp", "mapping_follows.cpp", "mutex_mapped_twice.cpp",
           "mapped_twice.cpp", "object_ends.cpp", "robust_heir.c", "robust_heirs.c",
           "own_stacks.cpp", "realloc_locked.cpp", "mapped_again.cpp",
           "listed_threads.cpp"]
CHANGES = ["rlimit", "umask", "umask_raw", "chdir", "nnp", "nnp_syscall", "nice", "affinity",
           "personality", "setsid"]


class Memory(Workshop):
    def build_memory(self, source):
        compiler = "heddle-cc" if source.endswith(".c") else "heddle-c++"
        standard = () if source.endswith(".c") else ("-std=c++20",)
        return self.build(f"memory/{source}", flags=("-O1", *standard), compiler=compiler)

    def replays(self, finding):
        """The same run, again and again."""
        digests = set()
        for _ in range(3):
            report = self.report("replay", finding["id"], code=2)
            digests.add(report["trace_digest"])
        self.assertEqual(len(digests), 1)

    def test_nothing_is_found_in_correct_programs(self):
        for source in CORRECT:
            program = self.build_memory(source)
            for command in ("check", "races", "atomicity"):
                with self.subTest(program=source, command=command):
                    report = self.report(command, self.seconds(5), program)
                    statuses = {finding["status"] for finding in report["findings"]}
                    self.assertLessEqual(statuses, {"potential"})

    def test_what_is_unmapped_is_freed(self):
        found = self.finding(self.seconds(10), self.build_memory("mapping_ends.cpp"))
        self.assertEqual(found["kind"], "data-race")
        self.assertIn("free by T2", found["message"])
        self.replays(found)

    def test_a_race_through_two_addresses(self):
        for source in ("mapped_twice_race.cpp", "mapped_again_race.cpp"):
            with self.subTest(program=source):
                found = self.finding(self.seconds(10), self.build_memory(source))
                self.assertEqual((found["kind"], found["status"]), ("data-race", "harmful"))
                self.replays(found)

    def test_realloc_frees_whether_it_moves_or_not(self):
        for source in ("realloc_moves.c", "realloc_stays.c"):
            program = self.build_memory(source)
            for command in ("check", "races"):
                with self.subTest(program=source, command=command):
                    shutil.rmtree(self.folder / ".heddle", ignore_errors=True)
                    report = self.report(command, self.seconds(10), program, code=2)
                    self.assertEqual(len(report["findings"]), 1)
                    self.assertIn("free", report["findings"][0]["message"])
                    self.replays(report["findings"][0])

    def test_what_is_destroyed_while_in_use(self):
        for source, words, what in (
                ("condition_destroyed.cpp", (), "broadcast of a condition variable"),
                ("mutex_destroyed.c", (), "lock of a mutex"),
                ("rw_destroyed.c", (), "read lock of a read-write lock")):
            with self.subTest(program=source):
                found = self.finding(self.seconds(10), self.build_memory(source), *words)
                self.assertEqual(found["kind"], "memory-error")
                self.assertIn(f"use after destruction: {what}", found["message"])
                self.replays(found)

    def test_shared_memory_is_put_back_between_runs(self):
        program = self.build_memory("shared_before_main.cpp")
        for isolation in ("inplace", "fork", "exec"):
            with self.subTest(isolation=isolation):
                report = self.report("run", f"--isolation={isolation}", "--runs=50", program)
                self.assertEqual(report["findings"], [])
                self.assertGreaterEqual(report["runs"], 50)

    def test_shared_memory_is_put_back_between_windows(self):
        report = self.report("check", self.seconds(6), self.build_memory("shared_long.c"))
        self.assertEqual(report["findings"], [])
        self.assertGreater(report["runs"], 100)

    def test_untouched_memory_costs_nothing(self):
        program = self.build_memory("untouched.cpp")
        for how in ("0", "1", "2", "3"):
            for isolation in ("inplace", "fork"):
                with self.subTest(how=how, isolation=isolation):
                    report = self.report("run", f"--isolation={isolation}", "--runs=20", program,
                                         how, "1024")
                    self.assertGreaterEqual(report["runs"], 20)
                    self.assertLess(report["seconds"], 10)

    def test_a_seccomp_filter_makes_runs_fork(self):
        program = self.build_memory("seccomp_filter.cpp")
        report = self.report("check", self.seconds(5), program)
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["isolation"], "fork")
        self.assertIn("prctl", report["isolation_reason"])

    def test_changes_of_the_process_are_not_seen_by_the_next_run(self):
        program = self.build_memory("process_changes.cpp")
        for change in CHANGES:
            with self.subTest(change=change):
                report = self.report("check", "--runs=50", program, change)
                self.assertEqual(report["findings"], [])
                self.assertEqual(report["isolation"], "fork")
                self.assertNotEqual(report["isolation_reason"], "")

    def test_the_name_of_a_thread_is_undone(self):
        program = self.build_memory("process_changes.cpp")
        report = self.report("check", "--runs=50", program, "name")
        self.assertEqual((report["findings"], report["isolation"]), ([], "inplace"))


if __name__ == "__main__":
    unittest.main()
