#!/usr/bin/env python3
"""A report speaks of the user's own objects, lines and threads."""

import shutil
import unittest

from workshop import PROGRAMS, Workshop

LIBRARY_WORDS = ("_M_", "std::_", "/usr/include")


class Report(Workshop):
    def text_of(self, name, *words):
        """The text of a check of a program that fails, and that program."""
        program = self.build(f"report_{name}.cpp")
        return self.heddle("check", "--runs=3000", *words, program, code=2).stdout

    def interleaving(self, text):
        return text.split("Interleaving", 1)[1].split("\n\n", 1)[0]

    def assert_own_words(self, text):
        for word in LIBRARY_WORDS:
            self.assertNotIn(word, self.interleaving(text))

    def test_the_replay_command_names_the_store(self):
        program = self.build("counter.cpp")
        text = self.heddle("check", "--store", "other place", program, code=2).stdout
        id = text.split("heddle replay --store 'other place' ")[1].split()[0]
        self.assertTrue(id.startswith("H-"), text)
        self.heddle("replay", "--store", "other place", id, code=2)
        self.assertFalse((self.folder / ".heddle").exists())

    def test_a_container_is_called_by_its_member(self):
        text = self.text_of("queue")
        self.assert_own_words(text)
        self.assertRegex(text, r"(read|write) Queue::items_ ")
        self.assertRegex(text, r"signal Queue::filled_ \(wakes T[12]\)")
        self.assertIn("join T1 (waits)", text)

    def test_a_lost_notification_wakes_nobody(self):
        text = self.text_of("lost_signal")
        self.assert_own_words(text)
        self.assertIn("atomic read ready = 0", text)
        self.assertIn("broadcast changed (wakes nobody)", text)
        self.assertIn("Main thread is blocked: waits for the end of T1", text)
        self.assertEqual(text.count("#0 main::$_0::operator()"), 1, "its stack stands there once")
        self.assertNotIn("--until-idle", text)

    def test_a_notification_that_is_always_lost_is_no_server(self):
        text = self.heddle("check", self.build("never_notified.cpp"), code=2).stdout
        self.assertIn("no preemption is needed", text)
        self.assertNotIn("--until-idle", text)

    def test_freed_memory_has_the_lines_of_the_user(self):
        text = self.text_of("freed_job")
        self.assert_own_words(text)
        self.assertIn("heap-use-after-free", text)
        self.assertRegex(text, r"free \*?[jJ]ob")
        self.assertRegex(text, r"Memory freed by main thread:\n    #0 .* \S*report_freed_job.cpp:")
        self.assertRegex(text, r"Memory allocated by main thread:\n    #0 .* \S*report_freed_job")
        self.assertRegex(text, r"atomic update Job::left = 0")

    def test_an_exception_has_a_readable_type(self):
        text = self.text_of("joined_twice")
        self.assertIn("exception of type `std::system_error`", text)
        self.assertNotIn("St12system_error", text)
        self.assertRegex(text, r"join T1 \(.+\)")

    def test_a_program_like_a_server_hears_of_the_option(self):
        # Time goes on, so that it is no hang; but no run of it ends.
        program = self.build("report_clock.cpp")
        done = self.heddle("check", "--seconds=3", program, code=4)
        self.assertIn("use --until-idle", done.stderr)
        self.assertIn("sleep_for", done.stderr)
        self.heddle("check", "--until-idle", "--runs=20", "--seconds=10", program)

    def test_files_are_shown_as_seen_from_here(self):
        (self.folder / "src").mkdir()
        shutil.copy(PROGRAMS / "counter.cpp", self.folder / "src")
        program = self.build(self.folder / "src" / "counter.cpp")
        text = self.heddle("check", "--runs=3000", program, code=2).stdout
        self.assertTrue(text.startswith("src/counter.cpp:"), text)
        self.assertNotIn(f"#0 main {self.folder}", text)

    def test_showing_findings_again_counts_no_runs(self):
        found = self.finding("--runs=3000", self.build("counter.cpp"))
        text = self.heddle("report", found["id"], code=2).stdout
        self.assertIn("SUMMARY: heddle: ", text)
        self.assertRegex(text, r"heddle report .*: 1 finding \(1 \w+\)\n$")
        text = self.heddle("report", code=2).stdout
        self.assertRegex(text, rf"^{found['id']} +{found['kind']} +{found['status']} +\S*counter.cpp:\d+")
        self.assertEqual(len(text.splitlines()), 3, text)
        self.assertRegex(text, r"heddle report .*: 1 finding \(1 \w+\)\n$")
        self.heddle("export", found["id"], "--output=moved file.heddle")
        text = self.heddle("replay", "moved file.heddle", code=2).stdout
        self.assertIn("replay: heddle replay 'moved file.heddle'\n", text)


if __name__ == "__main__":
    unittest.main()
