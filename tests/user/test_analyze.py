#!/usr/bin/env python3
"""heddle analyze finds races without running the program, and says what it cannot read."""

import re
import subprocess
import unittest

from workshop import PROGRAMS, Workshop

STAGES = ("original", "reachable", "aliasing", "escaping", "unlocked", "parallel", "join", "slots")


class Analyze(Workshop):
    def test_finds_the_race_of_a_program(self):
        report = self.report("analyze", self.build("counter.cpp", flags=["-O1"]))
        self.assertEqual({finding["kind"] for finding in report["findings"]}, {"data-race"})
        self.assertEqual({finding["status"] for finding in report["findings"]}, {"potential"})
        places = {site["line"] for finding in report["findings"] for site in finding["sites"]}
        self.assertEqual(places, {15, 16})
        counts = [report["stages"][name] for name in STAGES]
        self.assertEqual(counts, sorted(counts, reverse=True), report["stages"])
        self.assertEqual(report["runs"], 0)

    def test_counts_what_each_late_stage_removes(self):
        report = self.report("analyze", self.build("late_stages.c", flags=["-O1"]))
        self.assertEqual(report["findings"], [])
        stages, removed = report["stages"], report["removed"]
        self.assertEqual(stages["slots"], 0)
        self.assertEqual(stages["unlocked"] - stages["parallel"], removed["parallel"])
        self.assertEqual(stages["parallel"] - stages["join"], removed["join"])
        self.assertEqual(stages["join"] - stages["slots"], removed["slots"])
        # Alone in its thread or ahead of the other: before twice, after once. Behind a join: after, parts.
        self.assertEqual(removed, {"parallel": 3, "join": 2, "slots": 2})

    def test_potential_findings_fail_only_when_asked(self):
        program = self.build("counter.cpp", flags=["-O1"])
        self.heddle("analyze", program, code=0)
        self.heddle("analyze", "--fail-on=potential", program, code=2)

    def test_suppressed_findings_are_counted_and_unused_lines_named(self):
        program = self.build("counter.cpp", flags=["-O1"])
        found = len(self.report("analyze", program)["findings"])
        self.assertGreater(found, 0)
        (self.folder / "quiet").write_text("race:counter.cpp\nrace:nobody\n")
        report = self.report("analyze", "--suppressions=quiet", program)
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["suppressed"], found)
        self.assertIn(f"suppressed: {found} of what was found", report["summary"])
        self.assertIn("suppressions that nothing matched: race:nobody", report["summary"])

    def refused(self, path, *words):
        message = self.heddle("analyze", path, code=1).stderr
        for word in words:
            self.assertIn(word, message)

    def test_files_that_can_not_be_analysed(self):
        self.refused("missing.o", "missing.o", "cannot be read")
        (self.folder / "notes.txt").write_text("no program\n")
        self.refused("notes.txt", "neither an ELF file")
        (self.folder / "plain.c").write_text("int main(void) { return 0; }\n")
        self.run_tool("clang-19", "-c", "plain.c")
        self.refused("plain.o", "has no heddle bitcode", "heddle-cc")
        (self.folder / "part.c").write_text("int twice(int n) { return 2 * n; }\n")
        self.run_tool(self.bin / "heddle-cc", "-g", "-c", "part.c")
        report = self.report("analyze", "part.o")  # without main: anybody may call it
        self.assertEqual(report["interface"], ["twice"])
        self.assertEqual(report["findings"], [])

    def test_bitcode_of_another_version_is_refused(self):
        (self.folder / "old.bc").write_bytes(b"BC\xc0\xde" + bytes(64))
        self.refused("old.bc", "old.bc")

    def test_modules_that_do_not_link_are_named(self):
        for name in ("one", "two"):
            (self.folder / f"{name}.c").write_text("int answer(void) { return 42; }\nint main(void) { return answer(); }\n")
            self.run_tool(self.bin / "heddle-cc", "-g", "-c", f"{name}.c")
        message = self.heddle("analyze", "one.o", "two.o", code=1).stderr
        self.assertIn("two.o", message)
        self.assertIn("answer", message)

    def test_explains_a_line(self):
        program = self.build("counter.cpp", flags=["-O1"])
        report = self.report("analyze", "--explain", "counter.cpp:15", program)
        stages = {pair["stage"] for access in report["explanations"] for pair in access["pairs"]}
        self.assertIn("race", stages)
        self.assertEqual(report["findings"], [])
        text = self.heddle("analyze", "--explain", "counter.cpp:15", program).stdout
        self.assertIn("a race", text)
        self.assertNotIn("nothing found", text)
        self.assertRegex(text, r"heddle analyze \S+: explained in [0-9.]+ s\n")
        self.assertIn("FILE:LINE", self.heddle("analyze", "--explain", "counter.cpp", program, code=1).stderr)
        unknown = self.heddle("analyze", "--explain", "countr.cpp:15", program, code=1).stderr
        self.assertIn("did you mean counter.cpp?", unknown)

    def test_all_paths_are_of_the_same_findings(self):
        program = self.build("price_list.cpp", flags=["-O1"])
        shortest = self.report("analyze", program)["findings"]
        every = self.report("analyze", "--paths", program)["findings"]
        self.assertEqual([f["id"] for f in shortest], [f["id"] for f in every])
        for finding in every:
            lines = [site["line"] for site in finding["sites"]]
            self.assertGreater(len(finding["paths"]), 1)
            for path in finding["paths"]:
                for side, line in zip(("first", "second"), lines):
                    self.assertIn(line, [frame["line"] for frame in path[side]["stack"]])

    def test_names_variables_and_where_threads_are_created(self):
        text = self.heddle("analyze", self.build("price_list.cpp", flags=["-O1"])).stdout
        self.assertIn("the variable prices of main, ", text)
        self.assertRegex(text, r"created by main thread at:\n +#0 main \S*price_list.cpp:21:")

    def headlines(self, *words):
        text = self.heddle("analyze", *words).stdout
        return re.findall(r"^\S+?:(\d+):\d+: note: possible data race on (\S+) with \S+ at \S+:(\d+):", text, re.MULTILINE)

    def test_lists_two_lines_once(self):
        for name in ("counter.cpp", "flushing_logger.cpp", "price_list.cpp"):
            found = self.headlines("--all", self.build(name, flags=["-O1"]))
            lines = [(*sorted((first, second)), memory) for first, memory, second in found]
            self.assertEqual(len(lines), len(set(lines)), lines)

    def test_lists_no_more_than_asked_for(self):
        program = self.build("region_sum.c", flags=["-O1", "-fopenmp"], compiler="heddle-cc")
        found = self.headlines(program)
        self.assertGreater(len(found), 1)
        self.assertEqual(self.headlines("--limit=1", program), found[:1])
        text = self.heddle("analyze", "--limit=1", program).stdout
        self.assertIn(f"not shown: {len(found) - 1} more, by --limit=1", text)
        self.assertEqual(len(self.report("analyze", "--limit=1", program)["findings"]), len(found))

    def test_names_of_parallel_regions_are_those_of_the_pragma(self):
        program = self.build("region_sum.c", flags=["-O1", "-fopenmp"], compiler="heddle-cc")
        text = self.heddle("analyze", program).stdout
        self.assertRegex(text, r"#0 main \S*region_sum.c:8:")
        self.assertRegex(text, r"created by main thread at:\n +#0 main \S*region_sum.c:6:")
        self.assertNotIn("outlined", text)

    def test_without_debug_information_says_so(self):
        self.run_tool(self.bin / "heddle-c++", PROGRAMS / "counter.cpp", "-o", "bare")
        self.assertIn("-g", " ".join(self.report("analyze", "./bare")["warnings"]))
        self.assertIn("-g", self.heddle("analyze", "--explain", "counter.cpp:15", "./bare", code=1).stderr)

    def test_output_that_can_not_be_written(self):
        program = self.build("counter.cpp", flags=["-O1"])
        for words in (["analyze", program], ["analyze", "missing.o"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([self.bin / "heddle", *words], cwd=self.folder, stdout=full, stderr=full,
                                      check=False)
            self.assertEqual(done.returncode, 1)

    def test_groups_and_graphs(self):
        program = self.build("counter.cpp", flags=["-O1"])
        by_field = self.report("analyze", program)["findings"]
        by_object = self.report("analyze", "--group", "object", program)["findings"]
        self.assertEqual({f["id"] for f in by_field}, {f["id"] for f in by_object})
        self.assertNotEqual({f["group"] for f in by_field}, {f["group"] for f in by_object})
        self.report("analyze", "--graphs", "graphs", program)
        drawn = {path.stem for path in (self.folder / "graphs").glob("*.dot")}
        self.assertEqual(drawn, {finding["id"] for finding in by_field})
        for path in (self.folder / "graphs").glob("*.dot"):
            self.assertIn("access0 -> access1", path.read_text())

    def test_text_tells_paths_and_locks(self):
        text = self.heddle("analyze", self.build("window.cpp", flags=["-O1"]), code=0).stdout
        for words in ("neither side holds a lock", "the variable total", "switchOver()", "count()"):
            self.assertIn(words, text)


class Annotations(Workshop):
    def lines(self, *arguments):
        report = self.report("analyze", *arguments)
        return {site["line"] for finding in report["findings"] for site in finding["sites"]}

    def test_a_file_says_what_the_analysis_can_not_know(self):
        program = self.build("window.cpp", flags=["-O1"])
        self.assertNotEqual(self.lines(program), set())
        (self.folder / "local.txt").write_text("# counted by one thread at a time\nthread-local total\n")
        self.assertEqual(self.lines("--annotations", "local.txt", program), set())
        (self.folder / "roots.txt").write_text("not-parallel switchOver count\n")
        self.assertEqual(self.lines("--annotations", "roots.txt", program), set())

    def test_mistakes_in_the_file_are_told(self):
        program = self.build("window.cpp", flags=["-O1"])
        for text, words in (
            ("thread-locl total\n", (":1:", "thread-locl", "did you mean thread-local?")),
            ("\nthread-local\n", (":2:", "names nothing")),
            ("not-parallel count\n", (":1:", "two functions")),
            ("thread-local totl\n", (":1:", "totl", "did you mean total?")),
            ("not-parallel count switchover\n", (":1:", "switchover", "did you mean switchOver?")),
        ):
            (self.folder / "wrong.txt").write_text(text)
            message = self.heddle("analyze", "--annotations", "wrong.txt", program, code=1).stderr
            for word in ("wrong.txt", *words):
                self.assertIn(word, message)
        self.heddle("analyze", "--annotations", "missing.txt", program, code=1)

    def test_attributes_of_the_header(self):
        source = """#include "heddle/heddle.h"
#include <thread>
struct Tally { HEDDLE_THREAD_LOCAL_CLASS; int hits = 0; };
struct Page { int views HEDDLE_THREAD_LOCAL = 0; int errors = 0; };
Tally tally;
Page page;
int rounds = 0;
HEDDLE_NOT_PARALLEL(phases) void first() { ++rounds; }
HEDDLE_NOT_PARALLEL(phases) void second() { ++rounds; }
void work() {
  ++tally.hits;
  ++page.views;
  ++page.errors;
}
int main() {
  std::thread a([] { first(); work(); }), b([] { second(); work(); });
  a.join();
  b.join();
}
"""
        (self.folder / "marked.cpp").write_text(source)
        self.run_tool(self.bin / "heddle-c++", "-g", "-O1", "-pthread", "marked.cpp", "-o", "marked")
        self.assertEqual(self.lines("marked"), {8, 9, 13})


class OpenPrograms(Workshop):
    SOURCE = """#include <mutex>
namespace shop {
class Cart {
public:
  void add(int amount);
  int total();
private:
  std::mutex mutex_;
  int total_ = 0;
};
void Cart::add(int amount) {
  std::lock_guard<std::mutex> guard(mutex_);
  total_ += amount;
}
int Cart::total() { return total_; }
class Clerk {
public:
  void serve(Cart& cart);
private:
  int served_ = 0;
};
void Clerk::serve(Cart& cart) {
  cart.add(1);
  ++served_;
}
}
"""

    def setUp(self):
        super().setUp()
        (self.folder / "shop.cpp").write_text(self.SOURCE)
        self.run_tool(self.bin / "heddle-c++", "-g", "-O1", "-c", "shop.cpp")

    def lines(self, *arguments):
        report = self.report("analyze", *arguments, "shop.o")
        return {site["line"] for finding in report["findings"] for site in finding["sites"]}

    def test_a_class_is_called_by_any_threads(self):
        self.assertEqual(self.lines("--interface", "Cart"), {13, 15})
        self.assertEqual(self.lines("--interface", "shop::Clerk"), {24})
        self.assertEqual(self.lines("--interface", "Cart,Clerk"), {13, 15, 24})

    def test_a_header_names_the_interface(self):
        (self.folder / "bank.h").write_text("struct account;\nvoid deposit(struct account *a, int n);\n")
        (self.folder / "bank.c").write_text(
            '#include "bank.h"\nstruct account { int balance; };\nstatic void add(struct account *a, int n) {\n'
            "  a->balance += n;\n}\nvoid deposit(struct account *a, int n) { add(a, n); }\n"
            "int audit(struct account *a) { return a->balance; }\n"
        )
        self.run_tool(self.bin / "heddle-cc", "-g", "-O1", "-c", "bank.c")
        report = self.report("analyze", "--interface-header", "bank.h", "bank.o")
        self.assertEqual(report["interface"], ["deposit"])
        self.assertEqual({s["line"] for f in report["findings"] for s in f["sites"]}, {4})

    def test_functions_in_the_class_itself(self):
        (self.folder / "meter.cpp").write_text(
            "class Meter {\npublic:\n  void add(int n) { sum_ += n; }\n  int sum() { return sum_; }\n"
            "private:\n  int sum_ = 0;\n};\nint unused(Meter *);\nint unused(Meter *meter) { return meter != nullptr; }\n"
        )
        compiler = (self.bin / "heddle-c++", "-g", "-O1", "-c", "meter.cpp")
        self.run_tool(*compiler)
        message = self.heddle("analyze", "--interface", "Meter", "meter.o", code=1).stderr
        self.assertIn("-femit-all-decls", message)
        self.run_tool(*compiler, "-femit-all-decls")
        report = self.report("analyze", "--interface", "Meter", "meter.o")
        self.assertEqual({s["line"] for f in report["findings"] for s in f["sites"]}, {3, 4})

    def test_names_that_do_not_exist(self):
        message = self.heddle("analyze", "--interface", "Cartt", "shop.o", code=1).stderr
        self.assertIn("'Cartt'", message)
        self.assertIn("did you mean Cart?", message)
        (self.folder / "empty.h").write_text("\n")
        message = self.heddle("analyze", "--interface-header", "empty.h", "shop.o", code=1).stderr
        self.assertIn("empty.h", message)
        self.heddle("analyze", "--interface-header", "missing.h", "shop.o", code=1)


class Targets(Workshop):
    def test_static_pairs_that_no_recording_shows_are_confirmed(self):
        program = self.build("window.cpp", flags=["-O1"])
        seen = self.report("races", "--targets", "predicted", "--recordings", "1", program)
        self.assertEqual(seen["findings"], [])
        report = self.report("races", "--targets", "static", "--recordings", "1", program, code=2)
        self.assertEqual(report["static_only"], report["static_candidates"])
        self.assertEqual({f["status"] for f in report["findings"]}, {"confirmed"})
        lines = {tuple(sorted(s["line"] for s in f["sites"])) for f in report["findings"]}
        self.assertEqual(lines, {(29, 39)})


if __name__ == "__main__":
    unittest.main()
