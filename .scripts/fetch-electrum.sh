#!/usr/bin/env bash
# fetch-electrum.sh DIRECTORY: puts Electrum of the system's own Debian release there, with a launcher called electrum.
#
# What the system lacks of the package and of what it needs is downloaded with lists of its own (apt checks the signatures as always) and
# unpacked into DIRECTORY, to be run by the system's Python. Nothing is installed into the system, and no root is needed.
set -euo pipefail

main() {
  local directory=$1 package
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/kept/root"
  # A broken third-party source must not stop us: whether the package is there shows when it is downloaded.
  private_apt update -qq || true
  private_apt install -qq -y --download-only --no-install-recommends electrum
  for package in "$work"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/kept/root"
  done
  write_launcher "$work/kept"
  "$work/kept/electrum" version --offline >/dev/null
  rm -rf "$directory"
  mv "$work/kept" "$directory"
}

# private_apt ARGUMENTS...: apt-get with the system's sources, and lists and downloads below the working directory.
private_apt() {
  DEBIAN_FRONTEND=noninteractive apt-get \
    -o Dir::State::lists="$work/lists" \
    -o Dir::Cache::archives="$work/archives" \
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
    -o Acquire::Languages=none -o Acquire::Retries=3 \
    "$@"
}

# write_launcher DESTINATION: starts Electrum with what it was unpacked with.
write_launcher() {
  local libraries
  # The folders with libraries; empty where the system has them all.
  libraries=$(cd "$1/root" && find . -name 'lib*.so*' -printf '$here/%h\n' | sort -u | paste -sd: -)
  cat >"$1/electrum" <<LAUNCHER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")/root
export PYTHONPATH="\$here/usr/lib/python3/dist-packages" LD_LIBRARY_PATH="$libraries"
exec /usr/bin/python3 -s -B "\$here/usr/bin/electrum" "\$@"
LAUNCHER
  chmod +x "$1/electrum"
}

main "$@"
