//! The whole JavaScript surface: a few functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. What the functions mean is in the crate; how their results look is in `js/index.d.ts`,
//! which is also the declaration file of the npm package. A report crosses the boundary as one packed buffer,
//! which was measured to be several times quicker than an object built property by property.
//!
//! The npm package has two modules: the reader, which is small and loads first, and the tools, with the feature `tools`, which load when they are needed. What they exchange with JavaScript is bytes, and the
//! files of `js` make objects of them. They alone are built with the configuration `psbt_wasm_package`, which `xtask` sets:
//! an allocator and a way to panic are for whoever builds a module, and a crate that depends on this one has its own. Any
//! other build with the feature `exports`, as wasm-pack makes it, is one module whose functions are complete in themselves.
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
