#!/usr/bin/env bash
# .scripts/standby.sh start FOLDER: two PostgreSQLs on this machine, a primary and a synchronous standby, behind the one address of a HAProxy,
# with the settings of .github/OPERATIONS.md. Prints the address of an empty database.
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

HAPROXY_PACKAGES='haproxy liblua5.3-0 libopentracing-c-wrapper0 libopentracing1'

main() {
  local command=${1:-} folder=${2:-}
  [ -n "$folder" ] || die 'say start, lose, promote or stop, and a folder.'
  find_postgres || die 'PostgreSQL is missing. Install it.'
  case "$command" in
    start) start "$folder" ;;
    lose) as_postgres "$POSTGRES_BIN/pg_ctl" stop -D "$folder/primary" -m immediate >/dev/null 2>&1 ;;
    promote) promote "$folder" ;;
    stop) stop "$folder" ;;
    *) die "unknown: $command. Say start, lose, promote or stop." ;;
  esac
}

start() {
  local folder=$1 password
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
  base_backup "$folder" primary standby
  sql "$folder" primary "alter system set synchronous_standby_names = 'standby'"
  sql "$folder" primary 'select pg_reload_conf()'
  sql "$folder" primary 'create database reserves'
  find_haproxy
  point "$folder" primary
  echo "postgres://postgres:$password@127.0.0.1:$(cat "$folder/port")/reserves"
}

# settings DATA PORT ARCHIVE: those of the page.
settings() {
  cat <<CONF | as_postgres tee -a "$1/postgresql.conf" >/dev/null
listen_addresses = '127.0.0.1'
port = $2
unix_socket_directories = ''
synchronous_standby_names = 'standby'
wal_keep_size = 1GB
archive_mode = on
archive_command = 'test ! -f $3/%f && cp %p $3/%f'
CONF
  as_postgres sh -c "echo 'host replication postgres 127.0.0.1/32 scram-sha-256' >>'$1/pg_hba.conf'"
}

# run_postgres FOLDER NAME
run_postgres() {
  as_postgres "$POSTGRES_BIN/pg_ctl" start -w -D "$1/$2" -l "$1/$2.log" >>"$1/log" 2>&1 </dev/null
}

# base_backup FOLDER FROM TO: a standby that follows.
base_backup() {
  PGPASSWORD=$(cat "$1/password") as_postgres "$(tool pg_basebackup)" --pgdata="$1/$3" --write-recovery-conf --checkpoint=fast \
    --dbname="host=127.0.0.1 port=$(cat "$1/$2.port") user=postgres application_name=$3" >>"$1/log" 2>&1
  echo "port = $(cat "$1/$3.port")" | as_postgres tee -a "$1/$3/postgresql.conf" >/dev/null
  run_postgres "$1" "$3"
}

# tool NAME: a client program, which some systems keep off the PATH.
tool() {
  command -v "$1" || printf '%s\n' /usr/lib/postgresql/*/bin/"$1" | tail -n 1
}

# sql FOLDER NAME STATEMENT
sql() {
  PGPASSWORD=$(cat "$1/password") "$(tool psql)" --quiet --no-align --tuples-only --host=127.0.0.1 \
    --port="$(cat "$1/$2.port")" --username=postgres --command="$3" >>"$1/log" 2>&1
}

# point FOLDER NAME: HAProxy with this server alone. Connections to the other one end.
point() {
  cat >"$1/haproxy.cfg" <<CONF
global
    hard-stop-after 1s
defaults
    mode tcp
    timeout connect 5s
    timeout client 1h
    timeout server 1h
    option clitcpka
    option srvtcpka
listen reserves
    bind 127.0.0.1:$(cat "$1/port")
    server primary 127.0.0.1:$(cat "$1/$2.port") check inter 1s on-marked-down shutdown-sessions
CONF
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
  local folder=$TOOLS/haproxy package
  if have haproxy; then
    HAPROXY=haproxy
    return
  fi
  HAPROXY=$folder/haproxy
  if [ -x "$HAPROXY" ]; then return; fi
  have apt-get dpkg-deb || die 'HAProxy is missing. Install it.'
  private_directory "$TOOLS"
  rm -rf "$folder"
  mkdir -p "$folder"
  (
    cd "$folder"
    # shellcheck disable=SC2086 # several packages
    apt-get -qq download $HAPROXY_PACKAGES >/dev/null 2>&1
    for package in *.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x; done
    rm -f ./*.deb
  ) || die 'apt-get could not fetch HAProxy. Install it.'
  cat >"$HAPROXY" <<LAUNCHER
#!/bin/sh
LD_LIBRARY_PATH=\$(dirname "\$0")/usr/lib/$(uname -m)-linux-gnu exec "\$(dirname "\$0")/usr/sbin/haproxy" "\$@"
LAUNCHER
  chmod +x "$HAPROXY"
}

main "$@"
