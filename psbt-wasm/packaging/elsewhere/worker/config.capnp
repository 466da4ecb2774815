using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "psbt_wasm_bg.wasm", wasm = embed "psbt_wasm_bg.wasm"),
    (name = "psbt_wasm_tools_bg.wasm", wasm = embed "psbt_wasm_tools_bg.wasm"),
    (name = "psbt_wasm_log_bg.wasm", wasm = embed "psbt_wasm_log_bg.wasm"),
  ],
  compatibilityDate = "2026-10-01",
);
