# shellcheck shell=bash
# Words, paths and small tools that every other script here uses. Sourced by ./start and ./test; runs on bash 3.2 and newer,
# because that is what macOS ships.

# The repository's root: this file is in its folder .scripts.
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Programs that were fetched for this repository alone, and notes of what was built from what. Both git-ignored.
TOOLS=$ROOT/.tools
STAMPS=$TOOLS/stamps

if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  BOLD=$(printf '\033[1m') DIM=$(printf '\033[2m') RED=$(printf '\033[31m') GREEN=$(printf '\033[32m') PLAIN=$(printf '\033[0m')
else
  # shellcheck disable=SC2034 # some are used only by the scripts that source this one
  BOLD='' DIM='' RED='' GREEN='' PLAIN=''
fi

# say TEXT...: one short line about what is being done.
say() { printf '%s\n' "$DIM·$PLAIN $*"; }

# heading TEXT...: the start of a section.
heading() { printf '\n%s\n' "$BOLD$*$PLAIN"; }

# die TEXT...: says what is wrong and what to do about it, then ends the script.
die() {
  printf '\n%s\n' "$RED$BOLD""Stopped:$PLAIN $*" >&2
  exit 1
}

# quietly COMMAND...: runs it without input, and shows its output only when it fails.
quietly() {
  local output
  output=$("$@" 2>&1 </dev/null) && return
  printf '%s\n' "$output" | tail -n 30 >&2
  return 1
}

# have COMMAND...: whether all these commands can be run.
have() {
  local command
  for command in "$@"; do
    command -v "$command" >/dev/null 2>&1 || return 1
  done
}

# private_directory PATH: makes a directory that git ignores, whatever .gitignore says.
private_directory() {
  mkdir -p "$1"
  [ -e "$1/.gitignore" ] || echo '*' >"$1/.gitignore"
}

# sha256: the hash of standard input.
sha256() {
  if have sha256sum; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# hash_of PATH...: one hash over the names and contents of these files and everything below these directories; what is built or
# downloaded is left out, and so are paths that do not exist.
hash_of() {
  local path paths
  paths=()
  for path in "$@"; do
    [ ! -e "$path" ] || paths+=("$path")
  done
  find "${paths[@]}" \
    \( -name node_modules -o -name target -o -name dist -o -name pkg -o -name artifacts \) -prune -o -type f -print0 |
    LC_ALL=C sort -z |
    if have sha256sum; then xargs -0 sha256sum; else xargs -0 shasum -a 256; fi |
    sha256
}

# stamped NAME HASH: whether NAME was last made from exactly what HASH stands for.
stamped() { [ "$(cat "$STAMPS/$1" 2>/dev/null)" = "$2" ]; }

# stamp NAME HASH: notes that NAME has now been made from what HASH stands for.
stamp() {
  private_directory "$TOOLS"
  mkdir -p "$STAMPS"
  echo "$2" >"$STAMPS/$1"
}

# free_port: a loopback port that nothing listens on at the moment.
free_port() {
  node -e 'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}

# answers HOST PORT PATH: whether GET PATH is answered with status 200. Uses bash alone: curl may be missing.
answers() {
  local status
  status=$(
    {
      exec 3<>"/dev/tcp/$1/$2" || exit
      printf 'GET %s HTTP/1.0\r\nHost: %s:%s\r\nConnection: close\r\n\r\n' "$3" "$1" "$2" >&3
      IFS= read -r -t 5 line <&3
      printf '%s' "$line"
    } 2>/dev/null
  )
  case "$status" in
    'HTTP/1.'?' 200'*) ;;
    *) return 1 ;;
  esac
}

# listening HOST PORT: whether something accepts connections there.
listening() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; }
