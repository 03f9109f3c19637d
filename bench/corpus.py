"""The corpus as a measurement: races beside the paper's figures, and what other tools find."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
TRIALS = 100
TSAN_RUNS = 20
RUN_SECONDS = 3  # after which a program is taken to deadlock or hang
MOST_HANGS = 2  # runs of TSan that hang, after which no more are made
HELGRIND_SECONDS = 20

# Sen, PLDI 2008, table 1: races that the hybrid analysis predicts, real ones, exceptions,
# probability of hitting a race.
PAPER = {
    "cache_sleep": ("cache4j", 18, 2, 1, 1.00),
    "checksum": ("raytracer", 2, 2, 0, 1.00),
    "crawler": ("hedc", 9, 1, 1, 0.86),
    "monte_carlo": ("montecarlo", 5, 1, 0, 1.00),
    "relaxation_barrier": ("sor", 8, 0, 0, None),
    "relaxation_spin": ("moldyn", 59, 2, 0, 1.00),
    "sync_array_list": ("ArrayList", 14, 7, 7, 0.55),
    "sync_hash_set": ("HashSet", 11, 11, 8, 0.54),
    "sync_list": ("LinkedList", 12, 12, 5, 0.85),
    "sync_tree_set": ("TreeSet", 13, 8, 8, 0.41),
    "vector_last": ("vector 1.1", 9, 9, 0, 0.94),
}


def programs():
    """The programs that are run; those of static/ are for an analysis of the source alone."""
    listing = subprocess.run([sys.executable, CORPUS / "list.py", CORPUS], check=True,
                             capture_output=True, text=True).stdout
    listed = [json.loads(line) for line in listing.splitlines()]
    return [program for program in listed if not program["name"].startswith("static/")]


class Corpus:
    def __init__(self, bin_folder, folder):
        self.bin = bin_folder
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def build(self, program, suffix, *flags):
        is_c = program["language"] == "c"
        compiler = {"heddle": self.bin / ("heddle-cc" if is_c else "heddle-c++")}.get(
            suffix, "clang-19" if is_c else "clang++-19")
        output = self.folder / f"{program['name'].replace('/', '_')}.{suffix}"
        subprocess.run([compiler, f"-std={program['std']}", "-g", "-O1", "-pthread", *flags,
                        *program["flags"], CORPUS / program["file"], "-o", output], check=True)
        return output

    def heddle(self, command, program, executable, *options):
        """The JSON report; a store of its own, so that nothing is known from before."""
        store = self.folder / f"{executable.name}.store"
        subprocess.run(["rm", "-rf", store], check=True)
        extra = ["--time=any"] if program["time"] == "any" else []
        extra += ["--spurious"] if program["spurious"] else []
        done = subprocess.run([self.bin / "heddle", command, "--format=json", "--store", store,
                               *extra, *options, executable], capture_output=True, text=True)
        if done.returncode not in (0, 2):
            sys.exit(f"heddle {command} {executable}: exit status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)


def lines_of(findings):
    return {tuple(sorted(site["line"] for site in finding["sites"])) for finding in findings}


def race_lines(report, *statuses):
    return lines_of(finding for finding in report["findings"]
                    if finding["kind"] == "data-race" and finding["status"] in statuses)


def weak_lines(report):
    """Races that no run can show, with the memory order that they lack."""
    return lines_of(finding for finding in report["findings"] if "missing_order" in finding)


def detection(report):
    """Share of the runs in which a violation was seen, and the first such run."""
    runs = max(1, report["method_runs"])
    return report["detections"] / runs, report["first_detection"]


def race_rate(report):
    """Mean probability of the races that were triggered."""
    rates = [f["probability"] for f in report["findings"]
             if f["kind"] == "data-race" and f["status"] != "potential"]
    return sum(rates) / len(rates) if rates else 0


def atomicity(corpus, verdict):
    """Table 2 of AssetFuzzer for the programs of atomicity/ that have a long window.

    All methods have the same scheduling points and number of runs. The rate of forced runs is that
    of all candidates, also of those that are never triggered; of monitoring it is the share of runs that
    show any violation at all."""
    print(f"Atomicity violations, {TRIALS} runs of each method and candidate, at least 1,000 steps in the "
          "window")
    print(f"  {'':<16} {'forced (AssetFuzzer)':^36}|{'monitoring, random':^26}|{'races':^18}|"
          f"{'lock pattern':^20}")
    print(f"  {'program':<16} {'s':>5} {'cand.':>5} {'found':>5} {'rate':>5} {'first':>5} {'thrash':>6} |"
          f"{'s':>6} {'found':>6} {'rate':>6} {'first':>5}|{'s':>5} {'found':>6} {'rate':>5}|"
          f"{'s':>6} {'rate':>6} {'first':>6}")
    forced_rates, monitored_rates, missed = [], [], 0
    for program in programs():
        if not program["name"].startswith("atomicity/") or program["twin"] or not program["long"]:
            continue
        executable = corpus.build(program, "heddle", *program["long"])
        common = ("--trials", str(TRIALS), "--no-minimize", "--seconds", "600")
        forced = corpus.heddle("atomicity", program, executable, *common)
        monitored = corpus.heddle("atomicity", program, executable, *common, "--method=monitoring")
        locking = corpus.heddle("atomicity", program, executable, *common, "--method=lock-pattern")
        races = corpus.heddle("races", program, executable, "--seconds", "60")
        found = [f for f in forced["findings"]
                 if f["kind"] == "atomicity-violation" and f["status"] != "potential"]
        rate = forced["pattern_hits"] / max(1, forced["pattern_runs"])
        forced_rates.append(rate)
        missed += not found
        seen, first = detection(monitored)
        monitored_rates.append(seen)
        seen_locks, first_locks = detection(locking)
        real_races = len(race_lines(races, "confirmed", "harmful"))
        print(f"  {program['pair'].removeprefix('atomicity/'):<16} {forced['seconds']:>5.1f} "
              f"{forced['patterns']:>5} {len(found):>5} {rate:>5.2f} {forced['first_confirmed']:>5} "
              f"{forced['thrashings']:>6} |"
              f"{monitored['seconds']:>6.1f} {monitored['violations']:>6} {seen:>6.2f} {first:>5}|"
              f"{races['seconds']:>5.1f} {real_races:>6} {race_rate(races):>5.2f}|"
              f"{locking['seconds']:>6.1f} {seen_locks:>6.2f} {first_locks:>6}", flush=True)
    mean = sum(forced_rates) / len(forced_rates)
    mean_monitored = sum(monitored_rates) / len(monitored_rates)
    print(f"  mean detection rate: forced {mean:.2f}, monitoring {mean_monitored:.2f} "
          "(the paper: 0.65 and 0.30)")
    ok = verdict("programs without a confirmed violation", missed, 0)
    ok = verdict("0.9 / the mean detection rate of forced runs", 0.9 / max(mean, 1e-9), 1) and ok
    return verdict("3 * the rate of monitoring / that of forced runs",
                   3 * mean_monitored / max(mean, 1e-9), 1) and ok


def races(corpus, verdict):
    """One row for each program that races, beside the paper's row for its model."""
    print(f"Races of the corpus, {TRIALS} forced runs for each candidate; the paper's figures in brackets")
    print(f"  {'program':<20} {'after':<12} {'candidates':>12} {'real':>10} {'harmful':>10} "
          f"{'probability':>14} {'plain random':>13}")
    probabilities, missed, extra = [], 0, 0
    for program in programs():
        if not program["name"].startswith("races/"):
            continue
        executable = corpus.build(program, "heddle")
        report = corpus.heddle("races", program, executable, "--trials", str(TRIALS))
        real = {tuple(sorted(lines if len(lines) == 2 else lines * 2))
                for lines in program["races"].values()}
        confirmed = race_lines(report, "confirmed", "harmful")
        missed += len(real - confirmed)
        extra += len(confirmed - real)
        if program["twin"] or not real:
            continue
        values = [f["probability"] for f in report["findings"]
                  if f["kind"] == "data-race" and f["status"] != "potential"]
        probabilities.append(sum(values) / len(values) if values else 0)
        random = corpus.heddle("run", program, executable, "--runs", "1000", "--strategy", "random",
                               "--points", "sync", "--keep-going", "--no-minimize")
        failing = sum(f.get("count", 1) for f in random["findings"]) / max(1, random["runs"])
        name = program["pair"].removeprefix("races/")
        after, *paper = PAPER.get(name, ("", None, None, None, None))
        cell = lambda value, of: f"{value} [{of if of is not None else '-'}]"
        print(f"  {name:<20} {after:<12} {cell(report.get('candidates', 0), paper[0]):>12} "
              f"{cell(len(confirmed), paper[1]):>10} "
              f"{cell(len(race_lines(report, 'harmful')), paper[2]):>10} "
              f"{cell(f'{probabilities[-1]:.2f}', paper[3]):>14} {failing:>13.3f}")
    mean = sum(probabilities) / len(probabilities)
    ok = verdict("real races that were not confirmed", missed, 0)
    ok = verdict("confirmed races that are none, twins included", extra, 0) and ok
    return verdict("1 - mean probability", 1 - mean, 0.1) and ok


