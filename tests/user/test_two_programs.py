#!/usr/bin/env python3
"""Two programs with one bug in what they share: one id, two runs, and never the wrong program."""

import unittest

from workshop import Workshop

SHARED = """
#include <cassert>
#include <thread>
struct Counter {
  int value = 0;
  void add() { value = value + 1; }
};
inline void use(Counter& counter) {
  std::thread one([&] { counter.add(); });
  std::thread two([&] { counter.add(); });
  one.join();
  two.join();
}
"""


class TwoPrograms(Workshop):
    def setUp(self):
        super().setUp()
        (self.folder / "shared.h").write_text(SHARED)
        one = '#include "shared.h"\nint main() { Counter c; use(c); assert(c.value == 2); }\n'
        two = ('#include "shared.h"\nint main(int, char** words) { std::thread([] {}).join(); '
               'Counter c; use(c); assert(c.value == 2 || !words[1]); }\n')
        (self.folder / "one.cpp").write_text(one)
        (self.folder / "two.cpp").write_text(two)
        self.build("one.cpp", output="one")
        self.build("two.cpp", output="two")
        self.first = self.finding("./one")
        self.second = self.finding("./two", "broken")

    def test_one_bug_has_one_id(self):
        self.assertEqual(self.first["id"], self.second["id"])
        self.assertEqual(self.first["kind"], "data-race")

    def test_each_command_says_how_to_replay_its_run(self):
        self.assertTrue(self.second["replay"].endswith("@two"), self.second["replay"])
        for program, arguments in (("one", []), ("two", ["broken"])):
            words = ["heddle", "replay", f"{self.first['id']}@{program}", "--format=json"]
            done = self.run_tool(*words, code=2)
            self.assertIn(f'"program": "./{program}"', done.stdout)
            self.assertIn(f'"arguments": {str(arguments).replace(chr(39), chr(34))}',
                          " ".join(done.stdout.split()).replace("[ ", "[").replace(" ]", "]"))
        self.run_tool("sh", "-c", self.second["replay"], code=2)

    def test_the_id_alone_asks_which_program(self):
        for command in ("replay", "report", "export", "minimize"):
            with self.subTest(command=command):
                text = self.heddle(command, self.first["id"], code=1).stderr
                self.assertIn("is known of 2 programs; say which one:", text)
                for program in ("one", "two"):
                    self.assertIn(f"{self.first['id']}@{program}", text)

    def test_an_unknown_id_lists_each_with_its_program(self):
        text = self.heddle("report", "H-0", code=1).stderr
        self.assertIn("there is no finding H-0", text)
        for program in ("one", "two"):
            self.assertIn(f"{self.first['id']}@{program} ", text)

    def test_a_program_behind_the_id_says_it_too(self):
        self.heddle("replay", self.first["id"], "./one", code=2)
        self.heddle("replay", self.first["id"], "./two", "broken", code=2)

    def test_reports_and_exports_keep_them_apart(self):
        listed = self.heddle("report", code=2).stdout
        for program in ("one", "two"):
            self.assertIn(f"{self.first['id']}@{program}", listed)
            self.heddle("minimize", f"{self.first['id']}@{program}", code=2)
            self.heddle("export", f"{self.first['id']}@{program}")
            self.heddle("replay", f"{self.first['id']}@{program}.heddle", code=2)
        self.assertIn("\nheddle report: 2 findings (", listed)  # of neither program alone
        one = self.heddle("report", f"{self.first['id']}@one", code=2).stdout
        self.assertIn("\nheddle report ./one: 1 finding (", one)
        stored = self.report("report", code=2)["findings"]
        self.assertEqual([f["id"] for f in stored], [self.first["id"]] * 2)
        self.assertEqual([f["replay"].rsplit("@")[-1] for f in stored], ["one", "two"])

    def test_a_program_that_is_gone_is_not_asked_about(self):
        (self.folder / "one").unlink()
        self.heddle("replay", self.first["id"], code=2)


if __name__ == "__main__":
    unittest.main()
