# shellcheck shell=bash
# Finds, or takes out of Debian's package prometheus, promtool, which tries the alert rules. Sourced; needs common.sh.

# find_promtool: sets PROMTOOL. Order: promtool on the PATH, the copy fetched earlier, and a fresh copy. Fails where there is none.
find_promtool() {
  local folder=$TOOLS/promtool
  if have promtool; then
    PROMTOOL=$(command -v promtool)
    return
  fi
  PROMTOOL=$folder/usr/bin/promtool
  if "$PROMTOOL" --version >/dev/null 2>&1; then return; fi
  have apt-get dpkg-deb || return 1
  say "fetching promtool (of Debian's package prometheus) into .tools/promtool"
  private_directory "$TOOLS"
  rm -rf "$folder"
  mkdir -p "$folder"
  update_apt
  # Unpacked aside: nothing is installed into the system, and no service is started.
  (
    cd "$folder" &&
      apt-get -qq download prometheus >/dev/null 2>&1 &&
      dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x ./usr/bin/promtool &&
      rm -f prometheus_*.deb
  ) || return 1
  "$PROMTOOL" --version >/dev/null 2>&1
}

# alert_rules: whether they are well-formed, and ring when they should.
alert_rules() {
  if find_promtool; then
    check alerts 'alert rules' "$PROMTOOL" test rules "$ROOT/.deploy/alerts.test.yml"
  else
    lacks 'alert rules' 'promtool is missing, and apt-get cannot fetch it'
  fi
}
