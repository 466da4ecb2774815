# shellcheck shell=bash
# What the house needs from the system: Rust, a C++ toolchain, Node and, for the tests, Chromium and PostgreSQL.
# Sourced; needs common.sh.

# Packages that the need_* functions found missing, by Debian's and by Homebrew's names. install_missing installs them at once.
MISSING_APT=''
MISSING_BREW=''

# missing APT BREW: notes a missing package; '-' where a system brings it along.
missing() {
  [ "$1" = - ] || MISSING_APT="$MISSING_APT $1"
  [ "$2" = - ] || MISSING_BREW="$MISSING_BREW $2"
}

# need_compilers: clang for the C code inside the wasm module; cmake, a C++ compiler, make, pkg-config and the Boost headers for
# Bitcoin Core's consensus engine, which is compiled into the server.
need_compilers() {
  find_wasm_compiler || missing clang llvm
  have c++ || missing g++ gcc
  have make || missing make make
  have cmake || missing cmake cmake
  have pkg-config || missing pkg-config pkgconf
  have_boost || missing libboost-dev boost
}

# have_boost: whether the Boost headers are where the compiler or Homebrew looks.
have_boost() {
  if have c++ && echo '#include <boost/version.hpp>' | c++ -E -x c++ - >/dev/null 2>&1; then return; fi
  have brew && [ -e "$(brew --prefix)/include/boost/version.hpp" ]
}

# find_wasm_compiler: whether a C compiler for wasm32 is known. Apple's clang has no such target, Homebrew's llvm has: it is then
# exported in the variables that Rust's cc crate reads.
find_wasm_compiler() {
  local clang llvm
  clang=${CC_wasm32_unknown_unknown:-clang}
  if have "$clang" && compiles_wasm "$clang"; then return; fi
  have brew || return 1
  llvm=$(brew --prefix llvm 2>/dev/null) || return 1
  compiles_wasm "$llvm/bin/clang" || return 1
  export CC_wasm32_unknown_unknown=$llvm/bin/clang AR_wasm32_unknown_unknown=$llvm/bin/llvm-ar
}

# compiles_wasm CLANG: whether this compiler knows wasm32.
compiles_wasm() {
  echo 'int one(void) { return 1; }' | "$1" --target=wasm32-unknown-unknown -x c -c - -o /dev/null 2>/dev/null
}

# The oldest Node that the web tools run on: 20.19.
have_node() {
  have node npm && node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)'
}

# need_node: Node is installed by apt only where its release of Node is new enough.
need_node() {
  have_node && return
  if have node; then
    die "Node 20.19 or newer is needed, with npm; this is Node $(node --version 2>/dev/null). See https://nodejs.org."
  fi
  if have apt-get; then
    update_apt
    case "$(apt-cache show nodejs 2>/dev/null | sed -nE '/^Version: (20\.19|2[1-9]|[3-9][0-9])/p')" in
      '') die "Node 20.19 or newer is needed, with npm, but this system's packages are older. See https://nodejs.org." ;;
    esac
    missing nodejs node
    # Some repositories pack npm into nodejs; Debian and Ubuntu do not.
    if apt-cache show npm >/dev/null 2>&1; then missing npm -; fi
  else
    missing - node
  fi
}

# need_go: Go and its own packages for notes and logs, which check what we check.
need_go() {
  have go || missing golang-go -
  [ -e /usr/share/gocode/src/golang.org/x/mod ] || missing golang-golang-x-mod-dev -
}

# need_venv: a Python that makes environments of their own, which Debian packs separately.
need_venv() {
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing python3-venv python
}

# from_pypi NAME ARGUMENTS...: an environment of its own in .tools/NAME, with what pip installs for these arguments.
from_pypi() {
  local folder=$TOOLS/$1
  shift
  private_directory "$TOOLS"
  rm -rf "$folder"
  quietly python3 -m venv "$folder" && quietly "$folder/bin/pip" install --quiet "$@"
}

# need_chromium: the browser of the tests; sets and exports CHROMIUM_PATH when there is one.
need_chromium() {
  find_chromium || missing chromium chromium
}

ensure_chromium() {
  find_chromium || die 'the tests need Chromium: set CHROMIUM_PATH to the program.'
}

find_chromium() {
  local candidate
  if [ -z "${CHROMIUM_PATH:-}" ]; then
    for candidate in chromium chromium-browser google-chrome google-chrome-stable \
      '/Applications/Chromium.app/Contents/MacOS/Chromium' \
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
      if have "$candidate"; then
        CHROMIUM_PATH=$(command -v "$candidate")
        break
      fi
    done
  fi
  [ -n "${CHROMIUM_PATH:-}" ] || return 1
  [ -x "$CHROMIUM_PATH" ] || die "CHROMIUM_PATH=$CHROMIUM_PATH is not a program. Set it to a Chromium program, or unset it."
  export CHROMIUM_PATH
}

