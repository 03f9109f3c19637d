#!/usr/bin/env python3
"""Instrumented libraries that the program loads, closes, and loads again."""

import unittest
from pathlib import Path

from workshop import Workshop

ISOLATIONS = ("exec", "fork", "inplace")


class ClosedLibrary(Workshop):
    def setUp(self):
        super().setUp()
        for name in ("one.so", "other.so"):
            self.build("plugin.cpp", flags=["-O1", "-std=c++20", "-fPIC", "-shared"], output=name)
        self.program = self.build("closes_library.cpp",
                                  flags=["-O1", "-std=c++20", "-rdynamic"])

    def test_rounds(self):
        for isolation in ISOLATIONS:
            report = self.report("check", "--runs=50", f"--isolation={isolation}", "--",
                                 self.program, "rounds", "3")
            self.assertEqual(report["findings"], [])

    def test_a_thousand_rounds(self):
        self.run_tool(self.program, "rounds", "1000")

    def test_threads_that_load_and_close(self):
        for isolation in ISOLATIONS:
            report = self.report("check", "--runs=200", "--seconds=5", f"--isolation={isolation}", "--",
                                 self.program, "threads", "3")
            self.assertEqual(report["findings"], [])

    def test_the_loader_while_a_constructor_runs(self):
        """It has a lock, which the thread that is in the constructor holds."""
        (self.folder / "slow.cpp").write_text("""
            #include <atomic>
            #include <sched.h>
            extern "C" std::atomic<int> phase;
            struct Slow { Slow() { phase = 1; while (phase != 2) sched_yield(); } } slow;""")
        (self.folder / "asks.cpp").write_text("""
            #include <atomic>
            #include <cassert>
            #include <dlfcn.h>
            #include <sched.h>
            #include <thread>
            extern "C" { std::atomic<int> phase; int destroyed; }
            int main() {
              void* library = dlopen("./one.so", RTLD_NOW);
              std::thread loads([] { assert(dlopen("./slow.so", RTLD_NOW)); });
              while (phase != 1) sched_yield();
              std::thread asks([=] { assert(dlsym(library, "callPlugin")); dlclose(library); });
              phase = 2;
              asks.join();
              loads.join();
            }""")
        self.build("slow.cpp", flags=["-fPIC", "-shared"], output="slow.so")
        program = self.build("asks.cpp", flags=["-O1", "-rdynamic"], output="asks")
        report = self.report("check", "--runs=300", program)
        self.assertGreaterEqual(report["runs"], 300)

    def test_what_happened_in_it_is_named(self):
        found = self.finding("--runs=1000", "--", self.program, "count")
        self.assertIn("an update was lost", str(found))
        places = {Path(step["file"]).name for step in found["steps"]
                  if "counter" in step["action"]}
        self.assertEqual(places, {"plugin.cpp"})
        self.heddle("replay", found["id"], code=2)

    def test_closing_it_while_a_thread_is_in_it(self):
        found = self.finding("--runs=300", "--", self.program, "running")
        self.assertEqual((found["failure"] or found)["kind"], "crash")


if __name__ == "__main__":
    unittest.main()
