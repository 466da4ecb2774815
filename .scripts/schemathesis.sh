#!/usr/bin/env bash
# .scripts/schemathesis.sh [EXAMPLES]: asks the API whatever its own document allows and forbids, signed in and not, on SQLite and on PostgreSQL,
# with schemathesis from PyPI. Fails when an answer is not as the document says, or is a failure of the server. EXAMPLES (default 1000) is the
# most for each operation; it takes some minutes.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/postgres.sh
. .scripts/postgres.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/server.sh
. .scripts/server.sh

SCRATCH=$(mktemp -d)

main() {
  local examples=${1:-1000} status=0
  trap 'stop_server; stop_postgres; rm -rf "$SCRATCH"' EXIT
  need_rust
  need_node
  need_compilers
  need_postgres
  need_venv
  install_missing
  install_schemathesis
  build_server
  start_postgres "$SCRATCH/postgres.log"
  on_database "sqlite:$SCRATCH/api.sqlite" "$examples" || status=1
  on_database "$TEST_POSTGRES_URL" "$examples" || status=1
  exit "$status"
}

install_schemathesis() {
  SCHEMATHESIS=$TOOLS/schemathesis/bin/st
  if "$SCHEMATHESIS" --version >/dev/null 2>&1; then return; fi
  say 'installing schemathesis from PyPI into .tools/schemathesis'
  from_pypi schemathesis 'schemathesis==4.32.*' || die 'schemathesis could not be installed from PyPI.'
}

# on_database URL EXAMPLES: as a visitor, and as somebody who has signed in.
on_database() {
  local address origin token status=0
  address=127.0.0.1:$(free_port)
  origin=http://$address
  start_server "$address" "$1" "$SCRATCH/server.log" env LOG=error "$(server_program)" || {
    cat "$SCRATCH/server.log"
    die 'the server did not start; see above.'
  }
  token=$(node .scripts/sign-in.mjs "$origin")
  heading "${1%%:*}, as a visitor"
  ask "$origin" "$2" || status=1
  heading "${1%%:*}, signed in"
  ask "$origin" "$2" --header "Authorization: Bearer $token" || status=1
  stop_server
  return "$status"
}

# ask ORIGIN EXAMPLES [OPTION...]
ask() {
  local origin=$1 examples=$2
  shift 2
  "$SCHEMATHESIS" --config-file .scripts/schemathesis.toml run "$origin/api/openapi.json" --url "$origin" --max-examples "$examples" \
    --phases examples,coverage,fuzzing,stateful --continue-on-failure --generation-database none --no-color "$@"
}

main "$@"