def run_bounded(command, seconds, environment=None):
    """Output and exit status; a program that does not end is killed with its children."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True,
                               env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL)
    try:
        output, _ = process.communicate(timeout=seconds)
        return output, process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return output, None


ALLOCATION = 0  # the line of a side that is one
ALLOCATES = re.compile(r".*\n\s+#0 (?:operator new|malloc|calloc|realloc)\b")


def reported_pairs(output, source, header, stack):
    """Pairs of lines of the program's own file that a tool reports as racing."""
    pairs = set()
    for block in re.split(header, output)[1:]:
        lines = []
        for part in re.split(stack, block)[1:3]:
            found = re.search(rf"{re.escape(source)}:(\d+)", part)
            if found:
                lines.append(ALLOCATION if ALLOCATES.match(part) else int(found.group(1)))
        if len(lines) == 2:
            pairs.add(tuple(sorted(lines)))
    return pairs


def not_among(pairs, ours):
    """What of a tool's pairs we do not have. TSan counts an allocation as a write of the memory, the
    source has its first real write in this place: then any pair with the other line does."""
    lines = {line for pair in ours for line in pair}
    return sorted(pair for pair in pairs - ours
                  if pair[0] != ALLOCATION or not lines.issuperset(pair[1:]))


class Outcome:
    def __init__(self):
        self.found = False
        self.pairs = set()
        self.seconds = 0.0


