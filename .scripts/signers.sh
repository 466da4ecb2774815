# shellcheck shell=bash
# Finds, or gets, the signers that the server's tests have proofs signed by beside the node: Electrum, and embit, a library of devices and
# wallets. Sourced by ./test; needs steps.sh and system.sh.

# ensure_signers: sets and exports ELECTRUM_EXE and EMBIT_PYTHON. What cannot be had on this machine is empty, which skips its tests.
ensure_signers() {
  if find_electrum || fetch_electrum; then
    say "Electrum: $ELECTRUM_EXE"
  else
    lacks 'proofs signed by Electrum' 'install Electrum, so that electrum is on the PATH, or set ELECTRUM_EXE'
  fi
  if find_embit || install_embit; then
    say "embit: $EMBIT_PYTHON"
  else
    lacks 'proofs signed by embit' "pip install 'embit<0.9', and set EMBIT_PYTHON to that Python"
  fi
  export ELECTRUM_EXE=${ELECTRUM_EXE:-} EMBIT_PYTHON=${EMBIT_PYTHON:-}
}

# find_electrum: $ELECTRUM_EXE, electrum on the PATH, or the copy fetched earlier.
find_electrum() {
  if [ -n "${ELECTRUM_EXE:-}" ]; then
    [ -x "$ELECTRUM_EXE" ] || die "ELECTRUM_EXE=$ELECTRUM_EXE is not a program. Set it to electrum, or unset it."
  elif have electrum; then
    ELECTRUM_EXE=$(command -v electrum)
  elif [ -x "$TOOLS/electrum/electrum" ]; then
    ELECTRUM_EXE=$TOOLS/electrum/electrum
  else
    return 1
  fi
}

# fetch_electrum: on Debian and what comes from it.
fetch_electrum() {
  have apt-get dpkg-deb /usr/bin/python3 || return 1
  say 'fetching Electrum from Debian into .tools/electrum'
  private_directory "$TOOLS"
  quietly bash "$ROOT/.scripts/fetch-electrum.sh" "$TOOLS/electrum" && find_electrum
}

# ensure_bip322_python: sets and exports BIP322_PYTHON, which answers the package's cases of BIP-322. Empty where it cannot be had, which
# skips its test.
ensure_bip322_python() {
  local python=${BIP322_PYTHON:-$TOOLS/bip322/bin/python}
  if ! "$python" -c 'import btclib.bip322, embit.psbt' 2>/dev/null; then
    [ -z "${BIP322_PYTHON:-}" ] || die "BIP322_PYTHON=$BIP322_PYTHON lacks btclib or embit. Set it to a Python with both, or unset it."
    say 'installing btclib and embit from PyPI into .tools/bip322'
    if ! from_pypi bip322 'btclib==2026.9.*' 'embit<0.9'; then
      lacks 'cases of BIP-322 answered by btclib and embit' "pip install 'btclib==2026.9.*' 'embit<0.9', and set BIP322_PYTHON to that Python"
      python=''
    fi
  fi
  export BIP322_PYTHON=$python
}

# find_embit: a Python that has it: $EMBIT_PYTHON, or the environment made earlier.
find_embit() {
  local python=${EMBIT_PYTHON:-$TOOLS/embit/bin/python}
  if "$python" -c 'import embit.psbt' 2>/dev/null; then
    EMBIT_PYTHON=$python
  else
    [ -z "${EMBIT_PYTHON:-}" ] || die "EMBIT_PYTHON=$EMBIT_PYTHON has no embit. Set it to a Python with embit, or unset it."
    return 1
  fi
}

# install_embit: from PyPI.
install_embit() {
  say 'installing embit from PyPI into .tools/embit'
  from_pypi embit 'embit<0.9' && find_embit
}
