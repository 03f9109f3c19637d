#!/usr/bin/env bash
# approve.sh [BUILD]: takes over the screenshots of the last test run. The only way in which files in
# approved/ change; look at them first.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-$here/../../build}" && pwd)
cp "$build/viewer/received/"*.png "$here/approved/"
