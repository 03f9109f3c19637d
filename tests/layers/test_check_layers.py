"""check_layers.py must accept this tree's shape and refuse each kind of violation."""

import os
import subprocess
import sys
import tempfile
import unittest

CHECKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_layers.py")
TABLE = """| part | what it is | may use |
| --- | --- | --- |
| `model/` | plain data | nothing |
| `control/` | the controller | model |
| `pass/` | the plugin | model, LLVM |
| `runtime/` | in the program | model |
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

    def test_no_table(self):
        code, _ = self.run_on({"src/model/a.h": ""}, table="no table\n")
        self.assertEqual(code, 1)


if __name__ == "__main__":
    unittest.main()
