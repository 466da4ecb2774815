#!/usr/bin/env bash
# Ends the PostgreSQL that single tests share when nobody has used it for a while. Runs beside it, started by kept_postgres.
set -euo pipefail

# shellcheck source=.scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=.scripts/postgres.sh
. "$ROOT/.scripts/postgres.sh"

MINUTES=30

home=$(sed -n 1p "$KEPT_POSTGRES")
while sleep 60; do
  # Another one has taken its place, or ./test stop was here.
  [ "$(sed -n 1p "$KEPT_POSTGRES" 2>/dev/null)" = "$home" ] || exit 0
  if [ -n "$(find "$KEPT_POSTGRES" -mmin "+$MINUTES")" ]; then
    stop_kept_postgres
    exit
  fi
done
