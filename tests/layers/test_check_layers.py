"""check_layers.py must accept this tree's shape and refuse each kind of violation."""

import os
import subprocess
import sys
import tempfile
import unittest

import sizes

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_layers.py")
TABLE = """| part | what it is | may use |
| --- | --- | --- |
| `model/` | plain data | nothing |
| `control/` | the controller | model |
| `pass/` | the plugin | model, LLVM |
| `runtime/` | in the program | model |
"""

ROOMS = """
| `static/` | analyses | model, LLVM |
| `static/ir/` | the IR | nothing |
| `static/points_to/` | the solver | ir |
"""


class CheckLayers(unittest.TestCase):
    def run_on(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {"src/README.md": table, **files}.items():
                path = os.path.join(root, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True,
                                  check=False)
            return done.returncode, done.stdout

    def assert_refused(self, files, expected, table=TABLE):
        code, text = self.run_on(files, table)
        self.assertEqual(code, 1, text)
        self.assertIn(expected, text)

    def test_allowed(self):
        code, text = self.run_on({
            "src/model/a.h": "#include <vector>\n",
            "src/control/b.cpp": '#include "model/a.h"\n#include "control/c.h"\n',
            "src/control/c.h": '#include "d.h"\n',
            "src/control/d.h": "",
            "src/pass/e.cpp": '#include "llvm/IR/Module.h"\n',
        })
        self.assertEqual(code, 0, text)

    def test_other_part(self):
        self.assert_refused({"src/control/x.h": "", "src/model/a.h": '#include "control/x.h"\n'},
                            "src/model/a.h:1: model may not use control")

    def test_relative_path(self):
        self.assert_refused({"src/control/x.h": "",
                             "src/model/a.h": '\n#include "../control/x.h"\n'},
                            "src/model/a.h:2: model may not use control")

    def test_llvm(self):
        self.assert_refused({"src/control/x.cpp": "#include <llvm/IR/Module.h>\n"},
                            "control may not use LLVM")

    def test_part_without_row(self):
        self.assert_refused({"src/other/x.cpp": ""}, "the part other has no row")

    def test_runtime_with_containers(self):
        self.assert_refused({"src/runtime/x.cpp": "#include <vector>\n"}, "<vector> needs libstdc++")

    def test_shared_header_with_containers(self):
        self.assert_refused({"src/runtime/x.cpp": '#include "model/a.h"\n',
                             "src/model/a.h": '#include "b.h"\n',
                             "src/model/b.h": "#include <string>\n"},
                            "src/model/b.h:1: <string> needs libstdc++")

    def test_host_header_may_use_containers(self):
        code, text = self.run_on({"src/runtime/x.cpp": '#include "model/a.h"\n',
                                  "src/model/a.h": "#include <stdint.h>\n",
                                  "src/model/host.h": "#include <string>\n"})
        self.assertEqual(code, 0, text)

    def test_sub_folders(self):
        code, text = self.run_on({
            "src/static/ir/a.h": "",
            "src/static/points_to/b.cpp": '#include "static/ir/a.h"\n#include "static/points_to/c.h"\n',
            "src/static/points_to/c.h": "",
            "src/static/top.cpp": '#include "static/points_to/c.h"\n#include "static/ir/a.h"\n',
        }, TABLE + ROOMS)
        self.assertEqual(code, 0, text)

    def test_other_sub_folder(self):
        self.assert_refused({"src/static/points_to/c.h": "",
                             "src/static/ir/a.h": '#include "static/points_to/c.h"\n'},
                            "src/static/ir/a.h:1: static/ir may not use static/points_to",
                            TABLE + ROOMS)

    def test_sub_folder_uses_the_top(self):
        files = {"src/static/top.h": "", "src/static/ir/a.cpp": '#include "static/top.h"\n'}
        self.assert_refused(files, "static/ir may not use static (static/top.h)", TABLE + ROOMS)
        code, text = self.run_on(files, TABLE + ROOMS.replace("| nothing |", "| static |"))
        self.assertEqual(code, 0, text)

    def test_sub_folder_of_another_part(self):
        self.assert_refused({"src/static/ir/a.h": "",
                             "src/model/m.h": '#include "static/ir/a.h"\n'},
                            "src/model/m.h:1: model may not use static", TABLE + ROOMS)

    def test_sub_folder_without_row(self):
        self.assert_refused({"src/static/other/a.h": ""}, "the sub-folder static/other has no row",
                            TABLE + ROOMS)

    def test_part_without_rows_for_sub_folders(self):
        code, text = self.run_on({"src/pass/driver/a.cpp": '#include "pass/b.h"\n',
                                  "src/pass/b.h": ""})
        self.assertEqual(code, 0, text)

    def test_sub_folders_in_a_circle(self):
        self.assert_refused({}, "sub-folders of static use each other: ir, points_to",
                            TABLE + ROOMS.replace("| nothing |", "| points_to |"))

    def test_unknown_sub_folder(self):
        self.assert_refused({}, "static/points_to may use cellar, which is no sub-folder of static",
                            TABLE + ROOMS.replace("| ir |", "| cellar |"))

    def test_headers_in_a_circle(self):
        self.assert_refused({"src/model/a.h": '#include "model/b.h"\n',
                             "src/model/b.h": '#include "c.h"\n',
                             "src/model/c.h": '#include "model/a.h"\n'},
                            "files include each other: model/a.h, model/b.h, model/c.h")

    def test_file_pairs_in_a_circle(self):
        pair = {"a.h": "", "b.h": "", "a.cpp": '#include "static/ir/b.h"\n',
                "b.cpp": '#include "static/ir/a.h"\n'}
        self.assert_refused({f"src/static/ir/{name}": text for name, text in pair.items()},
                            "file pairs include each other: static/ir/a, static/ir/b",
                            TABLE + ROOMS)

    def test_no_table(self):
        code, _ = self.run_on({"src/model/a.h": ""}, table="no table\n")
        self.assertEqual(code, 1)

    def test_long_file(self):
        files = {"src/static/ir/a.cpp": "int x;\n" * 501, "src/static/ir/b.cpp": "int x;\n" * 500,
                 "src/unsized/c.cpp": "int x;\n" * 501}
        code, text = self.run_on(files, TABLE + ROOMS + "| `unsized/` | no part of heddle | nothing |\n")
        self.assertEqual(code, 1, text)
        self.assertIn("src/static/ir/a.cpp:1: the file has 501 lines", text)
        self.assertNotIn("b.cpp", text)
        self.assertNotIn("c.cpp", text)


class Sizes(unittest.TestCase):
    def blocks(self, source):
        return [(kind, first, last) for kind, _, first, last in sizes.blocks(source)]

    def test_functions(self):
        self.assertEqual(self.blocks("int f(int a) {\n  if (a) {\n    g({1});\n  }\n}\n"),
                         [("function", 1, 5)])

    def test_members_and_initializers(self):
        source = ("namespace n {\nclass A : public B {\n  A(int x)\n      : a_{x}, b_(x) {\n    f();\n"
                  "  }\n  int a_ = {1};\n};\n}\n")
        self.assertEqual(self.blocks(source), [("function", 3, 6), ("class", 2, 8)])

    def test_text_is_no_code(self):
        source = 'void f() {\n  g("{", \'{\'); // {\n  /* { */\n}\nvoid h() {}\n'
        self.assertEqual(self.blocks(source), [("function", 1, 4), ("function", 5, 5)])

    def test_templates_and_local_classes(self):
        source = ("template <typename T> struct S {\n  T t;\n};\nvoid f() {\n  struct L {\n"
                  "    void m() {\n    }\n  };\n}\n")
        self.assertEqual(self.blocks(source), [("class", 1, 3), ("function", 6, 7), ("class", 5, 8),
                                               ("function", 4, 9)])

    def test_tables_and_enumerations(self):
        source = "enum class E : int {\n  A,\n};\nconst int kTable[] = {\n    f(1), {2},\n};\n"
        self.assertEqual(self.blocks(source), [])

    def test_limits(self):
        self.assertEqual(sizes.problems("void f() {\n" + "  g();\n" * 58 + "}\n"), [])
        self.assertEqual(sizes.problems("void f() {\n" + "  g();\n" * 59 + "}\n"),
                         ["1: the function f has 61 lines; 60 are allowed"])
        self.assertEqual(sizes.problems("struct S {\n" + "  int x;\n" * 399 + "};\n"),
                         ["1: the class S has 401 lines; 400 are allowed"])


if __name__ == "__main__":
    unittest.main()
