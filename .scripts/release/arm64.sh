#!/usr/bin/env bash
# arm64.sh: builds both programs for arm64 on a Debian of another architecture, with Debian's cross compilers, and runs them under qemu: their
# versions, a server's start, and a proof that it verifies with Bitcoin Core's engine. Releases are built on arm64 itself; this only shows
# that the sources are no obstacle. Not optimized, to save an hour.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh
# shellcheck source=.scripts/server.sh
. .scripts/server.sh

TARGET=aarch64-unknown-linux-gnu
SCRATCH=$(mktemp -d)

main() {
  local programs address token
  trap 'stop_server; rm -rf "$SCRATCH"' EXIT
  need_rust
  need_node
  need_compilers
  have aarch64-linux-gnu-g++ || missing g++-aarch64-linux-gnu -
  have qemu-aarch64 || missing qemu-user -
  install_missing
  # shellcheck disable=SC2119
  ensure_rust
  (quietly rustup target add "$TARGET") || die "rustup could not add $TARGET."
  build_wasm
  build_web
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc CXX_aarch64_unknown_linux_gnu=aarch64-linux-gnu-g++ AR_aarch64_unknown_linux_gnu=aarch64-linux-gnu-ar
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    cargo build --release --locked --target "$TARGET" --package api --package audit
  programs=$(target_directory)/$TARGET/release
  say "$(emulated "$programs/server" --version)"
  say "$(emulated "$programs/reserves-audit" --version)"
  address=127.0.0.1:$(free_port)
  start_server "$address" "sqlite:$SCRATCH/arm64.sqlite" "$SCRATCH/server.log" qemu-aarch64 -L /usr/aarch64-linux-gnu "$programs/server" || {
    tail -n 20 "$SCRATCH/server.log"
    die 'the server did not start; see above.'
  }
  say 'ok: the server starts'
  token=$(node .scripts/sign-in.mjs "http://$address")
  # shellcheck disable=SC2016 # for Node
  node --input-type=module -e '
    const [origin, token] = process.argv.slice(1);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const samples = await (await fetch(`${origin}/api/functions/v1/development-samples`, { headers })).json();
    const { psbt_base64 } = samples.find(({ file_name }) => file_name === "self-transfer.psbt");
    const body = JSON.stringify({ psbtBase64: psbt_base64, utxos: [], file_name: "a.psbt" });
    const answer = await fetch(`${origin}/api/functions/v1/submit-proof`, { method: "POST", headers, body });
    const said = await answer.json();
    if (answer.status !== 200) throw new Error(JSON.stringify(said));
    console.log(`· ok: a proof is verified: ${said.status}`);
  ' "http://$address" "$token"
}

# emulated PROGRAM ARGUMENT...
emulated() { qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"; }

main "$@"
