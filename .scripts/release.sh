#!/usr/bin/env bash
# .scripts/release.sh VERSION --dry-run: makes the folder of a release, .artifacts/release-VERSION, from the commit that is checked out: the
# programs for this machine, the pages for any static host, the npm package and the crate as they would be published, SBOM, release notes,
# checksums. Uploads nothing. Without --dry-run it refuses a release that is not complete: no contact in .github/security.txt, no
# address of the source, or no signature.
#
# .scripts/release.sh VERSION [--dry-run] PART...: some of these parts, in this order, as .github/workflows/release.yml runs them on several
# machines: programs, pages, package, documents, sums.
#
#   RELEASE_DIR  the folder (default .artifacts/release-VERSION)
#   SIGNING_KEY  the private key that signs SHA256SUMS; its public half is in .github/security.txt
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/release/common.sh
. .scripts/release/common.sh

PARTS='programs pages package documents sums'
SECURITY=.github/security.txt
VERSION=''
DRY_RUN=''
FOLDER='' # of the release
STAGE=''  # a temporary folder

main() {
  local part
  choose "$@"
  trap 'rm -rf "$STAGE"' EXIT
  STAGE=$(mktemp -d)
  # Checksums need no compilers.
  [ "$PARTS" = ' sums' ] || tools
  consistent
  complete
  release_environment
  FOLDER=${RELEASE_DIR:-$ROOT/.artifacts/release-$VERSION}
  private_directory "$ROOT/.artifacts"
  mkdir -p "$FOLDER"
  FOLDER=$(cd "$FOLDER" && pwd)
  for part in $PARTS; do "$part"; done
  say "the release is in $FOLDER"
}

# choose VERSION [--dry-run] [PART...]
choose() {
  local word chosen=''
  VERSION=${1:-}
  case "$VERSION" in
    [0-9]*.[0-9]*.[0-9]*) shift ;;
    *) die 'which version? .scripts/release.sh 1.0.0 --dry-run' ;;
  esac
  for word in "$@"; do
    case " $PARTS " in
      *" $word "*) chosen="$chosen $word" ;;
      *) [ "$word" = --dry-run ] || die "unknown part: $word. The parts are: $PARTS" && DRY_RUN=yes ;;
    esac
  done
  PARTS=${chosen:-$PARTS}
}

# tools: installs what is missing, and refuses other versions than the pinned ones.
tools() {
  need_rust
  need_node
  need_compilers
  have zip || missing zip zip
  install_missing
  # shellcheck disable=SC2119 # no components are needed to build
  ensure_rust
  pinned_tools
}

# consistent: refuses sources that are not those of this version.
consistent() {
  local file lacks=''
  [ "$(release_version)" = "$VERSION" ] || die "Cargo.toml has version $(release_version); the release is to be $VERSION."
  for file in CHANGELOG.md psbt-wasm/CHANGELOG.md; do
    grep -qE "^## \[${VERSION//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" "$file" || lacks="$lacks $file"
  done
  [ -z "$lacks" ] || die "these have no section '## [$VERSION] - DATE':$lacks"
  [ -z "$(git status --porcelain)" ] || die "there are changes that are not committed; a release is built from a commit. See: git status"
}

# complete: refuses what a dry run may lack.
complete() {
  local lacks=''
  [ -n "$(security Contact)" ] || lacks="$lacks; Contact in $SECURITY is empty"
  [ -n "$(security Release-Key)" ] || lacks="$lacks; Release-Key in $SECURITY is empty"
  grep -q '^repository = ' psbt-wasm/Cargo.toml ||
    lacks="$lacks; the manifests do not name the source: cargo xtask repository https://github.com/OWNER/NAME"
  [ -n "$lacks" ] || return 0
  [ -n "$DRY_RUN" ] || die "the release is not complete: ${lacks#; }."
  say "a release would be refused: ${lacks#; }"
}

# security FIELD: its value in security.txt.
security() { sed -nE "s/^$1: *//p" "$SECURITY"; }

# programs: an archive with both programs and what their operator needs.
programs() {
  local name target file
  heading "Programs for $(machine)"
  build_wasm
  build_web
  build_programs
  name=$(archive_name) target=$(target_directory)
  mkdir -p "$STAGE/$name"
  install -m 755 "$target/release/server" "$STAGE/$name/proof-of-reserves"
  install -m 755 "$target/release/reserves-audit" "$STAGE/$name/"
  node .scripts/release/third-party.mjs notices "$STAGE/$name/THIRD-PARTY-LICENSES.txt"
  for file in README.md LICENSE-MIT LICENSE-APACHE CHANGELOG.md .github/OPERATIONS.md .github/REFERENCE.md .github/SECURITY.md "$SECURITY" .env.example; do
    install -m 644 "$file" "$STAGE/$name/$(basename "${file/.env.example/environment.example}")"
  done
  for_operators "$STAGE/$name"
  deterministic_tar "$STAGE" "$name" >"$FOLDER/$name.tar.gz"
}