def by_tsan(corpus, program):
    executable = corpus.build(program, "tsan", "-fsanitize=thread")
    source, outcome, begin = Path(program["file"]).name, Outcome(), time.time()
    hangs = 0
    for _ in range(TSAN_RUNS):
        if hangs == MOST_HANGS:
            break
        output, status = run_bounded([executable], RUN_SECONDS, {"TSAN_OPTIONS": "exitcode=66"})
        outcome.found |= status != 0
        hangs += status is None
        outcome.pairs |= reported_pairs(output, source, r"WARNING: ThreadSanitizer: data race",
                                        r"\n  (?:Previous )?(?:[Aa]tomic )?(?:[Ww]rite|[Rr]ead) of size")
    outcome.seconds = time.time() - begin
    return outcome


def by_helgrind(corpus, program):
    executable = corpus.build(program, "plain")
    source, outcome, begin = Path(program["file"]).name, Outcome(), time.time()
    output, status = run_bounded(["valgrind", "--tool=helgrind", "--error-exitcode=9", executable],
                                 HELGRIND_SECONDS)
    outcome.found = status != 0
    outcome.pairs = reported_pairs(output, source, r"Possible data race during",
                                   r"(?: of size \d+ at|This conflicts with)")
    outcome.seconds = time.time() - begin
    return outcome


def by_heddle(corpus, program):
    executable = corpus.build(program, "heddle")
    outcome, begin = Outcome(), time.time()
    report = corpus.heddle("check", program, executable, "--runs", str(program["runs"]))
    outcome.found = any(f["status"] != "potential" for f in report["findings"])
    outcome.seconds = time.time() - begin
    every = corpus.heddle("races", program, executable)
    outcome.pairs = race_lines(every, "confirmed", "harmful")
    outcome.potential = race_lines(every, "potential")
    outcome.weak = weak_lines(every)
    return outcome


def peers(corpus, verdict, only=""):
    """What the tools find in the whole corpus, and the time that each of them takes; `only`: in the
    programs whose name has one of these texts, separated by commas."""
    chosen = [p for p in programs() if any(text in p["name"] for text in only.split(","))]
    tools = {"TSan": by_tsan, "Helgrind": by_helgrind, "heddle": by_heddle}
    print(f"{len(chosen)} programs of the corpus: TSan in {TSAN_RUNS} runs, Helgrind in one, heddle check")
    print(f"  {'program':<34} " + " ".join(f"{tool:>9}" for tool in tools))
    totals = {tool: {"found": 0, "false": 0, "seconds": 0.0} for tool in tools}
    left, weak, bugs, twins = [], [], 0, 0
    with ThreadPoolExecutor(max_workers=2) as pool:
        for program, outcomes in pool.map(
                lambda p: (p, {tool: look(corpus, p) for tool, look in tools.items()}), chosen):
            bugs += not program["twin"]
            twins += program["twin"]
            for tool, outcome in outcomes.items():
                totals[tool]["false" if program["twin"] else "found"] += outcome.found
                totals[tool]["seconds"] += outcome.seconds
            if not program["twin"]:
                print(f"  {program['name'].removesuffix('_bug'):<34} "
                      + " ".join(f"{'found' if o.found else '-':>9}" for o in outcomes.values()))
            ours = outcomes["heddle"]
            weak += [f"{program['name']}:{pair[0]},{pair[1]}"
                     for pair in sorted(outcomes["TSan"].pairs & ours.weak)]
            for pair in not_among(outcomes["TSan"].pairs, ours.pairs | ours.weak):
                left.append(f"{program['name']}:{pair[0]},{pair[1]}"
                            + (" (potential)" if pair in ours.potential else ""))
    for what, key in ((f"of {bugs} bugs", "found"), (f"alarms on {twins} correct twins", "false"),
                      ("seconds", "seconds")):
        print(f"  {what:<34} " + " ".join(f"{totals[tool][key]:>9.0f}" for tool in tools))
    for pair in weak:
        print(f"  TSan reports a race that lacks a memory order, as heddle says: {pair}")
    for pair in left:
        print(f"  TSan reports a race that heddle did not confirm: {pair}")
    ok = verdict("bugs that heddle does not find", bugs - totals["heddle"]["found"], 0)
    ok = verdict("alarms of heddle on correct twins", totals["heddle"]["false"], 0) and ok
    return verdict("races of TSan that heddle did not confirm", len(left), 0) and ok
