#!/bin/sh
# A compiler launcher for CMake: `heddle-launch.sh TOOL COMPILER ARGUMENTS...` runs TOOL in place
# of COMPILER. One target of a project can so be instrumented while the others are not.
tool=$1
shift 2
exec "$tool" "$@"