# for_operators FOLDER: the files and scripts that OPERATIONS.md installs.
for_operators() {
  install -m 755 .deploy/reserves .deploy/reserves-backup "$1"
  install -m 644 .deploy/proof-of-reserves.service .deploy/alerts.yml .deploy/journald.conf.d/proof-of-reserves.conf .deploy/environment \
    .deploy/backup.conf .deploy/nginx.conf .deploy/nginx-node.conf .deploy/Caddyfile .deploy/haproxy.cfg .deploy/postgresql.conf \
    .deploy/pg_hba.conf .deploy/Containerfile "$1"
}

# pages: /verify and /prove for any static host, and the SHA-256 of every file of a board's pages, as its log has them.
pages() {
  heading 'Pages'
  build_wasm
  build_web
  (cd web && npm run --silent build:verify -- --logLevel warn)
  cp -R web/dist-verify "$STAGE/pages"
  same_modes "$STAGE/pages"
  deterministic_zip "$STAGE/pages" "$FOLDER/dist-verify-$VERSION.zip"
  (cd web/dist && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sed 's| \./| /|') >"$FOLDER/pages-$VERSION.sha256"
}

# same_modes FOLDER: the same rights for every file, whatever the umask was when the sources were fetched: both archives keep them.
same_modes() { chmod -R u=rwX,go=rX "$1"; }

# package: the npm package and the crate.
package() {
  heading 'Package'
  build_wasm
  same_modes psbt-wasm/pkg
  (cd psbt-wasm/pkg && npm pack --silent --pack-destination "$FOLDER" >/dev/null)
  # Its test is that of the workspace; compiling it once more would find nothing new.
  cargo package --quiet --locked --no-verify --package psbt-wasm
  cp "$(target_directory)/package/psbt-wasm-$VERSION.crate" "$FOLDER/"
}

# documents: what is in the release, and the notes of its page.
documents() {
  heading 'SBOM and notes'
  build_wasm
  build_web
  node .scripts/release/third-party.mjs sbom "$VERSION" "$FOLDER/proof-of-reserves-$VERSION.spdx.json" >/dev/null
  # shellcheck disable=SC2016 # Markdown's own quotes
  {
    sed -n "/^## \[${VERSION//./\\.}\]/,/^## \[/p" CHANGELOG.md | sed '1d;/^## \[/d'
    printf '\n### Check what you download\n\nBuilt from commit %s. `.scripts/reproduce.sh` builds it again and compares.\n' "$(git rev-parse HEAD)"
    printf '`sha256sum --check --ignore-missing SHA256SUMS` checks the files. [SECURITY.md](SECURITY.md#check-a-release) says how to check the signature.\n'
  } >"$FOLDER/RELEASE-NOTES.md"
  cp .github/SECURITY.md "$SECURITY" "$FOLDER/"
}

# sums: SHA256SUMS over everything in the folder, signed.
sums() {
  local public
  heading 'Checksums'
  (cd "$FOLDER" && rm -f SHA256SUMS SHA256SUMS.sig && find . -type f ! -name '.*' | sed 's|^\./||' | LC_ALL=C sort | xargs sha256sum) >"$STAGE/sums"
  mv "$STAGE/sums" "$FOLDER/SHA256SUMS"
  if [ -z "${SIGNING_KEY:-}" ]; then
    [ -n "$DRY_RUN" ] || die 'SIGNING_KEY is not set; a release is signed.'
    say 'not signed: SIGNING_KEY is not set'
    return
  fi
  public=$(security Release-Key)
  (umask 077 && printf '%s\n' "$SIGNING_KEY" >"$STAGE/key")
  [ "$(ssh-keygen -y -f "$STAGE/key" | cut -d ' ' -f 1,2)" = "$(cut -d ' ' -f 1,2 <<<"$public")" ] ||
    die "SIGNING_KEY is not the key in $SECURITY (Release-Key)."
  ssh-keygen -q -Y sign -n file -f "$STAGE/key" "$FOLDER/SHA256SUMS"
}

main "$@"
