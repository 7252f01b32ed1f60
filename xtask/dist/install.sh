#!/bin/sh
# Installs Runward {{ VERSION }}: fetches the archive for this machine and its sum, compares them, and puts one file in
# one folder. It edits no file of yours and needs curl or wget, tar, and sha256sum or shasum.
#
#   sh install.sh [--version VERSION] [--to DIR] [--dry-run]
#
# Everything is one function that is called in the last line: a script that was cut off on its way does nothing.

main() {
  set -eu
  version='{{ VERSION }}'
  to="${HOME:-}/.local/bin"
  base="${RUNWARD_DOWNLOADS:-{{ HOME }}/releases/download}"
  dry=no

  while [ $# -gt 0 ]; do
    case $1 in
      --version)
        [ $# -ge 2 ] || fail "--version needs a version, such as {{ VERSION }}"
        version=${2#v}
        shift 2
        ;;
      --to)
        [ $# -ge 2 ] || fail "--to needs a folder"
        to=$2
        shift 2
        ;;
      --dry-run)
        dry=yes
        shift
        ;;
      -h | --help)
        say "usage: sh install.sh [--version VERSION] [--to DIR] [--dry-run]"
        return 0
        ;;
      *) fail "there is no option $1; there are --version, --to and --dry-run" ;;
    esac
  done
  case $version in
    '' | *[!0-9A-Za-z.+-]*) fail "$version is no version; write one such as {{ VERSION }}" ;;
  esac
  case $to in
    /*) ;;
    '') fail "there is no home folder; say where to with --to DIR" ;;
    *) to=$(pwd)/$to ;;
  esac
  [ "$to" != /.local/bin ] || fail "there is no home folder; say where to with --to DIR"

  target=$(find_target)
  name="runward-$version-$target"
  if [ "$dry" = yes ]; then
    say "would fetch $base/v$version/$name.tar.gz"
    say "would compare it with $base/v$version/SHA256SUMS"
    say "would write $to/runward"
    return 0
  fi
  need tar
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  fetch "$base/v$version/$name.tar.gz" "$folder/$name.tar.gz"
  fetch "$base/v$version/SHA256SUMS" "$folder/SHA256SUMS"
  compare "$folder" "$name.tar.gz"
  tar -xzf "$folder/$name.tar.gz" -C "$folder" "$name/runward"
  place "$folder/$name/runward"
}

say() {
  printf '%s\n' "$*"
}

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is needed and is not here"
}

find_target() {
  system=$(uname -s)
  processor=$(uname -m)
  case $processor in
    x86_64 | amd64) processor=x86_64 ;;
    aarch64 | arm64) processor=aarch64 ;;
    *) fail "there is no binary for the processor $processor; build it with: cargo install runward" ;;
  esac
  case $system in
    Linux) say "$processor-unknown-linux-$(find_libc)" ;;
    Darwin) say "$processor-apple-darwin" ;;
    *) fail "there is no binary for $system; on Windows use install.ps1, elsewhere: cargo install runward" ;;
  esac
}

find_libc() {
  if ldd --version 2>&1 | grep -qi musl; then
    say musl
  else
    say gnu
  fi
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL --proto '=https,http' -o "$2" "$1" || fail "$1 could not be fetched"
  elif command -v wget >/dev/null 2>&1; then
    wget -q -O "$2" "$1" || fail "$1 could not be fetched"
  else
    fail "curl or wget is needed and neither is here"
  fi
}

compare() {
  wanted=$(awk -v name="$2" '$2 == name { print $1 }' "$1/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS has no line for $2"
  if command -v sha256sum >/dev/null 2>&1; then
    found=$(sha256sum "$1/$2")
  elif command -v shasum >/dev/null 2>&1; then
    found=$(shasum -a 256 "$1/$2")
  else
    fail "sha256sum or shasum is needed and neither is here"
  fi
  found=${found%% *}
  [ "$found" = "$wanted" ] || fail "$2 is not what was published: its sum is $found, not $wanted. Nothing was installed"
}

# Beside its place first, then moved there in one step: whoever starts it meanwhile has the old one or the new one.
place() {
  mkdir -p "$to" || fail "$to cannot be made"
  beside=$(mktemp "$to/.runward.XXXXXX") || fail "nothing can be written to $to"
  if ! { cat "$1" >"$beside" && chmod 755 "$beside" && "$beside" --version >/dev/null && mv -f "$beside" "$to/runward"; }; then
    rm -f "$beside"
    fail "runward could not be put into $to, or does not start on this machine"
  fi
  say "$("$to/runward" --version) is in $to"
  case ":${PATH:-}:" in
    *":$to:"*) say "Now: runward doctor" ;;
    *)
      say "$to is not in PATH. To add it for this shell:"
      say "  export PATH=\"$to:\$PATH\""
      say "and, to keep it, the same line in the file that your shell reads."
      ;;
  esac
}

# Braces, because half of this line must not be a line.
{ main "$@"; }
