#!/usr/bin/env bash
# .scripts/recipes.sh [RECIPE...]: follows .github/OPERATIONS.md: runs its blocks of commands and the files of .deploy as they are, each
# recipe on a machine of its own: namespaces in which /etc, /var, /usr/local and every port are free. Without names all recipes.
#
# Real: the program, nginx, Caddy, PostgreSQL, a Bitcoin node on regtest, namespaces. Stand-ins (.scripts/machine): systemd, cron, sudo, the
# container engine. Not run: the build of the program and of the image.
#
#   SERVER_PROGRAM   the server to install, with reserves-audit in the same folder (default: the server that ./start builds)
#   OTHER_RELEASE    another release, for the upgrade (default: the same)
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/bitcoind.sh
. .scripts/bitcoind.sh
# shellcheck source=.scripts/postgres.sh
. .scripts/postgres.sh
# shellcheck source=.scripts/unpacked.sh
. .scripts/unpacked.sh
# shellcheck source=.scripts/page.sh
. .scripts/page.sh
# shellcheck source=.scripts/machine/recipes.sh
. .scripts/machine/recipes.sh

RECIPES='ten-steps backup restore requests keys upgrade new-host caddy postgresql point-in-time replicas container'
HOST=reserves.example

main() {
  local recipe
  if [ "${1:-}" = --inside ]; then
    inside "$2"
    return
  fi
  have unshare ip setpriv && privileged unshare --mount --net --pid --fork true 2>/dev/null || {
    echo 'this user may not make namespaces, or unshare, setpriv and ip are missing (util-linux, iproute2)' >&2
    exit 3
  }
  find_postgres || die 'PostgreSQL is missing. Install it.'
  unpacked nginx usr/sbin/nginx nginx-common
  unpacked caddy usr/bin/caddy
  ensure_bitcoind >&2
  for recipe in ${*:-$RECIPES}; do
    privileged unshare --mount --net --pid --fork --kill-child --mount-proc \
      env "BITCOIND_EXE=$BITCOIND_EXE" "SERVER_PROGRAM=${SERVER_PROGRAM:-$(server_program)}" "OTHER_RELEASE=${OTHER_RELEASE:-}" \
      bash "$0" --inside "$recipe"
    say "ok: $recipe"
  done
}

# inside RECIPE: makes the machine, and follows a recipe on it.
inside() {
  find_postgres
  machine
  cd "$CHECKOUT"
  "recipe_${1//-/_}"
}

# machine: a bare Debian with a synced node and the unpacked archive of a release.
machine() {
  local folder
  SCRATCH=/run/scratch
  mount --make-rprivate /
  mount -t tmpfs tmpfs /run
  mkdir "$SCRATCH"
  mount -t tmpfs tmpfs /srv
  for folder in etc var usr/local root; do
    mkdir -p "$SCRATCH/over/$folder" "$SCRATCH/overlay-work/$folder"
    mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$SCRATCH/over/$folder,workdir=$SCRATCH/overlay-work/$folder" "/$folder"
  done
  ip link set lo up
  echo "127.0.0.1 $HOST" >>/etc/hosts
  export POSTGRES_BIN REPOSITORY=$ROOT MACHINE=$ROOT/.scripts/machine EDITOR=editor LC_ALL=C.UTF-8
  BITCOIN_CLI=$(dirname "$BITCOIND_EXE")/bitcoin-cli
  export BITCOIN_CLI
  # The page's programs: this machine's, or unpacked ones, behind stand-ins.
  PATH=$MACHINE:$ROOT/.tools/nginx:$ROOT/.tools/caddy:/usr/local/bin:$POSTGRES_BIN:$PATH
  unpacked_release
  node_with_blocks
  certificate
}

# unpacked_release: the archive of a release, and its folder. Sets CHECKOUT.
unpacked_release() {
  local name=proof-of-reserves-1.0.0-linux-amd64
  CHECKOUT=$SCRATCH/$name
  mkdir "$CHECKOUT"
  (
    # Only what copies the files.
    . <(sed -n '/^for_operators() {/,/^}/p' "$ROOT/.scripts/release.sh")
    cd "$ROOT" && for_operators "$CHECKOUT"
  )
  ln "$SERVER_PROGRAM" "$CHECKOUT/proof-of-reserves" 2>/dev/null || cp "$SERVER_PROGRAM" "$CHECKOUT/proof-of-reserves"
  cp "$(dirname "$SERVER_PROGRAM")/reserves-audit" "$CHECKOUT"
}

node_with_blocks() {
  mkdir -p /var/lib/bitcoind
  "$BITCOIND_EXE" -regtest -daemon -datadir=/var/lib/bitcoind -rpcport=8332 -rpcuser=user -rpcpassword=secret \
    -rpcbind=127.0.0.1 -rpcallowip=127.0.0.1 -listen=0 -dnsseed=0 -fixedseeds=0 -txindex=1 >"$SCRATCH/bitcoind.log"
  eventually bitcoin-cli getblockcount >/dev/null
  mine 101
}

# mine COUNT: blocks with the present time.
mine() {
  bitcoin-cli -generate "$1" >/dev/null 2>&1 ||
    bitcoin-cli generatetodescriptor "$1" 'raw(51)#8lvh9jxk' >/dev/null
}

# certificate: one for the host, of an authority that the programs of the machine trust.
certificate() {
  local folder=/etc/letsencrypt/live/$HOST authority=$SCRATCH/authority
  mkdir -p "$folder"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$authority.key" -out "$authority.pem" -days 30 \
    -subj '/CN=Authority' 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/privkey.pem" -out "$SCRATCH/request.pem" \
    -subj "/CN=$HOST" 2>/dev/null
  openssl x509 -req -in "$SCRATCH/request.pem" -CA "$authority.pem" -CAkey "$authority.key" -CAcreateserial -days 30 -out "$folder/fullchain.pem" \
    -extfile <(echo "subjectAltName=DNS:$HOST") 2>/dev/null
  export SSL_CERT_FILE=$authority.pem CURL_CA_BUNDLE=$authority.pem
}

# run BLOCK: the commands of the page, with its words in capitals filled in. Any of them that fails ends the recipe.
run() {
  say "$1" >&2
  block "$1" | sed -e 's/USER:PASSWORD/user:secret/g' -e 's/PASSWORD/secret/g' -e "s/PERSON/${PERSON:-}/g" -e "s/TIME/${TIME:-}/g" >"$SCRATCH/block.sh"
  bash -euo pipefail "$SCRATCH/block.sh" </dev/null || {
    tail -n 20 /var/log/proof-of-reserves.log 2>/dev/null >&2
    die "the block $1 failed."
  }
}

# eventually COMMAND...: waits until it succeeds, and prints what it says then.
eventually() {
  local tries said
  for ((tries = 0; tries < 300; tries++)); do
    if said=$("$@" 2>&1); then
      printf '%s\n' "$said"
      return
    fi
    sleep 0.2
  done
  tail -n 20 /var/log/proof-of-reserves.log 2>/dev/null >&2 || true
  die "this never succeeded: $*: $said"
}

# expect WHAT COMMAND...: a check of what an operator would look at.
expect() {
  local what=$1 said
  shift
  said=$("$@" 2>&1) || {
    tail -n 20 /var/log/proof-of-reserves.log >&2 2>/dev/null || true
    die "expected: $what. It said: $said"
  }
}

main "$@"
