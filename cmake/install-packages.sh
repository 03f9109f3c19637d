#!/bin/sh
# Installs the packages of packages.txt that are missing or have another version. Quick when there
# is nothing to do. HEDDLE_SKIP_PACKAGES=1 leaves the system alone.
set -euf # no globbing: version patterns hold *

list=$(dirname "$0")/packages.txt
wanted=$(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$list")

if [ -n "${HEDDLE_SKIP_PACKAGES:-}" ]; then
  exit 0
fi
if ! command -v dpkg-query >/dev/null 2>&1; then
  echo "note: not a Debian system; expecting what $list names to be installed" >&2
  exit 0
fi

names=$(echo "$wanted" | sed 's/=.*//')
# shellcheck disable=SC2086
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}=${Version}\n' $names 2>/dev/null |
  sed -n 's/^installed //p') || true

missing=
for package in $wanted; do
  found=no
  for have in $installed; do
    # The pattern stays unquoted: its * is the pinned version's open end.
    case $have in $package) found=yes && break ;; esac
  done
  [ $found = yes ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "error: these packages are missing, and there is neither root nor sudo to install them:" >&2
    echo " $missing" >&2
    echo "Ask an administrator for: apt-get install$missing" >&2
    exit 1
  fi
  as_root=sudo
fi

echo "Installing:$missing"
$as_root apt-get -o DPkg::Lock::Timeout=600 update
# shellcheck disable=SC2086
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y \
  --no-install-recommends $missing
