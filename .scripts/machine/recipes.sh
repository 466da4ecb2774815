# shellcheck shell=bash
# The recipes of .scripts/recipes.sh. Sourced by it.

STATE=/var/lib/proof-of-reserves
SQLITE=$STATE/proof-of-reserves.sqlite

recipe_ten_steps() {
  board
  nginx_in_front
  expect 'TLS and its header' grep -qi strict-transport-security <(curl --silent --head "https://$HOST/healthz")
  expect 'a way to TLS' redirects
  user satoshi
  logged >/dev/null
  NETWORK=regtest run try
  expect 'a log without query strings' no_queries
  expect 'changes that come at once' streams
  expect 'the id of the proxy' grep -qiE 'x-request-id: [0-9a-f]{32}' <(curl --silent --head "https://$HOST/leaderboard")
  # The server may answer a stranger, and close, before nginx has sent everything.
  expect 'room for files of 2 MB' eventually sends 2000000 401
  expect 'no room for larger ones' sends 3500000 413
}

recipe_backup() {
  local file
  board
  user satoshi
  run backup
  expect 'the line of cron' grep -q '^0 \* \* \* \* root /usr/local/bin/reserves-backup$' /etc/cron.d/reserves
  expect 'nobody else reads copies' [ "$(find /srv/backups -type f ! -perm 600 | wc -l)" = 0 ]
  expect 'an hourly and a daily copy' [ "$(find /srv/backups -type f | wc -l)" = 2 ]
  # Two days, a month and more ago.
  for file in hourly/a.sqlite:-49 hourly/b.sqlite:-47 daily/c.sqlite:-719 daily/d.sqlite:-721; do
    touch -d "${file#*:} hours" "/srv/backups/${file%:*}"
  done
  sed 's/^.* root //' /etc/cron.d/reserves | bash -e
  expect 'older copies are gone' [ "$(cd /srv/backups && find . -name '?.sqlite' | sort | tr '\n' ' ')" = './daily/c.sqlite ./hourly/b.sqlite ' ]
  expect 'the age of the backup' grep -qE '^reserves_backup_time_seconds [0-9]+$' /var/lib/prometheus/node-exporter/reserves.prom
  expect 'the end of the certificate' grep -qE '^reserves_certificate_end_time_seconds [0-9]+$' /var/lib/prometheus/node-exporter/reserves.prom
}

recipe_restore() {
  local seen
  board
  user satoshi
  user leaving
  logged >/dev/null
  run backup
  reserves erase github:leaving >/dev/null
  user late
  seen=$(logged)
  run restore-sqlite
  ready
  continues "$seen"
  expect 'the user of the copy' eventually known satoshi
  expect 'nobody who was erased since' eventually unknown leaving
  expect 'nobody who came since' eventually unknown late
}

recipe_requests() {
  board
  user quentin
  run backup
  cd "$SCRATCH"
  PERSON=github:quentin run requests
  expect 'a copy of the data' grep -q quentin person.json
  expect 'nobody' eventually unknown quentin
  expect 'a copy from before' grep -qa quentin "$(find /srv/backups/daily -type f)"
  # Names of copies have seconds.
  sleep 1
  run erase-backups
  expect 'one copy' [ "$(find /srv/backups -type f | wc -l)" = 1 ]
  expect 'nothing of the user in it' [ "$(grep -ca quentin "$(find /srv/backups -type f)")" = 0 ]
}

