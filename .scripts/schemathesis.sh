#!/usr/bin/env bash
# .scripts/schemathesis.sh [EXAMPLES]: asks the API whatever its own document allows and forbids, signed in and not, on SQLite and on PostgreSQL,
# with schemathesis from PyPI. Fails when an answer is not as the document says, or is a failure of the server. EXAMPLES (default 1000) is the
# most for each operation; it takes some minutes. ./test e2e does it with few, on SQLite.
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
# shellcheck source=.scripts/ask-api.sh
. .scripts/ask-api.sh

SCRATCH=$(mktemp -d)
STAND_INS_PID=''

main() {
  local examples=${1:-1000} status=0
  trap 'stop_asking; stop_postgres; rm -rf "$SCRATCH"' EXIT
  need_rust
  need_node
  need_compilers
  need_postgres
  find_schemathesis || need_venv
  install_missing
  install_schemathesis || die 'could not install schemathesis from PyPI; see above.'
  build_server
  start_postgres "$SCRATCH/postgres.log"
  ask_api "$SCRATCH" "sqlite:$SCRATCH/api.sqlite" "$examples" --generation-database none || status=1
  ask_api "$SCRATCH" "$TEST_POSTGRES_URL" "$examples" --generation-database none || status=1
  exit "$status"
}

main "$@"
