#!/usr/bin/env bash
# .scripts/bench.sh [--quick] [PART...]: measures a release build of the board on SQLite and on a throwaway PostgreSQL, and prints a table of
# goals and results. PARTs choose some of it: sqlite, postgres, program, ratio, reads, crowd (see server/api/benches/board.rs). Run it on an
# idle machine.
#
# .scripts/bench.sh files: the cost of large files, many at once and among a million claims, on both databases and with a regtest node.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=common.sh
. .scripts/common.sh
# shellcheck source=system.sh
. .scripts/system.sh
# shellcheck source=bitcoind.sh
. .scripts/bitcoind.sh
# shellcheck source=postgres.sh
. .scripts/postgres.sh

log=$(mktemp)
trap 'stop_postgres; rm -f "$log"' EXIT
# Each open page is a connection, at both ends.
ulimit -n "$(ulimit -Hn)"
if [ -n "${BENCH_POSTGRES_URL:-}" ]; then
  export TEST_POSTGRES_URL=$BENCH_POSTGRES_URL
else
  start_postgres "$log" || { cat "$log" >&2; exit 1; }
  export BENCH_POSTGRES_URL=$TEST_POSTGRES_URL
fi
if [ "${1:-}" = files ]; then
  ensure_bitcoind
  cargo test --release -p api --features jemalloc --test it figures -- --ignored --nocapture --test-threads=1
else
  cargo bench -p api --features jemalloc --bench board -- "$@"
fi
