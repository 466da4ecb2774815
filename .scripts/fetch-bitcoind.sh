#!/usr/bin/env bash
# fetch-bitcoind.sh DIRECTORY: puts bitcoind and bitcoin-cli of the Debian package bitcoin-knots (Bitcoin Knots) there.
#
# That package is in the backports of Debian 13 only, and built against that release's C library, so that older releases cannot
# install it. Therefore it is downloaded with an apt configuration of its own (apt checks the signatures as always) and
# unpacked, with the libraries that it needs, into DIRECTORY. Nothing is installed into the system, the system's apt is not
# touched, and no root is needed. It works on any Debian of amd64 or arm64, and on Ubuntu with the package
# debian-archive-keyring and the address of a Debian mirror in DEBIAN_MIRROR.
set -euo pipefail

main() {
  local directory=$1 mirror keyring machine loader package
  mirror=$(debian_mirror)
  keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  command -v apt-get >/dev/null || give_up 'apt-get is missing'
  [ -n "$mirror" ] || give_up "apt's sources name no Debian mirror"
  [ -e "$keyring" ] || give_up 'the package debian-archive-keyring is missing'
  machine=$(dpkg --print-architecture)
  case "$machine" in
    amd64) loader=ld-linux-x86-64.so.2 ;;
    arm64) loader=ld-linux-aarch64.so.1 ;;
    *) give_up "the package is not fetched for $machine" ;;
  esac

  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  private_apt "$work" "$mirror" "$keyring" "$machine"
  export APT_CONFIG=$work/apt.conf DEBIAN_FRONTEND=noninteractive
  download >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    give_up 'apt could not download bitcoin-knots'
  }
  for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root"
  done
  keep_what_runs "$work/root" "$loader" "$work/kept"
  "$work/kept/bitcoind" -version >/dev/null
  rm -rf "$directory"
  mv "$work/kept" "$directory"
}

# download: the package and, because apt's list of installed packages is empty here, every library that it needs.
download() {
  apt-get update -qq &&
    apt-get install -qq -y --download-only --no-install-recommends -o Debug::NoLocking=1 bitcoin-knots/trixie-backports
}

give_up() {
  echo "No Bitcoin node can be fetched here: $*." >&2
  exit 1
}

# debian_mirror: the address of this system's own Debian mirror, from apt's sources in either of their two notations. Empty
# where there is none, as on Ubuntu; DEBIAN_MIRROR names one there.
debian_mirror() {
  if [ -n "${DEBIAN_MIRROR:-}" ]; then
    echo "$DEBIAN_MIRROR"
    return
  fi
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } |
    sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+\/debian\/?) .*/\2/p
             s/^URIs: *([^ ]+\/(debian\/?|debian\.list))( .*)?$/\1/p' |
    sed -n 1p
}

# private_apt WORK MIRROR KEYRING MACHINE: an apt configuration whose sources, lists, state and downloads are all below WORK.
private_apt() {
  local work=$1 suite
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/state" "$work/log.d" "$work/root"
  : >"$work/status"
  for suite in trixie trixie-backports; do
    echo "deb [arch=$4 signed-by=$3] $2 $suite main"
  done >"$work/sources.list"
  cat >"$work/apt.conf" <<CONFIGURATION
APT::Architecture "$4";
APT::Sandbox::User "root"; // the download directory is the caller's own
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$work/state";
Dir::State::lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Log "$work/log.d";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
Acquire::Retries "3";
CONFIGURATION
}

# keep_what_runs UNPACKED LOADER DESTINATION: copies the two programs, the libraries that they load and the loader itself, and
# writes two small launchers that start them with exactly those.
keep_what_runs() {
  local unpacked=$1 loader=$2 destination=$3 libraries program
  # Where the C library is says where all libraries are; Debian 13 keeps /lib as a link to /usr/lib, an unpacked tree has both.
  libraries=$(dirname "$(find "$unpacked" -name libc.so.6 | sed -n 1p)")
  mkdir -p "$destination/lib" "$destination/bin"
  cp -L "$libraries/$loader" "$destination/lib/"
  for program in bitcoind bitcoin-cli; do
    cp "$unpacked/usr/bin/$program" "$destination/bin/"
    "$libraries/$loader" --library-path "$libraries" --list "$unpacked/usr/bin/$program" |
      sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p' |
      while IFS= read -r library; do cp -L "$library" "$destination/lib/"; done
    cat >"$destination/$program" <<LAUNCHER
#!/bin/sh
# Starts the program with the libraries that it was packaged with.
here=\$(dirname "\$(readlink -f "\$0")")
exec "\$here/lib/$loader" --library-path "\$here/lib" "\$here/bin/$program" "\$@"
LAUNCHER
    chmod +x "$destination/$program"
  done
}

main "$@"
