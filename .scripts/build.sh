# shellcheck shell=bash
# Builds the three parts in their order: the wasm package, the web app that contains it, the server that contains the web app.
# What was built from the very same sources is not built again; cargo sees to that itself, for the rest there are stamps.
# Sourced; needs common.sh.

# node_modules DIRECTORY: npm ci there, unless node_modules was installed from this lock file by this Node.
node_modules() {
  local directory=$1 name wanted output
  name=$(printf '%s' "$directory" | tr / -)-node-modules
  wanted=$( (cd "$ROOT/$directory" && cat package.json package-lock.json && node --version) | sha256)
  if [ -d "$ROOT/$directory/node_modules" ] && stamped "$name" "$wanted"; then return; fi
  say "npm ci in $directory"
  # npm says what is wrong first, and then how it is used at length.
  output=$( (cd "$ROOT/$directory" && npm ci --no-audit --no-fund --loglevel=error) 2>&1 </dev/null) || {
    printf '%s\n' "$output" | sed -n 1,20p
    return 1
  }
  stamp "$name" "$wanted"
}

# build_wasm: psbt-wasm/pkg, the npm package.
build_wasm() {
  local wanted
  node_modules psbt-wasm || return
  wanted=$( (wasm_sources && cd "$ROOT" && rustc --version) | sha256)
  if [ -e "$ROOT/psbt-wasm/pkg/package.json" ] && stamped psbt-wasm-pkg "$wanted"; then return; fi
  say 'building the wasm package'
  (cd "$ROOT" && cargo xtask package) || return
  stamp psbt-wasm-pkg "$wanted"
}

wasm_sources() { hash_of "$ROOT/psbt-wasm" "$ROOT/server/board-log" "$ROOT/.cargo" "$ROOT/Cargo.toml" "$ROOT/Cargo.lock"; }

# build_web: web/dist. Needs the wasm package, which npm links into node_modules.
build_web() {
  local wanted
  node_modules web || return
  wanted=$( (hash_of "$ROOT/web" && cat "$STAMPS/psbt-wasm-pkg" && node --version) | sha256)
  if [ -e "$ROOT/web/dist/index.html" ] && stamped web-dist "$wanted"; then return; fi
  say 'building the web app'
  (cd "$ROOT/web" && npm run build --silent -- --logLevel warn) || return
  stamp web-dist "$wanted"
}

# build_server: the server for development, with web/dist embedded.
build_server() {
  (cd "$ROOT" && cargo build --package api --bin server)
}

# target_directory: where cargo builds, wherever that is configured to be.
target_directory() {
  (cd "$ROOT" && cargo metadata --no-deps --format-version 1) |
    node -e 'process.stdout.write(JSON.parse(require("node:fs").readFileSync(0, "utf8")).target_directory)'
}

# server_program: the server for development.
server_program() { echo "$(target_directory)/debug/server"; }
