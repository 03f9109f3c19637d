"""heap_bench.py WITH_HEDDLE WITH_LIBC: runs both builds of heap_bench and prints the ratios."""

import math
import subprocess
import sys


ROUNDS = 5  # taken in turns: the machine may be busy with other things


def times(program):
    lines = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {name: float(nanos) for name, nanos in map(str.split, lines.splitlines())}


def best(results):
    return {name: min(result[name] for result in results) for name in results[0]}


def main():
    rounds = [(times(sys.argv[1]), times(sys.argv[2])) for _ in range(ROUNDS)]
    ours, libc = best([r[0] for r in rounds]), best([r[1] for r in rounds])
    print(f"{'kernel':<14}{'libc ms':>10}{'heddle ms':>12}{'ratio':>8}")
    for name in libc:
        ratio = ours[name] / libc[name]
        print(f"{name:<14}{libc[name] / 1e6:>10.1f}{ours[name] / 1e6:>12.1f}{ratio:>8.2f}")
    logs = [math.log(ours[name] / libc[name]) for name in libc]
    print(f"geometric mean of the ratios: {math.exp(sum(logs) / len(logs)):.2f}")


main()
