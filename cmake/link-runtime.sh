#!/bin/sh
# link-runtime.sh LD OBJCOPY NM CC OUTPUT.o NAMES.o OUTPUT.dynlist OBJECTS...
#
# Makes the objects that are linked into programs, refuses them when they need libstdc++ (a C
# program has none), and lists what they define for the linker's --dynamic-list.
#
# A program may define `send` or `time` itself, and its definition must win as it does over libc's.
# So the runtime's `send` is `heddle_own_send`, which is what the runtime itself refers to, and `send` is a
# weak jump there. The jumps are an object that is linked last, after the program's archives, so that
# these are asked for `send` as without heddle. The allocator's jumps are in the runtime, which is linked
# first: an archive with another malloc is left out, because the runtime needs its own heap.
# What the runtime calls in libc it calls through slots, see interposition.h.
set -eu
ld=$1 objcopy=$2 nm=$3 cc=$4 object=$5 names=$6 list=$7
shift 7
# What the linker, the loader and the unwinder define, data, and what asks for libc's functions.
not_libc='^(__executable_start|_end|environ|stdin|stdout|dlvsym|_Unwind_Resume|__gcc_personality_v0|__heddle_.*|heddle_.*)$'
heap='^(malloc|calloc|realloc|reallocarray|free|memalign|aligned_alloc|posix_memalign|valloc|pvalloc|malloc_usable_size|malloc_trim)$'
own='^(__heddle_|heddle_|__libc_start_main$)'

work=$object.work
rm -rf "$work"
mkdir "$work"
trap 'rm -rf "$work"' EXIT

"$ld" -r -o "$work/all.o" "$@"
# The code gets a section of its own, so that the linker tells where it begins and ends: a fault in
# it is never called a bug of the program.
# So does the data: it changes with every step, and a comparison of the program's memory leaves it out.
"$objcopy" --localize-hidden --rename-section .text=heddle_text,alloc,load,readonly,code \
  --rename-section .data=heddle_data,alloc,load,data --rename-section .bss=heddle_bss,alloc \
  --rename-section .bss.heddle_large=heddle_large,alloc "$work/all.o"

# As grep, but it is fine to find nothing.
only() { grep -E "$@" || test $? -eq 1; }
without() { only -v "$@"; }

"$nm" --undefined-only --format=posix "$work/all.o" | awk '$2 == "U" { print $1 }' >"$work/needed"
# Weak references are allowed: they are how the runtime asks whether the program has libstdc++.
if grep -E '^(_ZNSt|_ZNKSt|_ZSt|_ZTVN10__cxxabiv|_Zn|_Zd|__cxa_pure_virtual|__gxx_personality)' \
  "$work/needed" >"$work/refused"; then
  echo "error: the runtime needs symbols of libstdc++, which a C program does not have:" >&2
  sed 's/^/  /' "$work/refused" >&2
  echo "Use what src/runtime has in their place, or declare them weak." >&2
  exit 1
fi
"$nm" --defined-only --extern-only --format=posix "$work/all.o" | awk '{ print $1 }' >"$work/defined"
without "$own" "$work/defined" >"$work/interposed"
only "$heap" "$work/interposed" >"$work/heap"
without "$heap" "$work/interposed" >"$work/others"
without "$not_libc" "$work/needed" >"$work/libc"

# jumps FILE: a weak jump for each name; `heddle_name_NAME` is where it stands, whoever wins. While the
# caller's registers are wanted (src/runtime/base/caller_state.h) it goes where they are captured.
jumps() {
  printf '\t.hidden heddleCaller\n\t.hidden heddleEnterFunction\n'
  awk '{
    print "\t.weak " $1 "\n\t.type " $1 ",@function"
    print "\t.globl heddle_name_" $1 "\n\t.hidden heddle_name_" $1 "\n\t.hidden heddle_own_" $1
    print "\t.p2align 4\n" $1 ":\nheddle_name_" $1 ":\n\t.cfi_startproc"
    print "\tcmpb $0, heddleCaller(%rip)\n\tjne 1f\n\tjmp heddle_own_" $1
    print "1:\tleaq heddle_own_" $1 "(%rip), %r11\n\tjmp heddleEnterFunction"
    print "\t.cfi_endproc\n\t.size " $1 ", .-" $1
  }' "$1"
}

# table FILE SYMBOL FIELDS: SYMBOL is an array of the fields, in which @ is the name, up to a null.
table() {
  awk -v symbol="$2" -v fields="$3" 'BEGIN {
    print "\t.section .data.rel.ro,\"aw\",@progbits\n\t.p2align 3"
    print "\t.globl " symbol "\n\t.hidden " symbol "\n" symbol ":"
  } {
    line = fields
    gsub("@", $1, line)
    print "\t.quad .Ltext_" $1 "\n\t.quad " line
    texts = texts ".Ltext_" $1 ":\n\t.asciz \"" $1 "\"\n"
  } END {
    print "\t.quad 0\n\t.section .rodata.str1.1,\"aMS\",@progbits,1\n" texts
  }' "$1"
}

code() { printf '\t.section heddle_text,"ax",@progbits\n'; }
no_stack='	.section .note.GNU-stack,"",@progbits'

{
  code
  jumps "$work/heap"
  awk '{
    print "\t.globl heddle_libc_" $1 "\n\t.hidden heddle_libc_" $1
    print "\t.type heddle_libc_" $1 ",@function\n\t.p2align 4\nheddle_libc_" $1 ":"
    print "\t.cfi_startproc\n\tjmp *.Lslot_" $1 "(%rip)\n\t.cfi_endproc\n\t.size heddle_libc_" $1 ", .-heddle_libc_" $1
  }' "$work/libc"
  printf '\t.data\n\t.p2align 3\n'
  # Weak, so that no archive of the user is asked for what only the runtime calls.
  awk '{ print "\t.weak " $1 "\n.Lslot_" $1 ":\n\t.quad " $1 }' "$work/libc"
  table "$work/libc" heddle_libc_slots '.Lslot_@'
  echo "$no_stack"
} >"$work/first.s"
{
  code
  jumps "$work/others"
  sed 's/^/\t.hidden heddle_name_/' "$work/heap"
  table "$work/interposed" heddle_interposed 'heddle_name_@, @'
  echo "$no_stack"
} >"$work/names.s"

{
  sed 's/.*/& heddle_own_&/' "$work/interposed"
  sed 's/.*/& heddle_libc_&/' "$work/libc"
} >"$work/renamed"
"$objcopy" --redefine-syms="$work/renamed" --globalize-symbol=heddleCaller \
  --globalize-symbol=heddleEnterFunction "$work/all.o"
"$cc" -c "$work/first.s" -o "$work/first.o"
"$cc" -c "$work/names.s" -o "$work/names.o"
"$ld" -r -o "$work/runtime.o" "$work/all.o" "$work/first.o"
awk 'BEGIN { print "{" } { print "  " $1 ";" } END { print "};" }' "$work/defined" >"$work/list"
mv "$work/runtime.o" "$object"
mv "$work/names.o" "$names"
mv "$work/list" "$list"
