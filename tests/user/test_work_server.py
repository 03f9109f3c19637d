#!/usr/bin/env python3
"""Servers whose workers wait for work for ever."""

import unittest

from workshop import Workshop


class WorkServer(Workshop):
    def test_waiting_for_work_ends_a_run(self):
        program = self.build("work_server.cpp", flags=["-O1"])
        done = self.heddle("check", "--until-idle", "--runs=500", program)
        self.assertIn("nothing found", done.stdout)
        self.assertRegex(done.stdout, r"\d+ runs, 0 failed, \d+ ended idle")

    def test_bugs_of_a_server_are_found_and_replayed(self):
        program = self.build("work_server.cpp", flags=["-O1"])
        found = self.finding("--until-idle", "--runs=3000", program, "bug")
        self.assertIn("handled == 4", found["message"])
        again = self.report("replay", found["id"], code=2)
        self.assertEqual(again["findings"][0]["id"], found["id"])

    def test_without_the_option_the_report_names_it(self):
        program = self.build("work_server.cpp", flags=["-O1"])
        done = self.heddle("check", "--runs=500", program, code=2)
        self.assertIn("[heddle-deadlock]", done.stdout)
        self.assertIn("check it with --until-idle", done.stdout)


if __name__ == "__main__":
    unittest.main()
