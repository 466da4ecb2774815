# shellcheck shell=bash
# ./test PART NAME: some tests of one part, with what they need and nothing else. Sourced; needs the other scripts, and the PARTS
# and the NAME that ./test has read.

# single: runs the tests called NAME. Their output is shown as it comes.
single() {
  case "$PARTS" in
    ' rust ') single_rust ;;
    ' wasm ') single_wasm ;;
    ' web ') single_web ;;
    ' e2e ') single_e2e ;;
  esac
}

# single_rust: the services are started when a test of the server's integration tests is among them; all others need none.
single_rust() {
  need_rust
  need_compilers
  install_missing
  # shellcheck disable=SC2119 # no components are needed to build
  ensure_rust
  find_vectors
  some_web_app
  cargo test --quiet --tests --no-run || die 'the tests do not compile; see above.'
  if cargo test --tests -- --list "$NAME" 2>&1 | need_services; then services; fi
  shown cargo-test cargo test --quiet --tests "$NAME"
}

# need_services: whether the list of tests on standard input has one that may need them.
need_services() {
  awk '/^ *Running / { within = $2 == "tests/it/main.rs" } within && /: test$/ { found = 1 } END { exit !found }'
}

# services: what ./test gives to the whole part rust. What was found once is found again in no time.
services() {
  local lock
  need_node
  need_postgres
  need_chromium
  install_missing
  ensure_bitcoind
  ensure_signers
  ensure_sandbox
  ensure_chromium
  for lock in server/api/tests/*/package-lock.json; do
    node_modules "$(dirname "$lock")" || die "npm ci in $(dirname "$lock") failed; see above."
  done
  kept_postgres "$ARTIFACTS/postgres.log" || die 'PostgreSQL did not start; see .artifacts/postgres.log'
}

# some_web_app: the one that was built last, or a first one. Without one, cargo would rebuild the server each time.
some_web_app() {
  if [ -e "$ROOT/web/dist/index.html" ]; then return; fi
  need_node
  install_missing
  { build_wasm && build_web; } || die 'the web app could not be built; see above.'
}

single_wasm() {
  need_rust
  need_node
  need_compilers
  need_chromium
  install_missing
  # shellcheck disable=SC2119
  ensure_rust
  ensure_chromium
  build_wasm || die 'the wasm package could not be built; see above.'
  cd "$ROOT/psbt-wasm" || exit
  node tests/node/link.mjs
  find_tests tests/node packaging
  shown wasm-test node --test ${ONLY:+"--test-name-pattern=$ONLY"} "${FOUND[@]}"
}

single_web() {
  need_node
  install_missing
  # Tests of the pages need some package, not the newest.
  if ! [ -e "$ROOT/psbt-wasm/pkg/package.json" ]; then
    build_wasm || die 'the wasm package could not be built; see above.'
  fi
  node_modules web || die 'npm ci in web failed; see above.'
  cd "$ROOT/web" || exit
  find_tests src
  shown web-test npx vitest run ${ONLY:+"--testNamePattern=$ONLY"} "${FOUND[@]}"
}

single_e2e() {
  local address
  need_rust
  need_node
  need_compilers
  need_chromium
  install_missing
  # shellcheck disable=SC2119
  ensure_rust
  ensure_chromium
  { build_wasm && build_web && build_server; } || die 'the product could not be built; see above.'
  address=127.0.0.1:$(free_port)
  # Its board begins with sample holders.
  case "$NAME" in newcomer*) export SAMPLES=on ;; esac
  start_server "$address" "sqlite:$SCRATCH/e2e.sqlite" "$ARTIFACTS/e2e-server.log" ||
    die 'the server did not start; see .artifacts/e2e-server.log'
  export E2E_BASE_URL=http://$address
  cd "$ROOT/web" || exit
  find_tests e2e
  shown e2e npx vitest run --config vitest.e2e.config.ts ${ONLY:+"--testNamePattern=$ONLY"} "${FOUND[@]}"
}

# find_tests DIRECTORY...: sets FOUND to the files of tests below them whose names contain NAME, and ONLY to nothing; or else FOUND to the
# files that mention NAME, and ONLY to the pattern of just those tests.
find_tests() {
  local file
  FOUND=() ONLY=''
  while IFS= read -r file; do
    FOUND+=("$file")
  done < <(find "$@" -name '*.test.*' -name "*$NAME*" -not -path '*/node_modules/*')
  [ "${#FOUND[@]}" = 0 ] || return 0
  # shellcheck disable=SC2016 # a dollar sign to match, not to expand
  ONLY=$(printf '%s' "$NAME" | sed 's/[][\\.*^$()+?{}|/]/\\&/g')
  while IFS= read -r file; do
    FOUND+=("$file")
  done < <(grep -rlF --include='*.test.*' --exclude-dir=node_modules -e "$NAME" "$@")
  [ "${#FOUND[@]}" != 0 ] || die "no test name contains $NAME."
}
