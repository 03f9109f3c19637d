#!/usr/bin/env python3
"""Thread ids that look like halves of the runtime's addresses.

The runtime finds the place of the id in a thread's descriptor by looking for it there; pointers to
stacks, whose upper halves are small numbers, stand in the descriptor too.
"""

import subprocess
import unittest
from pathlib import Path

from workshop import Workshop

LAST_ID = Path("/proc/sys/kernel/ns_last_pid")
UPPER_HALVES = (0x1000, 0x1020, 0x1040)  # of stacks and heap


def steer(last):
    try:
        LAST_ID.write_text(str(last))
        return True
    except OSError:
        return False


class ThreadIds(Workshop):
    def test_none_of_them_is_mistaken(self):
        before = LAST_ID.read_text() if LAST_ID.exists() else ""
        if not before or not steer(UPPER_HALVES[0] - 10):
            self.skipTest("the next process id cannot be chosen here")
        self.addCleanup(steer, int(before))
        program = self.build("many_locks.cpp")
        for half in UPPER_HALVES:
            for distance in range(1, 9):
                steer(half - distance - 1)
                done = subprocess.run([program], cwd=self.folder, env=self.environment,
                                      stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"id {half}, {distance} before: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
