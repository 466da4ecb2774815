#!/usr/bin/env bash
# .scripts/hour.sh [SECONDS]: an hour of load on a release build with 100,000 holders on a throwaway PostgreSQL, or SECONDS of it. Visitors
# read, a hundred users sign in and submit, half of them delete their accounts. Fails unless memory and open files stay flat, the p99 of reads
# is at most 100 ms, and every submission is accepted. ./test all runs it. Run it on an idle machine.
#
#   SERVER_PROGRAM   another program than target/release/server
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
trap 'stop_server; stop_postgres; rm -rf "$SCRATCH"' EXIT
PROGRAM=${SERVER_PROGRAM:-}
if [ -z "$PROGRAM" ]; then
  cargo production
  PROGRAM=target/release/server
fi
start_postgres "$SCRATCH/postgres.log" || { cat "$SCRATCH/postgres.log" && die 'PostgreSQL did not start.'; }
address=127.0.0.1:$(free_port) metrics=127.0.0.1:$(free_port)
serve() {
  start_server "$address" "$TEST_POSTGRES_URL" "$SCRATCH/server.log" env TRUSTED_PROXIES=127.0.0.1 "METRICS_LISTEN=$metrics" LOG=warn "$PROGRAM" || {
    cat "$SCRATCH/server.log"
    die 'the server did not start.'
  }
}
# The first start makes the tables.
serve
stop_server
PATH=$PATH:$POSTGRES_BIN psql --quiet "$TEST_POSTGRES_URL" <<'SQL'
insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, tier, holdings_sats, last_verified, created_at, updated_at)
select lpad(to_hex((n * 2654435761) & 4294967295), 8, '0') || '-0000-4000-8000-' || lpad(to_hex(n), 12, '0'), 'twitter', cast(n as text),
  'holder_' || n, 'holder_' || n, true, null, 'free', case when n % 10 = 0 then null else 1 + (n * 48271) % 999983 * 7 end,
  1790000000 + n % 86400, 1790000000, 1790000000
from generate_series(cast(1 as bigint), 100000) as n;
delete from unsent_changes;
analyze;
SQL
serve
node .scripts/hour.mjs "http://$address" "http://$metrics/metrics" "${1:-3600}"
