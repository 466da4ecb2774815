#!/usr/bin/env bash
# install.sh RELEASE: installs a release from its folder alone, by the README's lines, on a bare Debian 12 without Rust and Node, and runs a board
# in production mode behind nginx there, on a Bitcoin node on regtest, with a stand-in for X. A user signs in, proves coins and has a rank, also
# after a restart; the release's own reserves-audit finds nothing. Needs root, for the file system (debootstrap) and for chroot.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/bitcoind.sh
. .scripts/bitcoind.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/nginx.sh
. .scripts/nginx.sh
# shellcheck source=.scripts/release/common.sh
. .scripts/release/common.sh

SUITE=bookworm
SCRATCH=$(mktemp -d)
BARE=$SCRATCH/debian # the file system
RUNNING=()           # process ids

main() {
  local release name inside outside plain rpc
  release=$(cd "$1" && pwd)
  [ "$(id -u)" = 0 ] || die 'making a file system needs root.'
  trap finish EXIT
  need_node
  have debootstrap || missing debootstrap -
  have openssl || missing openssl -
  have unzip || missing unzip -
  install_missing
  ensure_bitcoind
  node_modules server/api/tests/providers || die 'npm ci in server/api/tests/providers failed; see above.'

  heading 'A bare Debian'
  bare
  # A machine that was set up has this file; the bare system does not.
  echo '127.0.0.1 localhost' >"$BARE/etc/hosts"
  ! chroot "$BARE" sh -c 'command -v cargo rustc node npm' || die 'the bare file system has a compiler.'
  heading 'Installing by the README'
  mkdir -p "$BARE/root/download"
  cp "$release"/*.tar.gz "$release/SHA256SUMS" "$BARE/root/download/"
  install_lines >"$SCRATCH/install-lines.sh"
  sed 's/^/  /' "$SCRATCH/install-lines.sh"
  cp "$SCRATCH/install-lines.sh" "$BARE/root/install-lines.sh"
  chroot "$BARE" bash -euc 'cd /root/download && . /root/install-lines.sh'
  say "$(chroot "$BARE" proof-of-reserves --version)"
  name=$(archive_name)
  [ "$(tar -tzf "$release/$name.tar.gz" | grep -c 'THIRD-PARTY-LICENSES.txt')" = 1 ] || die 'the archive has no licenses.'

  heading 'A board in production mode'
  inside=127.0.0.1:$(free_port) outside=$(free_port) plain=$(free_port) rpc=$(free_port)
  start_node "$rpc"
  make_certificate "$BARE/etc/nginx"
  start_providers "https://localhost:$outside"
  settings "$inside" "$outside" "$rpc" "$(field twitter)"
  configure_nginx "$inside" "$outside" "$plain" "$BARE/etc/nginx" /etc/nginx www-data
  start_board
  chroot "$BARE" nginx -c /etc/nginx/board.conf &
  RUNNING+=($!)
  until listening 127.0.0.1 "$outside"; do
    kill -0 "$!" || die 'nginx did not start; see above.'
    sleep 0.1
  done
  # The package of the release makes the proof, as a holder's browser would.
  mkdir -p "$SCRATCH/package"
  tar -xzf "$release/psbt-wasm-$(release_version).tgz" -C "$SCRATCH/package"
  export NODE_EXTRA_CA_CERTS=$BARE/etc/nginx/cert.pem
  holder first
  heading 'Restarting'
  stop_board
  start_board
  holder again
  heading 'The audit of the release'
  chroot "$BARE" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root SSL_CERT_FILE=/etc/nginx/cert.pem reserves-audit \
    "https://localhost:$outside" --network=regtest --chain="bitcoind:http://test:test@127.0.0.1:$rpc"
  say 'ok: reserves-audit ended with status 0'
}

finish() {
  local process
  for process in "${RUNNING[@]}"; do kill "$process" 2>/dev/null || true; done
  exec 5>&-
  wait || true
  rm -rf "$SCRATCH"
}

# bare: Debian's smallest system and nginx. It is kept as an archive: unpacking it is quicker than making it.
bare() {
  local kept
  kept=$TOOLS/bare-$SUITE-$(machine).tar
  if ! [ -e "$kept" ]; then
    private_directory "$TOOLS"
    say "debootstrap $SUITE"
    quietly debootstrap --variant=minbase --include=nginx-light,ca-certificates "$SUITE" "$BARE" "$(debian_mirror)" ||
      die 'debootstrap failed; see above.'
    rm -rf "$BARE/var/cache/apt/archives"
    tar -C "$BARE" -cf "$kept.part" .
    mv "$kept.part" "$kept"
    return
  fi
  mkdir -p "$BARE"
  tar -C "$BARE" -xf "$kept"
}

# debian_mirror: the one of this system, or Debian's own.
debian_mirror() {
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+\/debian\/?) .*/\2/p; s/^URIs: *([^ ]+\/debian\/?)( .*)?$/\1/p' | sed -n 1p |
    grep . || echo http://deb.debian.org/debian
}

