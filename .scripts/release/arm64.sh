#!/usr/bin/env bash
# arm64.sh: builds both programs for arm64 on a Debian of another architecture, with Debian's cross compilers, and runs them under qemu: their
# versions, a server's start, and a proof that it verifies with Bitcoin Core's engine. Releases are built on arm64 itself; this only shows
# that the sources are no obstacle. Not optimized, to save an hour.
#
# arm64.sh package: only the package's crate, which must say about the fixtures what it says on this machine.
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
  export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
  export CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc CXX_aarch64_unknown_linux_gnu=aarch64-linux-gnu-g++ AR_aarch64_unknown_linux_gnu=aarch64-linux-gnu-ar
  package_says_the_same
  [ "${1:-}" != package ] || return 0
  build_wasm
  build_web
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

# package_says_the_same: reports, signatures, proofs made and files merged, for every fixture.
package_says_the_same() {
  local target files=$SCRATCH/files
  # Each file after its length, as psbt-wasm/examples/native.rs reads them.
  node -e '
    const { readFileSync, writeFileSync } = require("node:fs");
    const parts = process.argv.slice(2).map((it) => readFileSync(it));
    const length = (it) => new Uint8Array(new Uint32Array([it.length]).buffer);
    writeFileSync(process.argv[1], Buffer.concat(parts.flatMap((it) => [length(it), it])));
  ' "$files" psbt-wasm/tests/node/fixtures/*.psbt psbt-wasm/tests/node/fixtures/*.txn
  cargo build --quiet --locked --package psbt-wasm --features tools --example native
  cargo build --quiet --locked --package psbt-wasm --features tools --example native --target "$TARGET"
  target=$(target_directory)
  "$target/debug/examples/native" <"$files" >"$SCRATCH/here.json"
  emulated "$target/$TARGET/debug/examples/native" <"$files" >"$SCRATCH/there.json"
  if ! [ -s "$SCRATCH/here.json" ] || ! cmp "$SCRATCH/here.json" "$SCRATCH/there.json"; then die 'the package says something else on arm64.'; fi
  say "ok: the package says the same about $(wc -l <"$SCRATCH/here.json") files; $(grep -o '"valid"' "$SCRATCH/here.json" | wc -l) valid signatures among them"
}

# emulated PROGRAM ARGUMENT...
emulated() { qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"; }

main "$@"
