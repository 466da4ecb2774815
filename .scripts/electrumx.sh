# shellcheck shell=bash
# Finds, or installs from PyPI, the Electrum server (ElectrumX) that the chain tests run on the Bitcoin node.

# need_electrumx: Python, unless ElectrumX is there already.
need_electrumx() {
  find_electrumx || need_venv
}

# ensure_electrumx: sets and exports ELECTRUMX_EXE. Order: $ELECTRUMX_EXE, electrumx_server on the PATH, the copy installed
# earlier, and a fresh copy.
ensure_electrumx() {
  local folder=$TOOLS/electrumx
  if ! find_electrumx; then
    [ -z "${ELECTRUMX_EXE:-}" ] || die "ELECTRUMX_EXE=$ELECTRUMX_EXE does not run. Set it to an electrumx_server program, or unset it."
    say 'installing an Electrum server (e-x, that is ElectrumX) from PyPI into .tools/electrumx'
    private_directory "$TOOLS"
    if ! { install_electrumx "$folder" || install_electrumx_on_debian "$folder"; }; then
      die "the tests need an Electrum server. Install ElectrumX (pip install 'e-x<2' plyvel) and set ELECTRUMX_EXE to its" \
        "electrumx_server."
    fi
    find_electrumx || die 'ElectrumX was installed but does not run. Delete .tools/electrumx and try again.'
  fi
  export ELECTRUMX_EXE
  say "Electrum server: $ELECTRUMX_EXE"
}

# install_electrumx DIRECTORY: e-x is the ElectrumX that is kept up; plyvel is its database, taken only where it is ready-made for
# this Python, because building it needs more than Python. The stamp says that the installation was completed.
install_electrumx() {
  rm -rf "$1"
  python3 -m venv "$1" >/dev/null 2>&1 &&
    "$1/bin/pip" install --quiet --only-binary plyvel 'e-x<2' plyvel >/dev/null 2>&1 &&
    : >"$1/complete"
}

# install_electrumx_on_debian DIRECTORY: the same with Debian's own Python and its package of plyvel.
install_electrumx_on_debian() {
  have apt-get || return 1
  missing python3-venv -
  missing python3-plyvel -
  install_missing
  rm -rf "$1"
  quietly /usr/bin/python3 -m venv --system-site-packages "$1" &&
    quietly "$1/bin/pip" install --quiet 'e-x<2' &&
    : >"$1/complete"
}

# find_electrumx: whether there is one. It has no option that only shows its version; that its parts can be loaded shows when the
# Python beside it loads them.
find_electrumx() {
  local installed=$TOOLS/electrumx/bin/electrumx_server
  if [ -n "${ELECTRUMX_EXE:-}" ]; then
    [ -x "$ELECTRUMX_EXE" ]
  elif have electrumx_server; then
    ELECTRUMX_EXE=$(command -v electrumx_server)
  elif [ -e "$TOOLS/electrumx/complete" ] && "$TOOLS/electrumx/bin/python" -c 'import electrumx, plyvel' 2>/dev/null; then
    ELECTRUMX_EXE=$installed
  else
    return 1
  fi
}
