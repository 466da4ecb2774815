#!/usr/bin/env bash
# .scripts/first-page.sh: how long the very first request waits for the server of ./start, from the moment at which it listens. Fails when that is a
# second or longer. It is built as ./start builds it; where that has been done, it takes half a minute.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.scripts/common.sh
. .scripts/common.sh
# shellcheck source=.scripts/system.sh
. .scripts/system.sh
# shellcheck source=.scripts/build.sh
. .scripts/build.sh

need_rust
need_node
need_compilers
install_missing
{ build_wasm && build_web && build_server; } || die 'the product could not be built; see above.'
node .scripts/first-page.mjs "$(server_program)"
