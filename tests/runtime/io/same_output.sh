#!/bin/sh
# same_output.sh PROGRAM SEEDS: under seeds 1 to SEEDS the program prints what it prints under the
# default schedule.
set -u
program=$1 seeds=$2
expected=$("$program") || exit 1
seed=1
while [ "$seed" -le "$seeds" ]; do
  printed=$(HEDDLE_SELFTEST=random:$seed timeout 60 "$program") || exit 1
  if [ "$printed" != "$expected" ]; then
    printf 'seed %s printed\n%s\ninstead of\n%s\n' "$seed" "$printed" "$expected" >&2
    exit 1
  fi
  seed=$((seed + 1))
done
