#!/bin/sh
# run_seeds.sh PROGRAM SEEDS STRATEGY...: runs the program under each strategy with seeds 1 to
# SEEDS; stops at the first run that does not end with status 0, and says how to repeat it.
set -u
program=$1 seeds=$2
shift 2
for strategy in "$@"; do
  seed=1
  while [ "$seed" -le "$seeds" ]; do
    if ! HEDDLE_SELFTEST=$strategy:$seed timeout 60 "$program"; then
      echo "failed; repeat with: HEDDLE_SELFTEST=$strategy:$seed $program" >&2
      exit 1
    fi
    seed=$((seed + 1))
  done
done
