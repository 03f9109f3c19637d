#!/usr/bin/env python3
"""Races that only memory orders allow stay potential, and say which order is missing."""

import json
import unittest

from workshop import PROGRAMS, Workshop

RELAXED, ACQUIRE, RELEASE, BOTH = (f"memory_order_{name}" for name in
                                   ("relaxed", "acquire", "release", "acq_rel"))


def line_of(program, mark, which=0):
    """The line of a program that carries a comment."""
    lines = (PROGRAMS / program).read_text().splitlines()
    return [i + 1 for i, line in enumerate(lines) if line.endswith(f"// {mark}")][which]


class MemoryOrder(Workshop):
    def candidate(self, program, *flags, compiler="heddle-c++"):
        """The only finding, which is potential, and the report's exit status says so."""
        (finding,) = self.report("races", self.build(program, flags=flags, compiler=compiler))["findings"]
        self.assertEqual((finding["kind"], finding["status"]), ("data-race", "potential"))
        return finding

    def variant(self, store, load, *flags, level="-O1"):
        orders = [f"-D{name}_ORDER=std::{order}" for name, order in (("STORE", store), ("LOAD", load))]
        return self.candidate("memory_order.cpp", "-std=c++20", level, *orders, *flags)

    def assert_missing(self, finding, program, store, load, which=0):
        """Both operations with what they are and what they need."""
        missing = finding["missing_order"]
        self.assertEqual(missing["object"], "ready")
        for mark, side, (order, needs) in (("store", missing["store"], store),
                                           ("load", missing["load"], load)):
            self.assertEqual((side["line"], side["order"], side.get("needs")),
                             (line_of(program, mark, which), order, needs), mark)

    def test_a_relaxed_flag_at_every_level(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                finding = self.variant(RELAXED, RELAXED, level=level)
                self.assert_missing(finding, "memory_order.cpp", (RELAXED, RELEASE), (RELAXED, ACQUIRE), -1)
                self.assertEqual(sorted(site["line"] for site in finding["sites"]),
                                 [line_of("memory_order.cpp", "write"), line_of("memory_order.cpp", "read")])

    def test_one_side_is_right(self):
        finding = self.variant(RELAXED, ACQUIRE)
        self.assert_missing(finding, "memory_order.cpp", (RELAXED, RELEASE), (ACQUIRE, None), -1)
        store, load = (line_of("memory_order.cpp", mark, -1) for mark in ("store", "load"))
        source = finding["missing_order"]["store"]["file"]
        self.assertIn(f"ordered only by ready, which is stored with memory_order_relaxed ({source}:{store}) "
                      f"and loaded with memory_order_acquire ({source}:{load}): "
                      "the store needs memory_order_release", finding["message"])
        finding = self.variant("memory_order_seq_cst", RELAXED)
        self.assert_missing(finding, "memory_order.cpp", ("memory_order_seq_cst", None), (RELAXED, ACQUIRE), -1)
        self.assertTrue(finding["message"].endswith(": the load needs memory_order_acquire"))

    def test_a_proper_flag_lacks_nothing(self):
        for store, load, *flags in ((RELEASE, ACQUIRE), ("memory_order_seq_cst", "memory_order_seq_cst"),
                                    (RELEASE, "memory_order_consume"), (RELEASE, ACQUIRE, "-DEXCHANGE"),
                                    (RELAXED, RELAXED, "-DFENCES"), (RELEASE, RELAXED, "-DFENCES"),
                                    (BOTH, BOTH, "-DEXCHANGE")):
            with self.subTest(store=store, load=load, flags=flags):
                finding = self.variant(store, load, *flags)
                self.assertNotIn("missing_order", finding)
                self.assertNotIn("ordered only by", finding["message"])

    def test_a_compare_exchange(self):
        finding = self.variant(RELAXED, RELAXED, "-DEXCHANGE")
        self.assert_missing(finding, "memory_order.cpp", (RELAXED, RELEASE), (RELAXED, ACQUIRE))
        finding = self.variant(ACQUIRE, ACQUIRE, "-DEXCHANGE")
        self.assert_missing(finding, "memory_order.cpp", (ACQUIRE, BOTH), (ACQUIRE, None))

    def test_the_atomics_of_c(self):
        for flags in ((), ("-DBUILTINS",)):
            with self.subTest(flags=flags):
                finding = self.candidate("memory_order_c.c", *flags, compiler="heddle-cc")
                self.assert_missing(finding, "memory_order_c.c", (RELAXED, RELEASE), (ACQUIRE, None))

    def test_one_operation_on_both_sides(self):
        findings = self.report("races", self.build("reference_count.cpp"))["findings"]
        lines = [line_of("reference_count.cpp", "write"), line_of("reference_count.cpp", "free")]
        (finding,) = (f for f in findings if sorted(s["line"] for s in f["sites"]) == lines)
        update = line_of("reference_count.cpp", "update")
        for side in (finding["missing_order"]["store"], finding["missing_order"]["load"]):
            self.assertEqual((side["access"], side["line"], side["needs"]), ("update", update, BOTH))
        self.assertTrue(finding["message"].endswith(": it needs memory_order_acq_rel"))
        right = self.build("reference_count.cpp", flags=["-DORDER=std::memory_order_acq_rel"])
        for finding in self.report("races", right)["findings"]:
            self.assertNotIn("missing_order", finding)

    def test_check_says_that_there_is_one(self):
        lacks = "1 candidate; forcing: 0 triggered, 1 lacks a memory order (heddle races says which)"
        for flags, says in (([], True), (["-DFENCES"], False)):
            report = self.report("check", self.build("memory_order.cpp", flags=["-std=c++20", *flags]))
            self.assertEqual(report["findings"], [])
            self.assertEqual(any(lacks in line for line in report["summary"]), says, report["summary"])

    def test_a_free_is_called_so(self):
        findings = self.report("races", self.build("reference_count.cpp"))["findings"]
        self.assertIn("free", {site["access"] for finding in findings for site in finding["sites"]})

    def test_other_formats_say_it_too(self):
        program = self.build("memory_order.cpp", flags=["-std=c++20"])
        text = self.heddle("races", program).stdout
        self.assertIn("the store needs memory_order_release and the load needs memory_order_acquire", text)
        (result,) = json.loads(self.heddle("races", "--format=sarif", program).stdout)["runs"][0]["results"]
        self.assertEqual(result["properties"]["missing_order"]["object"], "ready")
        self.assertIn("Atomic store of ready with memory_order_relaxed, needs memory_order_release",
                      [place["message"]["text"] for place in result["relatedLocations"]])
        self.heddle("races", "--fail-on=potential", program, code=2)


if __name__ == "__main__":
    unittest.main()
