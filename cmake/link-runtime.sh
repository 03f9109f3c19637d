#!/bin/sh
# link-runtime.sh LD OBJCOPY NM OUTPUT.o OUTPUT.dynlist OBJECTS...
#
# Makes the one object that is linked into programs, refuses it when it needs libstdc++ (a C
# program has none), and lists what it defines for the linker's --dynamic-list.
set -eu
ld=$1 objcopy=$2 nm=$3 object=$4 list=$5
shift 5

unfinished=$object.tmp
"$ld" -r -o "$unfinished" "$@"
# The code gets a section of its own, so that the linker tells where it begins and ends: a fault in
# it is never called a bug of the program.
"$objcopy" --localize-hidden --rename-section .text=heddle_text,alloc,load,readonly,code "$unfinished"

# Weak references are allowed: they are how the runtime asks whether the program has libstdc++.
undefined=$("$nm" --undefined-only --format=posix "$unfinished" |
  awk '$2 == "U" && $1 ~ /^(_ZNSt|_ZNKSt|_ZSt|_ZTVN10__cxxabiv|_Zn|_Zd|__cxa_pure_virtual|__gxx_personality)/ { print $1 }')
if [ -n "$undefined" ]; then
  echo "error: the runtime needs symbols of libstdc++, which a C program does not have:" >&2
  echo "$undefined" | sed 's/^/  /' >&2
  echo "Use what src/runtime has in their place, or declare them weak." >&2
  rm -f "$unfinished"
  exit 1
fi

"$nm" --defined-only --extern-only --format=posix "$unfinished" |
  awk 'BEGIN { print "{" } { print "  " $1 ";" } END { print "};" }' >"$list.tmp"
mv "$unfinished" "$object"
mv "$list.tmp" "$list"
