# shellcheck shell=bash
# Starts and stops the server in development mode. Sourced; needs common.sh and build.sh.

SERVER_PID=''

# start_server ADDRESS DATABASE_URL [LOG [COMMAND...]]: starts it, or the command that runs it, in the background, at the repository's root, and
# waits until it answers. Without LOG it writes to the terminal and a new board has sample holders; tests have a log and an empty board. Fails when it ends or has not answered within a minute.
start_server() {
  local address=$1 database=$2 log=${3:-} waited
  if [ $# -gt 3 ]; then shift 3; else set -- "$(server_program)"; fi
  if [ -n "$log" ]; then exec 4>"$log"; else exec 4>&1; fi
  local samples=off
  [ -n "$log" ] || samples=on
  (cd "$ROOT" && APP_ENV=development LISTEN=$address DATABASE_URL=$database SAMPLES=${SAMPLES:-$samples} exec "$@" </dev/null >&4 2>&1 4>&-) &
  SERVER_PID=$!
  exec 4>&-
  for ((waited = 0; waited < 300; waited++)); do
    kill -0 "$SERVER_PID" 2>/dev/null || return 1
    if answers "${address%:*}" "${address##*:}" /api; then return; fi
    sleep 0.2
  done
  return 1
}

# stop_server: asks it to end, and insists after three seconds: nobody waits longer for Ctrl-C, and SQLite survives it.
stop_server() {
  local waited
  [ -n "$SERVER_PID" ] || return 0
  kill "$SERVER_PID" 2>/dev/null || true
  for ((waited = 0; waited < 15; waited++)); do
    kill -0 "$SERVER_PID" 2>/dev/null || break
    sleep 0.2
  done
  kill -9 "$SERVER_PID" 2>/dev/null || true
  wait "$SERVER_PID" 2>/dev/null || true
  SERVER_PID=''
}