recipe_keys() {
  local before seen
  board
  user satoshi
  run backup
  seen=$(logged)
  before=$(curl --silent --fail http://127.0.0.1:8080/log/key)
  sleep 1
  run rotate
  eventually key_differs "$before" >/dev/null
  continues "$seen"
  # The copy that the block has made can continue the log.
  run restore-sqlite
  ready
  continues "$seen"
}

recipe_upgrade() {
  local seen
  [ -z "${OTHER_RELEASE:-}" ] || cp "$OTHER_RELEASE" proof-of-reserves
  board
  user satoshi
  run backup
  cp "$SERVER_PROGRAM" proof-of-reserves
  sleep 1
  run upgrade
  ready
  user late
  seen=$(logged)
  run way-back
  run restore-sqlite
  ready
  continues "$seen"
  expect 'the user of the copy' eventually known satoshi
}

recipe_new_host() {
  local seen
  board
  user satoshi
  seen=$(logged)
  run old-host
  # As on another machine, to which only the archive was copied.
  rm -rf "$STATE" "$STATE-log" /var/lib/private
  run new-host
  ready
  expect 'the user' eventually known satoshi
  continues "$seen"
}

recipe_caddy() {
  board
  mkdir -p /etc/caddy
  XDG_DATA_HOME=$SCRATCH/caddy HOME=$SCRATCH caddy start --config <(echo '{}') >"$SCRATCH/caddy.log" 2>&1
  # Without the network, the certificate is of Caddy's own authority.
  sed -i '1i {\n\tlocal_certs\n\tskip_install_trust\n}' Caddyfile
  run caddy >"$SCRATCH/caddy-run.log" 2>&1
  expect 'an answer by TLS' eventually curl --silent --insecure --fail "https://$HOST/readyz"
  expect 'changes that come at once' streams --insecure
}

recipe_postgresql() {
  local seen
  board
  user satoshi
  run backup
  seen=$(logged)
  postgresql
  run move
  ready
  expect 'the user' eventually known satoshi
  continues "$seen"
  # Backup and restore of PostgreSQL.
  sleep 1
  reserves-backup
  reserves erase github:satoshi >/dev/null
  seen=$(logged)
  run restore-postgresql
  ready
  continues "$seen"
  expect 'nobody who was erased since' eventually unknown satoshi
}

recipe_point_in_time() {
  local data=/var/lib/postgresql/15/main
  board
  postgresql
  # The primary's settings, without a standby and at the usual address.
  sed -i -e '/synchronous/d' -e "s/'10.0.0.1'/'127.0.0.1'/" postgresql.conf
  mkdir -p /etc/postgresql/15/main /srv/wal
  chown postgres /srv /srv/wal
  : >/etc/postgresql/15/main/pg_hba.conf
  run primary
  run move
  ready
  run base-copy
  user satoshi
  logged >/dev/null
  TIME=$(sql 'select now()')
  sleep 1
  sql "delete from profiles where username = 'satoshi'"
  eventually unknown satoshi >/dev/null
  logged >"$SCRATCH/seen"
  systemctl stop proof-of-reserves
  run point-in-time
  systemctl start proof-of-reserves
  ready
  expect 'the user from before the mistake' eventually known satoshi
  continues "$(cat "$SCRATCH/seen")"
}

recipe_replicas() {
  local kill reading
  board
  postgresql
  run move
  ready
  sed -i 's|^    server 127.0.0.1:8080 max_fails=0;|&\n    server 127.0.0.1:8081 max_fails=0;|' nginx.conf
  nginx_in_front
  second_replica
  # What visitors read while one replica after the other is killed.
  while ! [ -e "$SCRATCH/killed" ]; do
    curl --silent --output /dev/null --write-out '%{http_code}\n' "https://$HOST/api/rest/v1/profiles?limit=$((RANDOM % 90 + 1))"
  done >"$SCRATCH/answers" &
  reading=$!
  for ((kill = 0; kill < ${KILLS:-4}; kill++)); do
    if [ $((kill % 2)) = 0 ]; then
      kill -9 "$(cat /run/proof-of-reserves.pid)"
      eventually gone "$(cat /run/proof-of-reserves.pid)" >/dev/null
      systemctl start proof-of-reserves
      ready
    else
      kill -9 "$(cat /run/second.pid)"
      eventually gone "$(cat /run/second.pid)" >/dev/null
      second_replica
    fi
  done
  touch "$SCRATCH/killed"
  wait "$reading"
  say "$(sort "$SCRATCH/answers" | uniq -c | tr -s ' \n' ' ') during $kill kills"
  expect 'only good answers' [ "$(sort -u "$SCRATCH/answers")" = 200 ]
}

recipe_container() {
  have bwrap || die 'bwrap is missing. Install bubblewrap.'
  install proof-of-reserves /usr/local/bin/
  tar -czf ../proof-of-reserves-1.0.0-linux-amd64.tar.gz -C .. "${CHECKOUT##*/}"
  sed -e 's|http://USER:PASSWORD@127.0.0.1:8332|https://user:secret@reserves.example:8334|' -e 's/^TRUSTED_PROXIES=.*/TRUSTED_PROXIES=172.30.0.1/' \
    -e 's/^METRICS_LISTEN=.*/METRICS_LISTEN=0.0.0.0:9090/' -e '/^PUBLISHED_LOG=/d' -e '/^LOG_FORMAT=/d' -i environment
  editor environment
  # Already in front, at the port that is published.
  nginx_installed
  run container
  ready
  nginx_in_front
  expect 'a server that is well, with its node' eventually well
  expect 'its own check' docker exec proof-of-reserves env LISTEN=0.0.0.0:8080 /usr/local/bin/proof-of-reserves healthcheck
  expect 'no complaint about the proxy' [ "$(grep -c 'trusted proxy\|not in TRUSTED_PROXIES' /var/log/proof-of-reserves.log)" = 0 ]
  expect 'both volumes in use' [ "$(find /var/lib/docker/reserves-data/reserves.sqlite /var/lib/docker/reserves-log/1/head.json | wc -l)" = 2 ]
  expect 'metrics in the network' curl --silent --fail http://172.30.0.2:9090/metrics
}

# board: the steps up to a running board.
board() {
  run install
  run chain >"$SCRATCH/chain.log"
  expect 'a synced node' grep -q '"initialblockdownload": false' "$SCRATCH/chain.log"
  run settings
  expect 'settings that nobody else reads' [ "$(stat -c %a /etc/proof-of-reserves/environment)" = 600 ]
  run start >"$SCRATCH/ready"
  expect 'a server that is well' grep -q '"status":"ok"' "$SCRATCH/ready"
  # Soon: the first look at the chain may still be on its way.
  eventually well >/dev/null
}

well() {
  local ready
  ready=$(curl --silent --fail http://127.0.0.1:8080/readyz) && [[ $ready == *'"status":"ok"'* && $ready != *troubles* ]]
}

ready() { eventually curl --silent --fail http://127.0.0.1:8080/readyz >/dev/null; }

gone() { ! kill -0 "$1" 2>/dev/null; }

key_differs() { [ "$(curl --silent --fail http://127.0.0.1:8080/log/key)" != "$1" ]; }

# nginx_in_front: with the file of the page.
nginx_in_front() {
  nginx_installed
  run nginx 2>"$SCRATCH/nginx.log"
  eventually curl --silent --fail "https://$HOST/healthz" >/dev/null
}

# nginx_installed: Debian's, which runs.
nginx_installed() {
  if [ -e /run/nginx.pid ]; then return; fi
  mkdir -p /etc/nginx /var/log/nginx /var/lib/nginx /run
  if [ -d "$ROOT/.tools/nginx/etc/nginx" ]; then cp -r "$ROOT/.tools/nginx/etc/nginx/." /etc/nginx; fi
  rm -f /etc/nginx/sites-enabled/* /etc/nginx/modules-enabled/*
  sed -i 's/worker_connections.*/worker_connections 20000;/' /etc/nginx/nginx.conf
  nginx
}

redirects() { [ "$(curl --silent --output /dev/null --write-out '%{redirect_url}' "http://$HOST/leaderboard?search=x")" = "https://$HOST/leaderboard?search=x" ]; }

no_queries() {
  curl --silent --output /dev/null "https://$HOST/leaderboard?search=x"
  grep -q '"GET /leaderboard"' /var/log/nginx/access.log && ! grep -q '?' /var/log/nginx/access.log
}

# sends BYTES STATUS: whether a submission of this size by a stranger has this status.
sends() {
  [ "$(head -c "$1" /dev/zero | curl --silent --output /dev/null --write-out '%{http_code}' --header 'content-type: application/json' \
    --data-binary @- "https://$HOST/api/functions/v1/submit-proof")" = "$2" ]
}

# streams [OPTION]: the first event of a change, which comes long before the server would say something anyway.
streams() {
  timeout 10 curl "$@" --silent --no-buffer "https://$HOST/api/rest/v1/profiles/changes" >"$SCRATCH/stream" &
  eventually [ -s "$SCRATCH/stream" ] >/dev/null
  user "streamed$RANDOM"
  eventually grep -q 'event: change' "$SCRATCH/stream" >/dev/null
}

# sql STATEMENT: in the database of the service.
sql() {
  local url
  url=$(sed -n 's/^DATABASE_URL=//p' /etc/proof-of-reserves/environment)
  if [ -n "$url" ]; then
    psql --quiet --no-align --tuples-only --command="$1" "$url"
  else
    setpriv --reuid=61184 --regid=61184 --clear-groups python3 - "$SQLITE" "$1" <<'PY'
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=20)
for row in database.execute(sys.argv[2]):
    print('|'.join(map(str, row)))
database.commit()
PY
  fi
}

# user NAME: one who has signed in with GitHub, which is out of reach here.
user() {
  local now id
  now=$(date +%s)
  id=$(cat /proc/sys/kernel/random/uuid)
  sql "insert into profiles (id, provider, subject, username, username_folded, named, holdings_sats, last_verified, created_at, updated_at)
    values ('$id', 'github', '$1', '$1', '$1', true, null, null, $now, $now)"
}

# known NAME: whether the board has the user.
known() { curl --silent --fail "http://127.0.0.1:8080/api/rest/v1/profiles?username=eq.$1" | grep -q "\"$1\""; }

unknown() { ! known "$1"; }

# size: how many entries the log has.
size() { curl --silent --fail http://127.0.0.1:8080/log/checkpoint | sed -n 2p; }

longer() { [ "$(size)" -gt "$1" ]; }

# logged: waits for an entry about the newest changes, and prints the checkpoint.
logged() {
  local before
  before=$(eventually size)
  # A block gets an entry only if the board has changed, and the entry before may already have all other changes.
  user "another$RANDOM"
  mine 1
  eventually longer "$before" >/dev/null
  eventually curl --silent --fail http://127.0.0.1:8080/log/checkpoint
}

# continues CHECKPOINT: the log has everything that it had, and an entry more after the next block.
continues() {
  local before
  before=$(sed -n 2p <<<"$1")
  user "later$RANDOM"
  mine 1
  eventually longer "$before" >/dev/null
  printf '%s\n' "$1" >"$SCRATCH/checkpoint"
  expect 'a log that has only grown' extends
}

# extends: whether the entries below the old checkpoint are still the same: the folder outside the database begins with them.
extends() {
  local head
  head=$(sed -n 2p "$SCRATCH/checkpoint")
  [ "$(head -n "$head" "$STATE-log/1/entries" | wc -l)" = "$head" ]
}

# postgresql: Debian's, at its port, with its settings in /etc.
postgresql() {
  local data=/var/lib/postgresql/15/main settings=/etc/postgresql/15/main
  rm -rf "$data" "$settings"
  mkdir -p /var/run/postgresql /var/log/postgresql "$data" "$settings"
  chown -R postgres /var/run/postgresql /var/lib/postgresql /var/log/postgresql
  as_postgres "$POSTGRES_BIN/initdb" --pgdata="$data" --auth-local=peer --auth-host=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$SCRATCH/initdb.log"
  mv "$data/postgresql.conf" "$settings"
  printf '%s\n' "data_directory = '$data'" "hba_file = '$data/pg_hba.conf'" "ident_file = '$data/pg_ident.conf'" \
    "unix_socket_directories = '/var/run/postgresql'" 'fsync = off' >>"$settings/postgresql.conf"
  systemctl start postgresql
  export PGHOST=''
}

# second_replica: with the same settings, at another address and with its own PUBLISHED_LOG.
second_replica() {
  sed -e 's/^METRICS_LISTEN=.*//' -e 's|^PUBLISHED_LOG=.*|PUBLISHED_LOG=/var/lib/second-log|' /etc/proof-of-reserves/environment >"$SCRATCH/second"
  echo LISTEN=127.0.0.1:8081 >>"$SCRATCH/second"
  (
    . "$MACHINE/service.sh"
    as_service 'second second-log' /var/lib/second "$SCRATCH/second" /usr/local/bin/proof-of-reserves
  ) >>/var/log/second.log 2>&1 </dev/null &
  echo $! >/run/second.pid
  eventually curl --silent --fail http://127.0.0.1:8081/readyz >/dev/null
}
