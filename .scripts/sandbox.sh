# shellcheck shell=bash
# Finds, or gets, what runs the server as restricted as its unit and its container do: libseccomp's Python module, systemd-analyze and
# bubblewrap. Sourced by ./test; needs steps.sh and system.sh.

# ensure_sandbox: sets and exports SANDBOX_PYTHON, the Python that writes the filters. It is empty where the machine cannot run such a
# server, which skips the tests.
ensure_sandbox() {
  local label='the server as its unit restricts it'
  if [ "$(uname -s)" != Linux ]; then
    skip "$label" 'only Linux has these restrictions'
  elif ! { has_sandbox || { install_sandbox && has_sandbox; }; }; then
    lacks "$label" 'install python3-seccomp, systemd and bubblewrap'
  elif ! makes_sandbox; then
    skip "$label" 'bubblewrap may not make a sandbox here'
  else
    export SANDBOX_PYTHON
    SANDBOX_PYTHON=$(sandbox_python)
    say "sandbox: bubblewrap, and filters by $SANDBOX_PYTHON"
    return
  fi
  export SANDBOX_PYTHON=''
}

# sandbox_python: a Python that has libseccomp's module, which Debian installs for its own.
sandbox_python() {
  local python
  for python in "${SANDBOX_PYTHON:-/usr/bin/python3}" python3; do
    if "$python" -c 'import seccomp' 2>/dev/null; then
      command -v "$python"
      return
    fi
  done
  return 1
}

has_sandbox() {
  have bwrap systemd-analyze && sandbox_python >/dev/null && systemd-analyze syscall-filter @known >/dev/null 2>&1
}

# install_sandbox: on Debian and what comes from it, where this script may.
install_sandbox() {
  local packages
  have apt-get && privileged true 2>/dev/null || return 1
  packages=()
  have bwrap || packages+=(bubblewrap)
  sandbox_python >/dev/null || packages+=(python3-seccomp)
  have systemd-analyze || packages+=(systemd)
  update_apt
  say "apt-get install ${packages[*]}"
  quietly apt install -y --no-install-recommends "${packages[@]}"
}

# makes_sandbox: whether a program can be run as the tests run the server.
makes_sandbox() {
  bwrap --ro-bind / / --dev /dev --proc /proc --unshare-user --uid 61234 --gid 61234 --cap-drop ALL true 2>/dev/null
}
