# shellcheck shell=bash
# The file for nginx of .deploy, moved to where it can be tried. Sourced; needs common.sh.

# make_certificate FOLDER: cert.pem and key.pem there, for localhost.
make_certificate() {
  have openssl || die 'openssl is missing; it makes the certificate. Install it.'
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$1/key.pem" -out "$1/cert.pem" \
    -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE 2>/dev/null
}

# configure_nginx INSIDE OUTSIDE PLAIN FOLDER [SEEN_AS USER]: FOLDER/board.conf, which includes the file: TLS at port OUTSIDE for the server at
# INSIDE, PLAIN leads there. nginx sees the folder as SEEN_AS, and its workers run as USER.
configure_nginx() {
  local folder=$4 seen=${5:-$4} user=${6:-$(id -un) $(id -gn)} name
  sed -e '/listen \[::\]/d' -e "s|listen 80;|listen 127.0.0.1:$3;|" \
    -e "s|listen 443 |listen 127.0.0.1:$2 |" -e "s|127\.0\.0\.1:8080|$1|" -e "s|/etc/letsencrypt/.*/fullchain.pem|$seen/cert.pem|" \
    -e "s|/etc/letsencrypt/.*/privkey.pem|$seen/key.pem|" -e "s|/var/log/nginx|$seen|" "$ROOT/.deploy/nginx.conf" >"$folder/site.conf"
  {
    echo "daemon off; pid $seen/nginx.pid; user $user; events { worker_connections 20000; }"
    echo 'http {'
    for name in client_body proxy fastcgi uwsgi scgi; do echo "${name}_temp_path $seen/$name;"; done
    echo "include $seen/site.conf; }"
  } >"$folder/board.conf"
}
