"""How the static race detector scales: real programs, and generated ones of growing size."""

import concurrent.futures
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path

import generate

PROGRAMS = Path(__file__).resolve().parent / "programs" / "static"
FIGURE = Path(__file__).resolve().parent.parent / "docs" / "static-scale.svg"
PACKAGES = {  # header -> Debian package
    "spdlog/async.h": "libspdlog-dev",
    "boost/asio.hpp": "libboost1.81-dev",
    "nlohmann/json.hpp": "nlohmann-json3-dev",
}
REAL = ["spdlog_service", "asio_echo", "json_pipeline", "json_server"]
GENERATED = [1, 5, 20, 100, 500]  # thousand lines
SECONDS, MEMORY = 300, 6000  # limits: s and MB
FLAGS = ["-g", "-O1", "-pthread"]


def install_packages():
    missing = [package for header, package in PACKAGES.items() if not Path("/usr/include", header).exists()]
    if missing:
        subprocess.run(["apt-get", "install", "-y", *missing], check=True, stdout=subprocess.DEVNULL)


def compile_unit(compiler, source, target, standard):
    newest = max(source.stat().st_mtime, compiler.stat().st_mtime)
    if not target.exists() or target.stat().st_mtime < newest:
        subprocess.run([compiler, f"-std={standard}", *FLAGS, "-c", source, "-o", target], check=True)
    return target


def real_program(binaries, folder, name):
    source = PROGRAMS / f"{name}.cpp"
    target = compile_unit(binaries / "heddle-c++", source, folder / f"{name}.o", "c++20")
    lines = source.read_text().split("\n")
    races = [f"{source.name}:{i + 1}" for i, line in enumerate(lines) if "// RACE" in line]
    return [target], len(lines), races


def bitcode_unit(plugin, source, target):
    """Bitcode with numbered accesses, without code: a large program is compiled in minutes."""
    newest = max(source.stat().st_mtime, plugin.stat().st_mtime)
    if target.exists() and target.stat().st_mtime >= newest:
        return target
    plain = target.with_suffix(".plain")
    subprocess.run(["clang++-19", "-std=c++17", *FLAGS, "-fstandalone-debug", "-Xclang", "-disable-llvm-passes",
                    "-emit-llvm", "-c", source, "-o", plain], check=True)
    subprocess.run(["opt-19", f"-load-pass-plugin={plugin}", "-passes=heddle-sites", plain, "-o", target], check=True)
    plain.unlink()
    return target


def generated_program(binaries, folder, thousands):
    place = folder / f"generated_{thousands}k"
    lines = generate.generate(place, thousands * 1000)
    plugin = binaries.parent / "lib" / "heddle" / "heddle_pass.so"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        units = list(pool.map(lambda source: bitcode_unit(plugin, source, source.with_suffix(".bc")),
                              sorted(place.glob("*.cpp"))))
    return units, lines, (place / "races.txt").read_text().split()


