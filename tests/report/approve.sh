#!/usr/bin/env bash
# approve.sh [BUILD]: shows how the output of the reporters differs from the approved files and
# takes it over. The only way in which files in approved/ change; look at the diff first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd)
cmake --build "$build" --target report_tests
"$build/tests/bin/report_tests" --gtest_filter='Approved.EveryFormatOfEverySample' >/dev/null || true
received=$build/tests/report/received
diff -ru "$here/approved" "$received" || true
rm -f "$here/approved/"*
cp "$received/"* "$here/approved/"
