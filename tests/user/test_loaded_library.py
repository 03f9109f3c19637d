#!/usr/bin/env python3
"""An instrumented library that the program loads by itself."""

import unittest
from pathlib import Path

from workshop import Workshop


class LoadedLibrary(Workshop):
    def test_its_accesses_are_scheduling_points(self):
        self.build("library.cpp", flags=["-fPIC", "-shared"], output="liblibrary.so")
        program = self.build("loads_library.cpp")
        found = self.finding("--runs=3000", program)
        self.assertIn("value() == 2", found["message"])
        places = {step["file"] for step in found["steps"] if "counter" in step["action"]}
        self.assertEqual({Path(place).name for place in places}, {"library.cpp"})
        self.heddle("replay", found["id"], code=2)


if __name__ == "__main__":
    unittest.main()