# install_lines: those of the README below "Install", without the download and sudo, which the bare system has not.
install_lines() {
  # shellcheck disable=SC2016 # Markdown's own quotes
  sed -n '/^## Install$/,/^## /p' README.md | sed -n '/^```sh$/,/^```$/p' | sed '/^```/d; /^curl /d; s/^sudo //' |
    sed "s/linux-amd64/linux-$(machine)/g; s/1\\.0\\.0/$(release_version)/g"
}

start_node() {
  mkdir -p "$SCRATCH/node"
  "$BITCOIND_EXE" -regtest -server -datadir="$SCRATCH/node" -rpcport="$1" -rpcuser=test -rpcpassword=test -listen=0 -connect=0 \
    -fallbackfee=0.0001 -debuglogfile=0 >"$SCRATCH/node.log" 2>&1 &
  RUNNING+=($!)
  export NODE_RPC=http://127.0.0.1:$1
}

# start_providers ORIGIN: stand-ins for X and the others; world.json has their addresses. They end with this script, which holds their input.
start_providers() {
  mkfifo "$SCRATCH/providers"
  (cd server/api/tests/providers && exec node main.mjs <"$SCRATCH/providers" 2>/dev/null) >"$SCRATCH/providers.json" &
  exec 5>"$SCRATCH/providers"
  until [ -s "$SCRATCH/providers.json" ]; do sleep 0.1; done
  # shellcheck disable=SC2016 # for Node
  node --input-type=module -e '
    import { readFileSync, writeFileSync } from "node:fs";
    const [scratch, origin] = process.argv.slice(1);
    const { control } = JSON.parse(readFileSync(`${scratch}/providers.json`, "utf8"));
    const answer = await fetch(`${control}/worlds`, { method: "POST", body: JSON.stringify({ site: origin }) });
    const world = await answer.json();
    writeFileSync(`${scratch}/world.json`, JSON.stringify({ ...world, steer: `${control}/worlds/${world.id}` }));
  ' "$SCRATCH" "$1"
}

# field NAME: of world.json.
field() { node -e 'console.log(JSON.parse(require("node:fs").readFileSync(process.argv[2], "utf8"))[process.argv[1]])' "$1" "$SCRATCH/world.json"; }

# settings INSIDE OUTSIDE RPC X: step 6 of OPERATIONS.md.
settings() {
  install -D --mode=0600 /dev/stdin "$BARE/etc/proof-of-reserves/environment" <<END
LISTEN=$1
PUBLIC_URL=https://localhost:$2
PUBLISHED_LOG=/var/lib/proof-of-reserves-log
CHAIN=bitcoind:http://test:test@127.0.0.1:$3
NETWORK=regtest
TWITTER_CLIENT_ID=the-client
TWITTER_CLIENT_SECRET='the-secret of + the client'
TWITTER_URL=$4
TRUSTED_PROXIES=127.0.0.1
PRICE_URL=none
LEGAL_COMPANY='An Example Company'
LEGAL_POSTAL_ADDRESS='1 Example Street, 12345 Example Town'
LEGAL_COUNTRY=Exampleland
LEGAL_PRIVACY_EMAIL=privacy@reserves.example
LEGAL_CONTACT_EMAIL=hello@reserves.example
LEGAL_UPDATED=2026-11-28
END
  install -d --mode=0700 --owner=65534 "$BARE/var/lib/proof-of-reserves" "$BARE/var/lib/proof-of-reserves-log"
}

# start_board: as the unit does, a user without rights, with the settings that only root reads.
start_board() {
  local waited address
  # shellcheck disable=SC2016 # for the shell in the bare system
  chroot "$BARE" env -i PATH=/usr/local/bin:/usr/bin:/bin bash -c 'set -a && . /etc/proof-of-reserves/environment &&
    cd /var/lib/proof-of-reserves && exec setpriv --reuid=65534 --regid=65534 --clear-groups proof-of-reserves' >>"$SCRATCH/board.log" 2>&1 &
  BOARD=$!
  RUNNING+=("$BOARD")
  address=$(sed -n 's/^LISTEN=//p' "$BARE/etc/proof-of-reserves/environment")
  for ((waited = 0; waited < 300; waited++)); do
    kill -0 "$BOARD" 2>/dev/null || break
    ! answers "${address%:*}" "${address##*:}" /readyz || return 0
    sleep 0.2
  done
  tail -n 20 "$SCRATCH/board.log" >&2
  die 'the board did not start; see above.'
}

stop_board() {
  kill "$BOARD"
  wait "$BOARD" || die "the board ended with status $?."
}

# holder first|again
holder() {
  node .scripts/release/holder.mjs "$1" "https://localhost:$outside" "$(field steer)" "$SCRATCH/package/package" \
    "$SCRATCH/holder.json"
}

main "$@"