def analyse(binaries, objects):
    """The report of heddle analyze, with its time and its peak memory; None when it fails."""
    start = time.time()
    process = subprocess.Popen([binaries / "heddle", "analyze", "--format=json", "--seconds", str(SECONDS),
                                "--memory", str(MEMORY), *objects], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, errors = process.communicate()
    if process.returncode != 0:
        print(f"  {errors.decode()[-300:]}", file=sys.stderr)
        return None
    report = json.loads(output)
    report["wall"] = time.time() - start
    return report


def reported(report):
    return {f"{os.path.basename(site['file'])}:{site['line']}" for finding in report["findings"]
            for site in finding["sites"]}


def row(name, lines, report):
    sizes, stages, phases = report["sizes"], report["stages"], report["phases"]
    points_to = sum(seconds for phase, seconds in phases.items() if phase.startswith("points-to"))
    rest = sum(phases.values()) - points_to - phases["load"]
    print(f"  {name:<18} {lines:>8} {sizes['instructions']:>9} {sizes['functions']:>7} {sizes['contexts']:>8} "
          f"{report['context_depth']:>2} {report['wall']:>7.1f} {phases['load']:>6.1f} {points_to:>9.1f} {rest:>6.1f} "
          f"{report['peak_memory'] / 1e6:>7.0f} {len(report['findings']):>6}  "
          + " ".join(str(stages[stage]) for stage in stages))


def plot(points):
    """Seconds over instructions, both logarithmic, with a line of linear growth."""
    width, height, margin = 640, 400, 60
    xs = [math.log10(p[1]) for p in points]
    ys = [math.log10(max(p[2], 0.01)) for p in points]
    left, right, low, high = math.floor(min(xs)), math.ceil(max(xs)), math.floor(min(ys)), math.ceil(max(ys))

    def at(x, y):
        return (margin + (x - left) / (right - left) * (width - 2 * margin),
                height - margin - (y - low) / (high - low) * (height - 2 * margin))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
           'font-size="12">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(left, right + 1):
        x, y = at(power, low)
        out.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{x:.0f}" y2="{margin}" stroke="#ddd"/>'
                   f'<text x="{x:.0f}" y="{y + 18:.0f}" text-anchor="middle">10^{power}</text>')
    for power in range(low, high + 1):
        x, y = at(left, power)
        out.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{width - margin}" y2="{y:.0f}" stroke="#ddd"/>'
                   f'<text x="{x - 8:.0f}" y="{y + 4:.0f}" text-anchor="end">{10.0 ** power:g} s</text>')
    (x1, y1), (x2, y2) = at(left, low), at(left + min(right - left, high - low), low + min(right - left, high - low))
    out.append(f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#aaa" stroke-dasharray="4"/>')
    for (name, _, _), x, y in zip(points, xs, ys):
        px, py = at(x, y)
        colour = "#1f6fb4" if name.startswith("generated") else "#c4572e"
        out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{colour}"/>'
                   f'<text x="{px + 7:.1f}" y="{py + 4:.1f}">{name}</text>')
    out.append(f'<text x="{width // 2}" y="{height - 15}" text-anchor="middle">instructions (dashed: linear)</text></svg>')
    FIGURE.write_text("\n".join(out) + "\n")


def measure(binaries, folder, verdict, only=""):
    """All programs, or those whose names contain one of the texts."""
    wanted = [text for text in only.split(",") if text]
    folder.mkdir(parents=True, exist_ok=True)
    install_packages()
    print(f"  {'program':<18} {'lines':>8} {'IR':>9} {'funcs':>7} {'contexts':>8} {'k':>2} {'s':>7} {'load':>6} "
          f"{'points-to':>9} {'rest':>6} {'MB':>7} {'finds':>6}  pairs per stage")
    programs = [(name, lambda name=name: real_program(binaries, folder, name)) for name in REAL]
    programs += [(f"generated_{n}k", lambda n=n: generated_program(binaries, folder, n)) for n in GENERATED]
    points, missed, failed = [], [], []
    for name, prepare in programs:
        if wanted and not any(text in name for text in wanted):
            continue
        objects, lines, races = prepare()
        report = analyse(binaries, objects)
        if not report:
            failed.append(name)
            continue
        row(name, lines, report)
        for warning in report.get("warnings", []):
            print(f"    {warning}")
        points.append((name, report["sizes"]["instructions"], report["wall"], report["peak_memory"] / 1e6))
        missed += [f"{name}: {race}" for race in races if race not in reported(report)]
    for race in missed:
        print(f"  not reported: {race}")
    ok = verdict("programs that could not be analysed", len(failed), 0)
    ok = verdict("planted races not reported", len(missed), 0) and ok
    if not points:
        return ok
    ok = verdict("largest time, s", max(p[2] for p in points), SECONDS) and ok
    ok = verdict("largest memory, MB", max(p[3] for p in points), MEMORY) and ok
    generated = [p for p in points if p[0].startswith("generated")]
    if len(generated) > 1:
        ok = verdict("time of the smallest, s", generated[0][2], 2) and ok
        (_, n1, t1, _), (_, n2, t2, _) = generated[-2], generated[-1]
        ok = verdict("growth: exponent of time over instructions", math.log(t2 / t1) / math.log(n2 / n1), 1.3) and ok
    if not wanted and len(points) > 1:
        plot([p[:3] for p in points])
    return ok
