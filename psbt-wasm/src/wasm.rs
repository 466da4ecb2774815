//! The whole JavaScript surface: a few functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. The crate defines what the functions mean; `js/api.d.ts`, the declaration file of the npm package, defines
//! their results.
//!
//! The npm package has two modules: the small reader, which loads first, and the tools (feature `tools`), which load when they are
//! needed. They exchange bytes with JavaScript, and the files of `js` make objects of them. Only these two modules are built with
//! the configuration `psbt_wasm_package`, which `xtask` sets. Any other build with the feature `exports`, such as wasm-pack's, is one
//! module that needs no JavaScript files.
#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]
#![cfg_attr(
    any(not(target_arch = "wasm32"), all(psbt_wasm_package, feature = "tools")),
    allow(
        dead_code,
        reason = "the reader's half is for its own module, and a test"
    )
)]

#[cfg(all(target_arch = "wasm32", feature = "tools"))]
mod no_signing_table;
#[cfg(all(target_arch = "wasm32", feature = "exports", not(psbt_wasm_package)))]
mod objects;
#[cfg(all(target_arch = "wasm32", psbt_wasm_package))]
mod package;
#[cfg(any(test, all(target_arch = "wasm32", feature = "exports")))]
mod reader;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod tools;

/// A network by its index in the list of `js/report.js`.
#[cfg(all(target_arch = "wasm32", feature = "exports"))]
fn network(index: usize) -> crate::Network {
    let found = crate::Network::ALL.get(index);
    *found.unwrap_or(&crate::Network::Regtest)
}
