#!/usr/bin/env bash
# .scripts/proxy.sh: tries the examples for nginx and Caddy of .github/OPERATIONS.md with real ones: TLS, live changes that come at once,
# addresses and ids that are passed on, bodies, logs without query strings. Both are those on the PATH, or unpacked from Debian's packages.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/server.sh
. .scripts/server.sh
# shellcheck source=.scripts/nginx.sh
. .scripts/nginx.sh

SCRATCH=$(mktemp -d)
NGINX='' CADDY=''
NGINX_PID=''

main() {
  local inside outside plain
  trap finish EXIT
  have nginx || unpack nginx usr/sbin/nginx
  have caddy || unpack caddy usr/bin/caddy
  NGINX=$(program nginx usr/sbin/nginx) CADDY=$(program caddy usr/bin/caddy)
  build_server
  inside=127.0.0.1:$(free_port) outside=$(free_port) plain=$(free_port)
  make_certificate "$SCRATCH"
  configure_nginx "$inside" "$outside" "$plain" "$SCRATCH"
  start_server "$inside" "sqlite:$SCRATCH/proxy.sqlite" "$SCRATCH/server.log" env TRUSTED_PROXIES=127.0.0.1 \
    "PUBLIC_URL=https://localhost:$outside" "$(server_program)" || {
    cat "$SCRATCH/server.log"
    die 'the server did not start; see above.'
  }
  "$NGINX" -e "$SCRATCH/error.log" -c "$SCRATCH/board.conf" &
  NGINX_PID=$!
  NODE_EXTRA_CA_CERTS=$SCRATCH/cert.pem node .scripts/proxy.mjs "https://localhost:$outside" "http://localhost:$plain"
  grep -q '"GET /leaderboard" 301' "$SCRATCH/access.log" || die 'nginx wrote no log.'
  ! grep -q '?' "$SCRATCH/access.log" || die 'the log of nginx has a query string.'
  say 'ok: a log without query strings'
  example caddyfile >"$SCRATCH/Caddyfile"
  "$CADDY" validate --adapter caddyfile --config "$SCRATCH/Caddyfile" >"$SCRATCH/caddy.log" 2>&1 || {
    cat "$SCRATCH/caddy.log"
    die 'Caddy refuses its example; see above.'
  }
  say 'ok: Caddy accepts its example'
}

finish() {
  [ -z "$NGINX_PID" ] || kill "$NGINX_PID" 2>/dev/null || true
  stop_server
  rm -rf "$SCRATCH"
}

# unpack NAME PROGRAM: Debian's package, aside, so that nothing is installed into the system and no service is started.
unpack() {
  local folder=$TOOLS/$1
  if [ -x "$folder/$2" ]; then return; fi
  have apt-get dpkg-deb || die "$1 is missing. Install it."
  say "fetching $1 from Debian into .tools/$1"
  private_directory "$TOOLS"
  rm -rf "$folder"
  mkdir -p "$folder"
  update_apt
  (
    cd "$folder" && apt-get -qq download "$1" >/dev/null 2>&1 && dpkg-deb --fsys-tarfile "$1"_*.deb | tar -x "./$2" && rm -f "$1"_*.deb
  ) || die "apt-get could not fetch $1. Install it."
}

# program NAME PROGRAM: the one on the PATH, or the unpacked one.
program() {
  command -v "$1" || echo "$TOOLS/$1/$2"
}

main "$@"
