# shellcheck shell=bash
# A throwaway PostgreSQL for the tests. Sourced; needs common.sh and system.sh.

POSTGRES_BIN=''   # the directory of initdb and pg_ctl
POSTGRES_HOME=''  # the temporary directory of the running cluster

# The cluster that single tests share while it is in use: a file with its home and its address.
KEPT_POSTGRES=$TOOLS/postgres
KEPT_MEGABYTES=4000

# need_postgres: notes PostgreSQL as missing unless its server programs are there or TEST_POSTGRES_URL names a server.
need_postgres() {
  [ -n "${TEST_POSTGRES_URL:-}" ] || find_postgres || missing postgresql postgresql
}

# find_postgres: sets POSTGRES_BIN. Debian keeps the server's programs off the PATH, one directory for each version.
find_postgres() {
  local directory
  if have initdb pg_ctl; then
    POSTGRES_BIN=$(dirname "$(command -v pg_ctl)")
    return
  fi
  for directory in /usr/lib/postgresql/*/bin; do
    [ -x "$directory/initdb" ] && POSTGRES_BIN=$directory # the newest comes last
  done
  [ -n "$POSTGRES_BIN" ]
}

# as_postgres COMMAND...: PostgreSQL refuses to run as root; then it runs as the user that its package made.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

# start_postgres LOG: a new cluster in a temporary directory, on a free loopback port, behind a random password. It forgets
# everything at its end, so it need not write safely. Exports TEST_POSTGRES_URL.
start_postgres() {
  local log=$1 port password locale=C
  [ -z "${TEST_POSTGRES_URL:-}" ] || return 0
  find_postgres || return
  port=$(free_port)
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  POSTGRES_HOME=$(mktemp -d)
  printf '%s\n' "$password" >"$POSTGRES_HOME/password"
  [ "$(id -u)" != 0 ] || chown -R postgres "$POSTGRES_HOME"
  # The locale of most real servers, where the system has it: C alone would fold no letters beyond ASCII.
  if locale -a 2>/dev/null | grep -qixE 'C\.utf-?8'; then locale=C.UTF-8; fi
  as_postgres "$POSTGRES_BIN/initdb" --pgdata="$POSTGRES_HOME/data" --username=postgres --pwfile="$POSTGRES_HOME/password" \
    --auth=scram-sha-256 --encoding=UTF8 --locale="$locale" --no-sync >"$log" 2>&1 || return
  as_postgres "$POSTGRES_BIN/pg_ctl" start -w -D "$POSTGRES_HOME/data" -l "$POSTGRES_HOME/log" -o "-c listen_addresses=127.0.0.1 \
    -c port=$port -c unix_socket_directories='' -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
    -c max_connections=300" >>"$log" 2>&1 </dev/null || {
    cat "$POSTGRES_HOME/log" >>"$log" 2>/dev/null
    return 1
  }
  export TEST_POSTGRES_URL=postgres://postgres:$password@127.0.0.1:$port/postgres
}

# stop_postgres: ends the cluster that start_postgres made and removes it.
stop_postgres() {
  [ -n "$POSTGRES_HOME" ] || return 0
  as_postgres "$POSTGRES_BIN/pg_ctl" stop -D "$POSTGRES_HOME/data" -m immediate >/dev/null 2>&1 || true
  rm -rf "$POSTGRES_HOME"
  POSTGRES_HOME=''
}

# kept_postgres LOG: the cluster that an earlier run has left running, or a new one that this run leaves. Exports TEST_POSTGRES_URL.
kept_postgres() {
  local home url
  [ -z "${TEST_POSTGRES_URL:-}" ] || return 0
  if { read -r home && read -r url; } 2>/dev/null <"$KEPT_POSTGRES" && still_good "$home" "$url"; then
    touch "$KEPT_POSTGRES"
    export TEST_POSTGRES_URL=$url
    return
  fi
  stop_kept_postgres
  start_postgres "$1" || return
  private_directory "$TOOLS"
  (umask 077 && printf '%s\n' "$POSTGRES_HOME" "$TEST_POSTGRES_URL" >"$KEPT_POSTGRES")
  # This run must no longer stop it.
  POSTGRES_HOME=''
  nohup bash "$ROOT/.scripts/stop-unused-postgres.sh" </dev/null >/dev/null 2>&1 &
}

# still_good HOME URL: whether this cluster runs, and is not yet full of the databases that tests have left in it.
still_good() {
  local address=${2##*@}
  address=${address%%/*}
  find_postgres && listening "${address%:*}" "${address##*:}" && [ "$(du -sm "$1" 2>/dev/null | cut -f 1)" -lt "$KEPT_MEGABYTES" ]
}

# stop_kept_postgres: ends and removes the cluster that single tests share, when there is one.
stop_kept_postgres() {
  [ -e "$KEPT_POSTGRES" ] || return 0
  read -r POSTGRES_HOME <"$KEPT_POSTGRES"
  rm -f "$KEPT_POSTGRES"
  find_postgres || return 0
  stop_postgres
}
