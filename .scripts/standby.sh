#!/usr/bin/env bash
# .scripts/standby.sh start FOLDER [asynchronous]: two PostgreSQLs on this machine, a primary and a synchronous standby, behind the one address
# of a HAProxy, by the commands and files of .github/OPERATIONS.md. Prints the address of an empty database.
# .scripts/standby.sh part FOLDER: the standby hears no more of the primary.
# .scripts/standby.sh lose FOLDER: kills the primary, like the loss of its host.
# .scripts/standby.sh promote FOLDER: moves the address to the standby, which becomes the primary.
# .scripts/standby.sh stop FOLDER: ends all of it.
# PostgreSQL and HAProxy are those of the system, or HAProxy is unpacked from Debian's packages.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/postgres.sh
. .scripts/postgres.sh
# shellcheck source=.scripts/unpacked.sh
. .scripts/unpacked.sh
# shellcheck source=.scripts/page.sh
. .scripts/page.sh

HAPROXY_PACKAGES='liblua5.3-0 libopentracing-c-wrapper0 libopentracing1'

main() {
  local command=${1:-} folder=${2:-}
  [ -n "$folder" ] || die 'say start, part, lose, promote or stop, and a folder.'
  find_postgres || die 'PostgreSQL is missing. Install it.'
  case "$command" in
    start) start "$folder" "${3:-synchronous}" ;;
    part) part "$folder" ;;
    lose) as_postgres "$POSTGRES_BIN/pg_ctl" stop -D "$folder/primary" -m immediate >/dev/null 2>&1 ;;
    promote) promote "$folder" ;;
    stop) stop "$folder" ;;
    *) die "unknown: $command. Say start, part, lose, promote or stop." ;;
  esac
}

start() {
  local folder=$1 kind=$2 password
  mkdir -p "$folder"
  folder=$(cd "$folder" && pwd)
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '%s\n' "$password" >"$folder/password"
  free_port >"$folder/primary.port"
  free_port >"$folder/standby.port"
  free_port >"$folder/port"
  mkdir "$folder/archive"
  [ "$(id -u)" != 0 ] || { chown -R postgres "$folder" && chmod 711 "$folder"; }
  as_postgres "$POSTGRES_BIN/initdb" --pgdata="$folder/primary" --username=postgres --pwfile="$folder/password" \
    --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 >"$folder/log" 2>&1
  settings "$folder/primary" "$(cat "$folder/primary.port")" "$folder/archive"
  run_postgres "$folder" primary
  sql "$folder" primary "alter system set synchronous_standby_names = ''"
  sql "$folder" primary 'select pg_reload_conf()'
  sql "$folder" primary "create role replicator replication login password '$password'"
  sql "$folder" primary "create role reserves login password '$password'"
  base_backup "$folder" primary standby
  if [ "$kind" = synchronous ]; then sql "$folder" primary 'alter system reset synchronous_standby_names'; fi
  sql "$folder" primary 'select pg_reload_conf()'
  sql "$folder" primary 'create database reserves owner reserves'
  find_haproxy
  point "$folder" primary
  echo "postgres://reserves:$password@127.0.0.1:$(cat "$folder/port")/reserves"
}

# settings DATA PORT ARCHIVE: by the commands of the page, at addresses of this machine.
settings() (
  systemctl() { :; }
  cp .deploy/postgresql.conf .deploy/pg_hba.conf "$1/.."
  sed -i -e "s|'10.0.0.1'|'127.0.0.1'|" -e "s|/srv/wal|$3|g" -e 's|10\.0\.0\.[0-9/]*|127.0.0.1/32|' "$1/../postgresql.conf" "$1/../pg_hba.conf"
  # shellcheck source=/dev/null # the page
  . <(block primary | sed -e "s|cat |cat $1/../|" -e "s|/etc/postgresql/15/main|$1|")
  printf '%s\n' "port = $2" "unix_socket_directories = ''" >>"$1/postgresql.conf"
)

# part FOLDER: what the standby has is there first.
part() {
  wait_for "$1" 1 "select count(*) from pg_stat_replication where replay_lsn = pg_current_wal_lsn()"
  sql "$1" standby "alter system set primary_conninfo = ''"
  sql "$1" standby 'select pg_reload_conf()'
  wait_for "$1" 0 'select count(*) from pg_stat_replication'
}

