# shellcheck shell=bash
# Finds, or on Debian fetches, the Bitcoin node that the chain tests run on regtest.

# ensure_bitcoind: sets and exports BITCOIND_EXE. Order: $BITCOIND_EXE, bitcoind on the PATH, the copy fetched earlier, and on a
# Debian with apt a fresh copy. Anything else ends the script with what to install.
ensure_bitcoind() {
  local fetched=$TOOLS/bitcoind/bitcoind
  if [ -n "${BITCOIND_EXE:-}" ]; then
    bitcoind_version "$BITCOIND_EXE" >/dev/null || die "BITCOIND_EXE=$BITCOIND_EXE does not run. Set it to a bitcoind program, or unset it."
  elif have bitcoind; then
    BITCOIND_EXE=$(command -v bitcoind)
  else
    if ! bitcoind_version "$fetched" >/dev/null 2>&1; then
      say "fetching a Bitcoin node from Debian (package bitcoin-knots, that is Bitcoin Knots) into .tools/bitcoind"
      private_directory "$TOOLS"
      # A process of its own, so that its set -e holds although its outcome is tested here.
      bash "$ROOT/.scripts/fetch-bitcoind.sh" "$TOOLS/bitcoind" ||
        die "the tests need a Bitcoin node. Install Bitcoin Core or Bitcoin Knots, version 28 or newer, so that bitcoind is on" \
          "the PATH (on macOS: brew install bitcoin), or set BITCOIND_EXE to the program."
    fi
    BITCOIND_EXE=$fetched
  fi
  export BITCOIND_EXE
  say "Bitcoin node: $(bitcoind_version "$BITCOIND_EXE")"
}

# bitcoind_version PROGRAM: its first line of -version, which names the kind of node too.
bitcoind_version() {
  local text
  text=$("$1" -version </dev/null) && printf '%s\n' "${text%%$'\n'*}"
}
