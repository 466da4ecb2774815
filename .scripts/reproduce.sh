#!/usr/bin/env bash
# .scripts/reproduce.sh [COMMIT]: builds a release of the commit (default HEAD) twice from nothing, in two folders under two names, at two
# times, in two time zones and with two umasks, and compares the results. Every file must be the same, byte for byte; of a file that is not,
# the difference is named. Prints the SHA-256 of all files; those of the pages are the `page` entries of a board's log.
#
# .scripts/reproduce.sh --with FOLDER [COMMIT]: builds once, and compares with a release that was downloaded into FOLDER.
#
#   PARTS  what is built (default: programs pages package documents; `pages package` takes minutes, the programs most of an hour)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/release/common.sh
. .scripts/release/common.sh

PARTS=${PARTS:-programs pages package documents}
SCRATCH=$(mktemp -d)

main() {
  local other='' commit
  trap 'rm -rf "$SCRATCH"' EXIT
  if [ "${1:-}" = --with ]; then
    other=$(cd "$2" && pwd)
    shift 2
  fi
  commit=$(git rev-parse "${1:-HEAD}^{commit}")
  (umask 022 && checkout "$commit" "$SCRATCH/one")
  build "$SCRATCH/one" 022 UTC "$SCRATCH/first"
  if [ -z "$other" ]; then
    other=$SCRATCH/second
    (umask 077 && checkout "$commit" "$SCRATCH/another/name-that-is-longer")
    # As if it had been fetched years ago.
    find "$SCRATCH/another" -name .git -prune -o -type f -exec touch --date='2001-02-03 04:05:06' {} +
    build "$SCRATCH/another/name-that-is-longer" 077 Pacific/Kiritimati "$other"
  fi
  compare "$SCRATCH/first" "$other"
}

# checkout COMMIT FOLDER
checkout() {
  git clone --quiet --no-checkout "$ROOT" "$2"
  git -C "$2" checkout --quiet --detach "$1"
}

# build FOLDER UMASK ZONE OUTPUT: with nothing of what was built before.
build() {
  local version
  version=$(sed -nE 's/^package = \{ version = "([^"]+)".*/\1/p' "$1/Cargo.toml")
  heading "Building in $1"
  (
    umask "$2"
    # shellcheck disable=SC2086 # the parts are separate words
    env -u CARGO_TARGET_DIR TZ="$3" RELEASE_DIR="$4" "$1/.scripts/release.sh" "$version" --dry-run $PARTS
  )
}

# compare ONE OTHER: each file of ONE with that of OTHER.
compare() {
  local file differ=0 same=0
  heading 'Comparing'
  while IFS= read -r file; do
    if ! [ -e "$2/$file" ]; then
      printf '  missing    %s\n' "$file"
      differ=$((differ + 1))
    elif cmp -s "$1/$file" "$2/$file"; then
      printf '  same       %s  %s\n' "$(sha256 <"$1/$file")" "$file"
      same=$((same + 1))
    else
      printf '  different  %s\n' "$file"
      differ=$((differ + 1))
      difference "$1/$file" "$2/$file"
    fi
  done < <(cd "$1" && find . -type f ! -name 'SHA256SUMS*' | sed 's|^\./||' | LC_ALL=C sort)
  printf '\n%s the same, %s different\n' "$same" "$differ"
  [ "$differ" = 0 ]
}

# difference ONE OTHER: which files of two archives differ, and where in a program.
difference() {
  local one=$SCRATCH/unpacked/one other=$SCRATCH/unpacked/other
  rm -rf "$SCRATCH/unpacked"
  mkdir -p "$one" "$other"
  case "$1" in
    *.tar.gz | *.tgz | *.crate) tar -xzf "$1" -C "$one" && tar -xzf "$2" -C "$other" ;;
    *.zip) unzip -q "$1" -d "$one" && unzip -q "$2" -d "$other" ;;
    *) cp "$1" "$one/file" && cp "$2" "$other/file" ;;
  esac
  diff -rq "$one" "$other" | sed "s|$SCRATCH/unpacked/||g; s/^/             /" || true
  # Sections of programs.
  (cd "$one" && find . -type f -perm -u+x) | while IFS= read -r file; do sections "$one/$file" "$other/$file"; done
}

# sections ONE OTHER: the sections of two programs that differ, with the first texts that only one of them has.
sections() {
  local section
  have readelf objcopy || return 0
  readelf -h "$1" >/dev/null 2>&1 || return 0
  readelf -SW "$1" | sed -nE 's/^ *\[ *[0-9]+\] (\.[^ ]+) .*/\1/p' | while IFS= read -r section; do
    objcopy -O binary --only-section="$section" "$1" "$SCRATCH/section.one" 2>/dev/null || continue
    objcopy -O binary --only-section="$section" "$2" "$SCRATCH/section.other" 2>/dev/null || continue
    cmp -s "$SCRATCH/section.one" "$SCRATCH/section.other" || printf '             %s differs in %s bytes\n' "$section" \
      "$(cmp -l "$SCRATCH/section.one" "$SCRATCH/section.other" 2>/dev/null | wc -l)"
  done
  diff <(strings -n 12 "$1" | sort -u) <(strings -n 12 "$2" | sort -u) | sed -n '/^[<>]/s/^/             /p' | sed -n 1,10p || true
}

main "$@"
