# Names and times the stages of .ci/run and .ci/full. Sourced by both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

current='the start'
trap 'code=$?; if [ "$code" -ne 0 ]; then echo "=== FAILED: $current (after $SECONDS s in all)"; fi' EXIT

# stage <command> [<argument>...]: runs a command under its own words.
stage() {
  current="$*"
  local began=$SECONDS
  echo "=== $current"
  "$@"
  echo "=== passed: $current ($((SECONDS - began)) s, $SECONDS s in all)"
}
