# shellcheck shell=bash
# Asks the API whatever its own document allows and forbids, with schemathesis from PyPI. Sourced; needs common.sh, system.sh, build.sh
# and server.sh.

SCHEMATHESIS=$TOOLS/schemathesis/bin/st

find_schemathesis() { "$SCHEMATHESIS" --version >/dev/null 2>&1; }

# install_schemathesis: fails where PyPI cannot be reached.
install_schemathesis() {
  find_schemathesis && return
  say 'installing schemathesis from PyPI into .tools/schemathesis'
  from_pypi schemathesis 'schemathesis==4.32.*' 2>/dev/null && find_schemathesis
}

# ask_api SCRATCH DATABASE_URL EXAMPLES [OPTION...]: as a visitor, as a signed-in user, and as a user who deletes the account. Fails when an
# answer is not as the document says, or is a failure of the server. EXAMPLES is the most for each operation.
ask_api() {
  local scratch=$1 database=$2 examples=$3 address stand_ins status=0
  shift 3
  stand_ins=$(free_port)
  node "$ROOT/.scripts/stand-ins.mjs" "$stand_ins" &
  STAND_INS_PID=$!
  address=127.0.0.1:$(free_port)
  # Started by its name: a variable of the tests would be a setting of the server.
  start_server "$address" "$database" "$scratch/api-server.log" env LOG=error "PRICE_URL=http://127.0.0.1:$stand_ins/price" \
    "STRIPE_API_URL=http://127.0.0.1:$stand_ins" STRIPE_SECRET_KEY=sk_test_of_nobody STRIPE_WEBHOOK_SECRET=whsec_of_nobody \
    STRIPE_PRICE_ID=price_of_nothing "$(server_program)" || {
    cat "$scratch/api-server.log"
    stop_asking
    return 1
  }
  heading "${database%%:*}, as a visitor"
  ask "$address" "$examples" "$@" || status=1
  heading "${database%%:*}, signed in"
  # These end the session, or the account, that everything else is asked with.
  ask_as_somebody "$address" "$examples" "$@" --exclude-path /api/auth/v1/logout --exclude-path /api/functions/v1/delete-account || status=1
  heading "${database%%:*}, leaving"
  ask_as_somebody "$address" 10 "$@" --include-path /api/auth/v1/logout || status=1
  ask_as_somebody "$address" 10 "$@" --include-path /api/functions/v1/delete-account || status=1
  if [ -s "$scratch/api-server.log" ]; then
    heading 'What the server said'
    tail -n 20 "$scratch/api-server.log"
  fi
  stop_asking
  return "$status"
}

stop_asking() {
  stop_server
  kill "$STAND_INS_PID" 2>/dev/null || true
}

# ask_as_somebody ADDRESS EXAMPLES [OPTION...]: with a new session.
ask_as_somebody() {
  local address=$1 examples=$2 token
  shift 2
  token=$(node "$ROOT/.scripts/sign-in.mjs" "http://$address") || return
  ask "$address" "$examples" --header "Authorization: Bearer $token" "$@"
}

# ask ADDRESS EXAMPLES [OPTION...]
ask() {
  local origin=http://$1 examples=$2
  shift 2
  "$SCHEMATHESIS" --config-file "$ROOT/.scripts/schemathesis.toml" run "$origin/api/openapi.json" --url "$origin" \
    --exclude-path /api/rest/v1/profiles/changes --max-examples "$examples" --phases examples,coverage,fuzzing,stateful --continue-on-failure \
    --no-color --warnings off "$@"
}
