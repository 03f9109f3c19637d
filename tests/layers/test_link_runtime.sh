#!/usr/bin/env bash
# cmake/link-runtime.sh must hide what is hidden, list what is not, and refuse libstdc++.
set -euo pipefail
script=$(cd "$(dirname "$0")/../.." && pwd)/cmake/link-runtime.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
compile() { clang++-19 -std=c++20 -O1 -fPIC -fvisibility=hidden -fno-exceptions -fno-rtti -c "$1"; }
link() { "$script" ld.lld-19 llvm-objcopy-19 llvm-nm-19 clang-19 out.o names.o out.dynlist "$@"; }
fail() { echo "failed: $*" >&2; exit 1; }

cat >good.cpp <<'END'
extern "C" int abort_like() __attribute__((weak));
namespace inner { int helper(int x) { return x + 1; } }
extern "C" __attribute__((visibility("default"))) int pthread_thing(int x) {
  return abort_like ? inner::helper(x) : 0;
}
END
cat >user.cpp <<'END'
namespace inner { int helper(int x); }
extern "C" __attribute__((visibility("default"))) int other_thing(int x) {
  return inner::helper(x);
}
END
cat >bad.cpp <<'END'
#include <new>
extern "C" __attribute__((visibility("default"))) int* bad_thing() { return new int(1); }
END
cat >weak.cpp <<'END'
namespace std { __attribute__((weak)) void terminate() noexcept; }
extern "C" __attribute__((visibility("default"))) void weak_thing() { if (std::terminate) std::terminate(); }
END
for source in good user bad weak; do compile $source.cpp; done

link good.o user.o
printf '{\n  other_thing;\n  pthread_thing;\n};\n' >expected
sort out.dynlist >sorted && sort expected | diff - sorted || fail "the dynamic list is not what is exported"
llvm-nm-19 out.o | grep -q ' t _ZN5inner6helperEi' || fail "a hidden symbol is still global"

if link good.o user.o bad.o 2>message; then fail "a use of operator new was accepted"; fi
grep -q '_Znwm' message || fail "the message does not name the symbol"
grep -q 'pthread_thing' out.dynlist || fail "a refused link destroyed the previous result"

link weak.o || fail "a weak reference was refused"
