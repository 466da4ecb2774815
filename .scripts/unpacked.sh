# shellcheck shell=bash
# Programs on the PATH, or out of Debian's packages: nothing is installed into the system, and no service is started. Sourced; needs common.sh
# and system.sh.

FOUND=''

# unpacked NAME PROGRAM [PACKAGE...]: sets FOUND to NAME on the PATH, or to PROGRAM out of the package NAME and these ones with its libraries.
unpacked() {
  local name=$1 program=$2 folder=$TOOLS/$1
  shift 2
  if have "$name"; then
    FOUND=$(command -v "$name")
    return
  fi
  FOUND=$folder/$name
  if [ -x "$FOUND" ]; then return; fi
  have apt-get dpkg-deb || die "$name is missing. Install it."
  say "fetching $name from Debian into .tools/$name" >&2
  private_directory "$TOOLS"
  # One at a time: another test may do the same.
  exec 9>"$TOOLS/fetching"
  flock 9
  if ! [ -x "$FOUND" ]; then
    update_apt >&2
    rm -rf "$folder"
    mkdir -p "$folder"
    (
      cd "$folder"
      apt-get -qq download "$name" "$@" >/dev/null 2>&1
      for package in *.deb; do dpkg-deb --fsys-tarfile "$package" | tar -x; done
      rm -f ./*.deb
    ) || die "apt-get could not fetch $name. Install it."
    cat >"$FOUND" <<LAUNCHER
#!/bin/sh
LD_LIBRARY_PATH=$folder/usr/lib/$(uname -m)-linux-gnu exec "$folder/$program" "\$@"
LAUNCHER
    chmod +x "$FOUND"
  fi
  exec 9>&-
}