# wait_for FOLDER VALUE QUERY: until the primary answers this.
wait_for() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    if [ "$(query "$1" primary "$3")" = "$2" ]; then return; fi
    sleep 0.1
  done
  die "the primary does not say $2: $3"
}

# run_postgres FOLDER NAME
run_postgres() {
  as_postgres "$POSTGRES_BIN/pg_ctl" start -w -D "$1/$2" -l "$1/$2.log" >>"$1/log" 2>&1 </dev/null
}

# base_backup FOLDER FROM TO: a standby that follows, by the commands of the page.
base_backup() (
  sudo() {
    shift 2
    as_postgres env "PGPASSWORD=$password" "$(tool "$1")" "${@:2}"
  }
  systemctl() { [ "$1" = stop ] || true; }
  password=$(cat "$1/password")
  # shellcheck source=/dev/null # the page
  . <(block standby | sed -e "s|/var/lib/postgresql/15/main|$1/$3|" -e "s|host=10.0.0.1|host=127.0.0.1 port=$(cat "$1/$2.port")|" -e "s|application_name=standby|application_name=$3|") \
    >>"$1/log" 2>&1
  echo "port = $(cat "$1/$3.port")" | as_postgres tee -a "$1/$3/postgresql.conf" >/dev/null
  run_postgres "$1" "$3"
)

# tool NAME: a client program, which some systems keep off the PATH.
tool() {
  command -v "$1" || printf '%s\n' /usr/lib/postgresql/*/bin/"$1" | tail -n 1
}

# sql FOLDER NAME STATEMENT
sql() {
  query "$@" >>"$1/log" 2>&1
}

# query FOLDER NAME STATEMENT: its answer.
query() {
  PGPASSWORD=$(cat "$1/password") "$(tool psql)" --quiet --no-align --tuples-only --host=127.0.0.1 \
    --port="$(cat "$1/$2.port")" --username=postgres --command="$3"
}

# point FOLDER NAME: HAProxy with this server alone, as on the page. Connections to the other one end.
point() {
  sed -e "s|127.0.0.1:5433|127.0.0.1:$(cat "$1/port")|" -e "s|10.0.0.1:5432|127.0.0.1:$(cat "$1/$2.port")|" .deploy/haproxy.cfg >"$1/haproxy.cfg"
  find_haproxy
  if [ -e "$1/haproxy.pid" ]; then
    "$HAPROXY" -D -f "$1/haproxy.cfg" -p "$1/haproxy.pid" -sf "$(cat "$1/haproxy.pid")" >>"$1/log" 2>&1
  else
    "$HAPROXY" -D -f "$1/haproxy.cfg" -p "$1/haproxy.pid" >>"$1/log" 2>&1
  fi
}

# promote FOLDER: first the address, so that nothing reaches an old primary that comes back. The new one has no standby of its own yet.
promote() {
  local folder
  folder=$(cd "$1" && pwd)
  point "$folder" standby
  echo "synchronous_standby_names = ''" | as_postgres tee -a "$folder/standby/postgresql.auto.conf" >/dev/null
  as_postgres "$POSTGRES_BIN/pg_ctl" reload -D "$folder/standby" >>"$folder/log" 2>&1
  as_postgres "$POSTGRES_BIN/pg_ctl" promote -w -D "$folder/standby" >>"$folder/log" 2>&1
}

stop() {
  local name
  [ ! -e "$1/haproxy.pid" ] || kill "$(cat "$1/haproxy.pid")" 2>/dev/null || true
  for name in primary standby; do
    as_postgres "$POSTGRES_BIN/pg_ctl" stop -D "$(cd "$1" && pwd)/$name" -m immediate >/dev/null 2>&1 || true
  done
}

# find_haproxy: sets HAPROXY.
find_haproxy() {
  # shellcheck disable=SC2086 # several packages
  unpacked haproxy usr/sbin/haproxy $HAPROXY_PACKAGES
  HAPROXY=$FOUND
}

main "$@"
