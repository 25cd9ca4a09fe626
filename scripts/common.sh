# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts, which source it: where the project is, and how a
# script speaks. Messages go to stderr, so that a tool's own output stays
# alone on stdout.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$*"
  exit 3
}

# quietly LOG COMMAND…: runs it with its output in LOG, relative to build/. If
# it fails, shows the end of that output and where the rest is.
quietly() {
  local log="$root/build/$1" status=0
  shift
  mkdir -p "$(dirname "$log")"
  (cd "$root" && "$@") > "$log" 2>&1 < /dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log" >&2
    die "failed: $* (all of its output: $log)"
  fi
}

# build PRESET [cmake --build arguments…]: configures and builds.
build() {
  local preset=$1
  shift
  quietly "$preset.log" configure_and_build "$preset" "$@"
}

configure_and_build() {
  local preset=$1
  shift
  cmake --preset "$preset" && cmake --build --preset "$preset" "$@"
}