# privileged COMMAND...: runs it as root, without ever asking for a password; fails where that is not possible.
privileged() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    have sudo && sudo -n "$@"
  fi
}

# apt ARGUMENTS...: apt-get that asks nothing and waits for another one to end.
apt() {
  privileged env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@"
}

# update_apt: refreshes apt's lists, at most once.
APT_UPDATED=''
update_apt() {
  [ -z "$APT_UPDATED" ] || return 0
  privileged true 2>/dev/null || return 0
  say 'apt-get update'
  # A broken third-party source must not stop us: whether the packages are there shows when they are installed.
  quietly apt update || say 'apt-get update had errors; going on'
  APT_UPDATED=yes
}

# install_missing: installs what the need_* functions noted, or says what to install.
install_missing() {
  [ -n "$MISSING_APT$MISSING_BREW" ] || return 0
  if have apt-get; then
    if [ -n "$MISSING_APT" ]; then
      privileged true 2>/dev/null ||
        die "these packages are missing, and installing them needs root. Please run: sudo apt-get install -y$MISSING_APT"
      update_apt
      say "apt-get install$MISSING_APT"
      # shellcheck disable=SC2086 # package names are separate words
      quietly apt install -y --no-install-recommends $MISSING_APT || die "apt-get could not install$MISSING_APT."
    fi
  elif have brew; then
    die "these packages are missing. Please run: brew install$MISSING_BREW"
  else
    die "these packages (by Debian's names) are missing, please install them:$MISSING_APT"
  fi
  MISSING_APT='' MISSING_BREW=''
  hash -r
}

# need_rust: cargo from rustup; from apt where it has rustup.
need_rust() {
  # A login shell finds cargo by its profile, a fresh one may not.
  if ! have cargo && [ -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ]; then
    PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
  fi
  have cargo || have rustup && return
  if have apt-get; then
    update_apt
    if apt-cache show rustup >/dev/null 2>&1; then
      missing rustup rustup
      return
    fi
  fi
  die "Rust is missing. Install it with rustup, as https://rustup.rs says, then run this again in a new shell."
}

# pinned_rust: the version in rust-toolchain.toml.
pinned_rust() { sed -nE 's/^channel = "(.*)"/\1/p' "$ROOT/rust-toolchain.toml"; }

# ensure_rust [COMPONENT...]: the toolchain in rust-toolchain.toml, with these components and the wasm target. rustup installs what is
# missing. Without rustup another version that is new enough will do for development; releases are built with the pinned one only.
ensure_rust() {
  local component oldest pinned version
  pinned=$(pinned_rust)
  if ! (cd "$ROOT" && rustc --version >/dev/null 2>&1); then
    have rustup || die "rustc does not run. Install Rust with rustup, as https://rustup.rs says."
    say "installing Rust $pinned"
    (cd "$ROOT" && quietly rustup toolchain install "$pinned" --profile minimal --no-self-update) || same_toolchain "$pinned" ||
      die "Rust $pinned is missing (rust-toolchain.toml), and rustup could not install it: it downloads from https://static.rust-lang.org."
  fi
  oldest=$(sed -nE 's/.*rust-version = "([0-9.]+)".*/\1/p' "$ROOT/Cargo.toml" | sed -n 1p)
  version=$(cd "$ROOT" && rustc --version | cut -d ' ' -f 2)
  if [ "$(printf '%s\n%s\n' "${oldest:-0}" "$version" | sort -t . -k1,1n -k2,2n | sed -n 1p)" != "${oldest:-0}" ]; then
    die "Rust $oldest or newer is needed; this is $version. Install Rust with rustup, as https://rustup.rs says: it brings $pinned."
  fi
  [ "$version" = "$pinned" ] || say "this is Rust $version; releases are built with $pinned, which rustup installs (https://rustup.rs)"
  if ! [ -d "$(cd "$ROOT" && rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
    have rustup || die "Rust's target wasm32-unknown-unknown is missing; rustup installs it (https://rustup.rs)."
    say 'rustup target add wasm32-unknown-unknown'
    (cd "$ROOT" && quietly rustup target add wasm32-unknown-unknown) || die "rustup could not add the wasm target."
  fi
  for component in "$@"; do
    if ! (cd "$ROOT" && cargo "${component#rust}" --version >/dev/null 2>&1); then
      have rustup || die "the Rust component $component is missing; rustup installs it (https://rustup.rs)."
      say "rustup component add $component"
      (cd "$ROOT" && quietly rustup component add "$component") || die "rustup could not add $component."
    fi
  done
}

# same_toolchain VERSION: takes an installed toolchain of another name (stable, say) that is this version.
same_toolchain() {
  local name
  while read -r name _; do
    case "$(rustup run "$name" rustc --version 2>/dev/null)" in
      "rustc $1 "*)
        export RUSTUP_TOOLCHAIN=$name
        return
        ;;
    esac
  done < <(rustup toolchain list)
  return 1
}
