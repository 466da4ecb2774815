# shellcheck shell=bash
# What the scripts of a release share: what it is called, and the environment in which the same commit gives the same files.
# Sourced after the other scripts; needs common.sh.

# release_version: the version in the workspace's manifest, which every crate and the npm package take from there.
release_version() { sed -nE 's/^package = \{ version = "([^"]+)".*/\1/p' "$ROOT/Cargo.toml"; }

# machine: this machine as containers and Debian call it.
machine() {
  case "$(uname -m)" in
    x86_64) echo amd64 ;;
    aarch64 | arm64) echo arm64 ;;
    *) uname -m ;;
  esac
}

# archive_name: the archive of the programs for this machine, without its ending.
archive_name() { echo "proof-of-reserves-$(release_version)-linux-$(machine)"; }

# pinned_tools: refuses compilers and tools of other versions than the pinned ones, which would give other files.
pinned_tools() {
  local rust node
  rust=$(cd "$ROOT" && rustc --version | cut -d ' ' -f 2)
  [ "$rust" = "$(pinned_rust)" ] || die "releases are built with Rust $(pinned_rust) (rust-toolchain.toml); this is $rust."
  node=$(node --version)
  [ "$node" = "v$(cat "$ROOT/.node-version")" ] ||
    die "releases are built with Node $(cat "$ROOT/.node-version") (.node-version); this is ${node#v}."
}

# release_environment: sets what the build may see of its surroundings: the commit and its time in place of the machine and now.
release_environment() {
  case "$ROOT" in
    *[[:space:]]*) die "the folder's name has a space, which compilers' options for paths do not allow: $ROOT" ;;
  esac
  SOURCE_DATE_EPOCH=$(git -C "$ROOT" log -1 --format=%ct)
  SOURCE_COMMIT=$(git -C "$ROOT" rev-parse --short=12 HEAD)
  export SOURCE_DATE_EPOCH SOURCE_COMMIT TZ=UTC LC_ALL=C
  umask 022
}

# build_programs: both programs for production. Paths of this machine become /source, /cargo and /target, in Rust, C and C++.
build_programs() {
  local target cargo maps flags='' map
  target=$(target_directory)
  cargo=${CARGO_HOME:-$HOME/.cargo}
  # Of several that match, compilers take the last: the target directory is usually within the source.
  maps=("$ROOT=/source" "$cargo=/cargo" "$target=/target")
  for map in "${maps[@]}"; do flags="$flags -ffile-prefix-map=$map"; done
  (
    cd "$ROOT" || exit
    export CFLAGS=$flags CXXFLAGS="-ffunction-sections -fdata-sections$flags"
    CARGO_ENCODED_RUSTFLAGS=$(printf -- '--remap-path-prefix=%s\x1f' "${maps[@]}")
    export CARGO_ENCODED_RUSTFLAGS=${CARGO_ENCODED_RUSTFLAGS%$'\x1f'}
    cargo production
  )
}

# deterministic_tar FOLDER NAME: what is in FOLDER/NAME as a gzipped tar on standard output, with nothing of this machine in it.
deterministic_tar() {
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw --format=gnu -C "$1" -c "$2" | gzip -9 -n
}

# deterministic_zip FOLDER FILE: the contents of FOLDER as FILE.
deterministic_zip() {
  local file=$2
  rm -f "$file"
  find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  (cd "$1" && find . -type f | LC_ALL=C sort | zip -X -D -9 -q "$file" -@)
}
