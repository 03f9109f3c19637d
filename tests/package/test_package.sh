#!/usr/bin/env bash
# test_package.sh BUILD: installs heddle, moves the tree, and uses it from a CMake project and from
# the command line. Nothing in the tree may name the place where it was built.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "failed: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved tree"
prefix="$work/moved tree"
for file in bin/heddle bin/heddle-cc bin/heddle-c++ lib/heddle/heddle_pass.so \
  lib/heddle/heddle_rt.o lib/heddle/heddle_names.o lib/heddle/heddle_seed.o lib/heddle/heddle.dynlist lib/heddle/heddle-gdb.py include/heddle/heddle.h \
  include/heddle/test.h lib/cmake/heddle/HeddleDiscoverTests.cmake \
  share/doc/heddle/examples/googletest/README.md lib/cmake/heddle/heddleConfig.cmake share/doc/heddle/LICENSE; do
  [ -e "$prefix/$file" ] || fail "$file is not installed"
done

cmake -S "$here/project" -B "$work/user" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
  -Dheddle_DIR="$prefix/lib/cmake/heddle" >"$work/configure.log" || fail "$(cat "$work/configure.log")"
cmake --build "$work/user" >"$work/build.log" || fail "$(cat "$work/build.log")"
ctest --test-dir "$work/user" --output-on-failure >"$work/ctest.log" 2>&1 || true
grep -q 'correct.*Passed' "$work/ctest.log" || fail "the correct program: $(cat "$work/ctest.log")"
grep -q 'plain.*Passed' "$work/ctest.log" || fail "the plain program: $(cat "$work/ctest.log")"
grep -q 'buggy.*Failed' "$work/ctest.log" || fail "the buggy program: $(cat "$work/ctest.log")"
grep -q 'heddle-data-race' "$work/ctest.log" || fail "no report in $(cat "$work/ctest.log")"
if nm "$work/user/plain" | grep -q __heddle; then fail "a plain target was instrumented"; fi

cd "$work"
cp "$here"/project/*.cpp "$here"/project/*.h .
"$prefix/bin/heddle-c++" -std=c++20 -g main.cpp counter.cpp -o counter
status=0
"$prefix/bin/heddle" check --runs=2000 ./counter >"$work/check.log" || status=$?
[ $status -eq 2 ] || fail "heddle check: exit code $status, expected 2: $(cat "$work/check.log")"

# A second user has nothing but the tree in PATH, and starts from another folder.
mkdir "$work/elsewhere" && cd "$work/elsewhere"
PATH="$prefix/bin:/usr/bin:/bin"
heddle-c++ -std=c++20 -g ../main.cpp ../counter.cpp -o counter
heddle check --runs=2000 --format=json --output=report.json ./counter || true
id=$(sed -n 's/^ *"id": "\(H-[0-9a-f]*\)",*$/\1/p' report.json | head -n 1)
[ -n "$id" ] || fail "no finding in $(cat report.json)"
status=0
heddle replay "$id" >"$work/replay.log" || status=$?
[ $status -eq 2 ] || fail "heddle replay: exit code $status, expected 2: $(cat "$work/replay.log")"
heddle replay "$id" -- gdb -nx -batch -ex run -ex heddle-threads >"$work/gdb.log" 2>&1 || true
grep -q '^\* T0: ' "$work/gdb.log" || fail "no threads in gdb: $(cat "$work/gdb.log")"
