"""How soon `heddle check` comes to a first failure, beside each strategy alone.

Every run counts that looks for something: the one without preemption, recordings, forced runs. Those that
confirm or minimise what was found do not. All have the same seeds and the same limit of runs; a search that
finds nothing counts as one run more than the limit.
"""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN = ROOT / "bench" / "programs" / "first_runs"
SEEDS = int(os.environ.get("HEDDLE_BENCH_SEEDS", "20"))
MOST_RUNS = 1000
SECONDS = 60
WITHIN = (1, 10, 100, 1000)
STRATEGIES = ("random", "pct", "pos", "surw", "round-robin")
MOST_OF_BEST = 2  # runs of check, in runs of the best strategy
# Programs of this folder and their sizes, with the most runs that check may need (median); None: no more
# than twice the best strategy.
CASES = [
    ("reorder", "3", 10), ("reorder", "100", 10),
    ("twostage", "3", 10), ("twostage", "100", 10),
    ("philosophers", "5", 10), ("philosophers", "100", 105),
    ("stealing", "", None), ("lost_wakeup", "", None), ("lazy", "", None),
    ("check_then_act", "2", None), ("check_then_act", "8", None),
    ("lost_update", "4", None), ("lost_update", "40", None),
    ("late_close", "3", None), ("late_close", "20", None),
    ("order_of_three", "", None), ("lock_order", "3", None), ("lock_order", "20", None),
    ("wrong_lock", "3", None), ("wrong_lock", "20", None),
]
FOLDERS = ("engine/", "races/", "atomicity/", "openmp/")  # of the corpus: whose bugs are looked for, too


class Case:
    def __init__(self, name, executable, arguments, options, most):
        self.name, self.executable, self.most = name, executable, most
        self.arguments, self.options = arguments, options


class Searches:
    """Searches of one build of heddle; each has a store of its own, so that nothing is known before."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        folder.mkdir(parents=True, exist_ok=True)

    def compile(self, source, name, std="c++20", flags=()):
        compiler = self.tools / ("heddle-cc" if source.suffix == ".c" else "heddle-c++")
        output = self.folder / name
        subprocess.run([compiler, f"-std={std}", "-g", "-O1", "-pthread", *flags, source, "-o", output], check=True)
        return output

    def first_failure(self, case, seed, command, *options):
        """The number of the first run that failed; one more than the limit if none did."""
        store = self.folder / f"{case.executable.name}.{command}.{seed}.store"
        done = subprocess.run(
            [self.tools / "heddle", command, "-j1", "--format=json", "--no-minimize", f"--store={store}",
             f"--seed={1 + 100000 * seed}", f"--runs={MOST_RUNS}", f"--seconds={SECONDS}", *case.options, *options,
             case.executable, *case.arguments], capture_output=True, text=True)
        subprocess.run(["rm", "-rf", store], check=True)
        if done.returncode not in (0, 2):
            sys.exit(f"heddle {command} {case.name}, seed {seed}: exit status {done.returncode}\n{done.stderr}")
        runs = [finding["run"] for finding in json.loads(done.stdout)["findings"] if finding.get("failure")]
        return min([MOST_RUNS + 1, *runs])

    def all_seeds(self, case, command, *options):
        return sorted(self.first_failure(case, seed, command, *options) for seed in range(SEEDS))


def own_cases(searches, chosen):
    built = {}
    for name, size, most in CASES:
        title = f"{name}({size})" if size else name
        if not chosen(title):
            continue
        if name not in built:
            built[name] = searches.compile(OWN / f"{name}.cpp", name)
        yield Case(title, built[name], [size] if size else [], [], most)


def corpus_cases(searches, chosen):
    listing = subprocess.run([sys.executable, ROOT / "corpus" / "list.py", ROOT / "corpus"], check=True,
                             capture_output=True, text=True).stdout
    for program in map(json.loads, listing.splitlines()):
        name = program["name"]
        if program["twin"] or not name.startswith(FOLDERS) or not program["expect"] or not chosen(name):
            continue
        executable = searches.compile(ROOT / "corpus" / program["file"], name.replace("/", "_"), program["std"],
                                      program["flags"])
        options = ["--time=any"] if program["time"] == "any" else []
        options += ["--spurious"] if program["spurious"] else []
        yield Case(name.removesuffix("_bug"), executable, [], options, None)


def median(values):
    return values[len(values) // 2]


def row(searches, case):
    """What check needs, and each strategy alone."""
    found = {"check": searches.all_seeds(case, "check")}
    for strategy in STRATEGIES:
        found[strategy] = searches.all_seeds(case, "run", f"--strategy={strategy}")
    return case, found


def shown(runs):
    return f"> {MOST_RUNS}" if runs > MOST_RUNS else str(runs)


def measure(tools, folder, verdict, only=""):
    """`only`: programs whose names have one of these texts, separated by commas."""
    searches = Searches(tools, folder)
    chosen = lambda name: any(text in name for text in only.split(","))
    cases = [*own_cases(searches, chosen), *corpus_cases(searches, chosen)]
    print(f"Runs to the first failure, median of {SEEDS} seeds; best: the best strategy alone")
    print(f"  {'program':<34} {'check':>7} {'most':>7} {'best':>7}  {'':<11} {'ratio':>6}  "
          + " ".join(f"{strategy:>11}" for strategy in STRATEGIES))
    within = {name: dict.fromkeys(WITHIN, 0) for name in ("check", *STRATEGIES)}
    ok, worst = True, []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for case, found in pool.map(lambda case: row(searches, case), cases):
            best = min(STRATEGIES, key=lambda strategy: median(found[strategy]))
            check, least = median(found["check"]), median(found[best])
            ratio = check / least
            print(f"  {case.name:<34} {shown(check):>7} {shown(found['check'][-1]):>7} {shown(least):>7}  "
                  f"{best:<11} {ratio:>6.2f}  "
                  + " ".join(f"{shown(median(found[s])):>11}" for s in STRATEGIES), flush=True)
            for name, runs in found.items():
                for limit in WITHIN:
                    within[name][limit] += sum(run <= limit for run in runs) / SEEDS
            if case.most is not None:
                ok &= verdict(f"{case.name}: runs of check", check, case.most)
            elif ratio > MOST_OF_BEST:
                worst.append(case.name)
    print(f"  programs of {len(cases)} whose bug is found within so many runs (mean over the seeds)")
    print(f"  {'':<14} " + " ".join(f"{limit:>7}" for limit in WITHIN))
    for name, counts in within.items():
        print(f"  {name:<14} " + " ".join(f"{counts[limit]:>7.1f}" for limit in WITHIN))
    for name in worst:
        print(f"  more than twice the runs of the best strategy: {name}")
    return verdict("programs with more than twice the runs of the best strategy", len(worst), 0) and ok
