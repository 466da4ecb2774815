#!/usr/bin/env bash
# .scripts/proxy.sh: tries the example for nginx of .github/OPERATIONS.md with a real one: TLS, live changes that come at once, addresses and ids
# that are passed on, bodies. nginx is the one on the PATH, or one unpacked from Debian's package.
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

SCRATCH=$(mktemp -d)
NGINX=nginx
NGINX_PID=''

main() {
  local inside outside plain
  trap finish EXIT
  have nginx || unpack_nginx
  have openssl || die 'openssl is missing; it makes the certificate. Install it.'
  build_server
  inside=127.0.0.1:$(free_port) outside=$(free_port) plain=$(free_port)
  configure "$inside" "$outside" "$plain"
  start_server "$inside" "sqlite:$SCRATCH/proxy.sqlite" "$SCRATCH/server.log" env TRUSTED_PROXIES=127.0.0.1 \
    "PUBLIC_URL=https://localhost:$outside" "$(server_program)" || {
    cat "$SCRATCH/server.log"
    die 'the server did not start; see above.'
  }
  "$NGINX" -e "$SCRATCH/error.log" -c "$SCRATCH/nginx.conf" &
  NGINX_PID=$!
  NODE_EXTRA_CA_CERTS=$SCRATCH/cert.pem node .scripts/proxy.mjs "https://localhost:$outside" "http://localhost:$plain"
}

finish() {
  [ -z "$NGINX_PID" ] || kill "$NGINX_PID" 2>/dev/null || true
  stop_server
  rm -rf "$SCRATCH"
}

# unpack_nginx: aside, so that nothing is installed into the system and no service is started.
unpack_nginx() {
  local folder=$TOOLS/nginx
  NGINX=$folder/usr/sbin/nginx
  if "$NGINX" -v >/dev/null 2>&1; then return; fi
  have apt-get dpkg-deb || die 'nginx is missing. Install it.'
  say 'fetching nginx from Debian into .tools/nginx'
  private_directory "$TOOLS"
  rm -rf "$folder"
  mkdir -p "$folder"
  update_apt
  (
    cd "$folder" && apt-get -qq download nginx >/dev/null 2>&1 && dpkg-deb --fsys-tarfile nginx_*.deb | tar -x ./usr/sbin/nginx && rm -f nginx_*.deb
  ) || die 'apt-get could not fetch nginx. Install it.'
}

# configure INSIDE OUTSIDE PLAIN: the example, with its addresses and files moved to where they can be tried.
configure() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$SCRATCH/key.pem" -out "$SCRATCH/cert.pem" \
    -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
  sed -n '/^```nginx$/,/^```$/p' .github/OPERATIONS.md | sed -e '1d;$d' -e '/listen \[::\]/d' -e "s|listen 80;|listen 127.0.0.1:$3;|" \
    -e "s|listen 443 |listen 127.0.0.1:$2 |" -e "s|127\.0\.0\.1:8080|$1|" -e "s|/etc/letsencrypt/.*/fullchain.pem|$SCRATCH/cert.pem|" \
    -e "s|/etc/letsencrypt/.*/privkey.pem|$SCRATCH/key.pem|" >"$SCRATCH/site.conf"
  {
    echo "daemon off; pid $SCRATCH/nginx.pid; user $(id -un) $(id -gn); events { worker_connections 20000; }"
    echo 'http { access_log off;'
    for name in client_body proxy fastcgi uwsgi scgi; do echo "${name}_temp_path $SCRATCH/$name;"; done
    echo "include $SCRATCH/site.conf; }"
  } >"$SCRATCH/nginx.conf"
}

main "$@"
