#!/usr/bin/env python3
"""Runs of programs with OpenMP leave nothing behind that a later process could find."""

import unittest
from pathlib import Path

from workshop import Workshop

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "openmp"
SHARED = Path("/dev/shm")


def left_notes():
    """What the OpenMP library keeps of processes that are no more."""
    notes = {path.name for path in SHARED.glob("__KMP_REGISTERED_LIB_*")}
    return {name for name in notes if not Path("/proc", name.split("_")[-2]).exists()}


class OpenMP(Workshop):
    def test_runs_that_fail_leave_no_note_in_shared_memory(self):
        program = self.build(CORPUS / "account_depend_bug.c", flags=["-fopenmp"], compiler="heddle-cc")
        before = left_notes()
        for isolation in ("exec", "fork", "inplace"):
            self.heddle("check", f"--isolation={isolation}", "--runs=200", f"--store={isolation}", program,
                        code=2)
        self.assertEqual(left_notes() - before, set())


if __name__ == "__main__":
    unittest.main()
