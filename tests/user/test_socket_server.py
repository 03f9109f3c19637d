#!/usr/bin/env python3
"""A server on a socket that never ends, with its clients in the same program."""

import unittest

from workshop import Workshop


class SocketServer(Workshop):
    def test_waiting_for_clients_ends_a_run(self):
        program = self.build("socket_server.cpp", flags=["-O1"])
        report = self.report("check", "--until-idle", "--runs=300", program)
        self.assertEqual(report["findings"], [])
        self.assertRegex(report["summary"][-1], r"ended idle")

    def test_bugs_of_a_server_are_found_and_replayed(self):
        program = self.build("socket_server.cpp", flags=["-O1"])
        found = self.finding("--until-idle", "--runs=2000", program, "bug")
        self.assertIn("requests == 2", found["message"])
        self.heddle("replay", found["id"], code=2)

    def test_without_the_option_the_message_names_it(self):
        program = self.build("socket_server.cpp", flags=["-O1"])
        done = self.heddle("check", "--runs=300", "--wait-seconds=1", program, "quiet", code=4)
        self.assertIn("has waited for 1 s", done.stderr)
        self.assertIn("--until-idle", done.stderr)


if __name__ == "__main__":
    unittest.main()
