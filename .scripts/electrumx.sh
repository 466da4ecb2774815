# shellcheck shell=bash
# Finds, or installs from PyPI, the Electrum server (ElectrumX) that the chain tests run on the Bitcoin node.

# need_electrumx: Python, unless ElectrumX is there already; Debian packs what makes an environment of its own separately.
need_electrumx() {
  find_electrumx || python3 -c 'import ensurepip, venv' 2>/dev/null || missing python3-venv python
}

# ensure_electrumx: sets and exports ELECTRUMX_EXE. Order: $ELECTRUMX_EXE, electrumx_server on the PATH, the copy installed
# earlier, and a fresh copy.
ensure_electrumx() {
  local folder=$TOOLS/electrumx
  if ! find_electrumx; then
    [ -z "${ELECTRUMX_EXE:-}" ] || die "ELECTRUMX_EXE=$ELECTRUMX_EXE does not run."
    say 'installing an Electrum server (e-x, that is ElectrumX) from PyPI into .tools/electrumx'
    private_directory "$TOOLS"
    rm -rf "$folder"
    # e-x is the ElectrumX that is kept up; plyvel is its database. The stamp says that the installation was completed.
    if ! { quietly python3 -m venv "$folder" && quietly "$folder/bin/pip" install --quiet 'e-x<2' plyvel && : >"$folder/complete"; }; then
      die "the tests need an Electrum server. Install ElectrumX (pip install 'e-x<2' plyvel) and set ELECTRUMX_EXE to its" \
        "electrumx_server."
    fi
    find_electrumx || die 'ElectrumX was installed but does not run.'
  fi
  export ELECTRUMX_EXE
  say "Electrum server: $ELECTRUMX_EXE"
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
