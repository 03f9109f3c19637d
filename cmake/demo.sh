#!/usr/bin/env bash
# Compiles the example bank and lets heddle check it. Succeeds when heddle finds its bug.
set -euo pipefail
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)/examples/bank
mkdir -p "$build/demo"
cd "$build/demo"
cp "$source/bank.cpp" .

echo '$ heddle-c++ -std=c++20 -g -O1 bank.cpp -o bank'
"$build/bin/heddle-c++" -std=c++20 -g -O1 bank.cpp -o bank
echo '$ heddle check ./bank'
status=0
PATH="$build/bin:$PATH" heddle check ./bank || status=$?
if [ $status -ne 2 ]; then
  echo "error: expected heddle to find the bug of the bank (exit code 2), got exit code $status" >&2
  exit 1
fi
