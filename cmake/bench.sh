#!/usr/bin/env bash
# Runs every measurement; each prints a table and its ratios, and fails when a limit is missed.
set -euo pipefail
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
if [ -x "$source/bench/run" ]; then
  exec "$source/bench/run" "$build"
fi
exec cmake --build "$build" --target bench
