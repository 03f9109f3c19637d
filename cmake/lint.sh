#!/usr/bin/env bash
# lint.sh BUILD JOBS: format, clang-tidy, layers, scripts. Runs all of them and fails if one did.
# lint.sh --format: formats every file that the first of them looks at.
set -uo pipefail
arguments=("$@")
[ "$1" = --format ] || arguments[0]=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
failed=0

step() {
  local name=$1
  shift
  local start=$SECONDS
  if "$@"; then
    echo "lint: $name: ok ($((SECONDS - start)) s)"
  else
    echo "lint: $name: FAILED" >&2
    failed=1
  fi
}

# Our files by name, wherever they are but in build folders; not asked from git, which refuses to
# answer in a checkout of another user.
files() {
  local names=() name
  for name in "$@"; do names+=(-o -name "$name"); done
  find . \( -name .git -o -name 'build*' -type d -o -name .heddle -o -name node_modules \) -prune \
    -o -type f \( "${names[@]:1}" \) -print | sort
}

# Programs under test stay as they are: their lines carry marks, and the odd ones are odd on purpose.
formatted_files() {
  files '*.cpp' '*.c' '*.h' | grep -v -E '^\./corpus/|^\./tests/.*/(programs|failures)/'
}

check_format() {
  formatted_files | xargs -r clang-format-19 --dry-run -Werror
}

# Scripts are known by their first line: some have no extension.
scripts() {
  files '*.py' '*.sh' run | while read -r script; do
    case $(head -n 1 "$script") in
    '#!'*python*) [ "$1" = python ] && echo "$script" ;;
    '#!'*sh*) [ "$1" = shell ] && echo "$script" ;;
    *) [ "$1" = python ] && case $script in *.py) echo "$script" ;; esac ;;
    esac
  done
  return 0 # the loop's own status is that of its last comparison
}

check_python() {
  scripts python | xargs -r python3 -c '
import ast, sys
for name in sys.argv[1:]:
    ast.parse(open(name, encoding="utf-8").read(), name)'
}

check_shell() {
  local script status=0
  while read -r script; do
    bash -n "$script" || status=1
  done < <(scripts shell)
  return $status
}

if [ "${arguments[0]}" = --format ]; then
  formatted_files | xargs -r clang-format-19 -i
  exit
fi

step format check_format
step layers python3 tests/layers/check_layers.py .
step python check_python
step shell check_shell
step clang-tidy python3 cmake/run_tidy.py "${arguments[0]}" . "${arguments[1]}"
exit $failed
