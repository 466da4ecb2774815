//! The whole JavaScript surface: a few functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. The crate defines what the functions mean; `js/index.d.ts`, the declaration file of the npm package, defines
//! their results. A report crosses the boundary as one packed buffer, which is several times faster than building an object
//! property by property.
//!
//! The npm package has two modules: the small reader, which loads first, and the tools (feature `tools`), which load when they are
//! needed. They exchange bytes with JavaScript, and the files of `js` make objects of them. Only these two modules are built with
//! the configuration `psbt_wasm_package`, which `xtask` sets: they bring an allocator and a panic handler, and a crate that depends
//! on this one has its own. Any other build with the feature `exports`, such as wasm-pack's, is one module that needs no JavaScript files.
#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]

#[cfg(all(target_arch = "wasm32", psbt_wasm_package))]
mod allocator;
#[cfg(all(target_arch = "wasm32", psbt_wasm_package))]
mod answer;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod for_reader;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod frames;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod inspect;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod json;
#[cfg(any(
    test,
    all(
        target_arch = "wasm32",
        feature = "exports",
        not(all(psbt_wasm_package, feature = "tools"))
    )
))]
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code, reason = "for a test"))]
mod layout;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod make;
#[cfg(all(target_arch = "wasm32", feature = "tools"))]
mod no_signing_table;
#[cfg(all(target_arch = "wasm32", feature = "exports", not(psbt_wasm_package)))]
mod objects;
#[cfg(all(
    target_arch = "wasm32",
    feature = "exports",
    not(all(psbt_wasm_package, feature = "tools"))
))]
mod pack;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod proof;
#[cfg(all(
    target_arch = "wasm32",
    feature = "exports",
    not(all(psbt_wasm_package, feature = "tools"))
))]
mod report;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod signatures;
#[cfg(all(target_arch = "wasm32", feature = "exports", feature = "tools"))]
mod signed_message;
#[cfg(all(target_arch = "wasm32", psbt_wasm_package))]
mod without_std;
