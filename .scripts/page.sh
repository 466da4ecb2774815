# shellcheck shell=bash
# The blocks of .github/OPERATIONS.md, which scripts and tests use as they are. Sourced; needs common.sh.

# block NAME: what the page has between ```language NAME and the next ```.
block() {
  awk -v name="$1" '
    /^```/ && inside { exit }
    inside { print }
    /^```/ && $2 == name { inside = 1 }
  ' "$ROOT/.github/OPERATIONS.md" | grep . || die "OPERATIONS.md has no block $1."
}
