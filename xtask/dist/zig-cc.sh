#!/bin/sh
# A C compiler and linker that asks for an old C library, whatever the machine has: zig, which carries the symbols of
# every glibc. Written by `cargo xtask dist`. Words that only another compiler knows are left out.
left=$#
while [ "$left" -gt 0 ]; do
  word=$1
  shift
  left=$((left - 1))
  case $word in
    --target=* | -m64 | -fuse-ld=* | -B*) ;;
    -lgcc_s | -lgcc_eh) set -- "$@" -lunwind ;;
    -lgcc) ;;
    *) set -- "$@" "$word" ;;
  esac
done
exec "{{ PYTHON }}" -m ziglang cc -target "{{ ZIG_TARGET }}" -fno-sanitize=undefined "$@"
