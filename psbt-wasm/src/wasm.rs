//! The whole JavaScript surface: a few functions, plain objects out, `PsbtError` thrown.
//!
//! Conversion only. What the functions mean is in the crate; how their results look is in `js/index.d.ts`,
//! which is also the declaration file of the npm package. A report crosses the boundary as one packed buffer,
//! which was measured to be several times quicker than an object built property by property.
//!
//! The npm package has two modules: one with the feature `report` alone, which is small and loads first, and one
//! with the feature `signatures`, which loads when it is needed. What they exchange with JavaScript is bytes, and the
//! files of `js` make objects of them. Any other choice of features, as wasm-pack makes it, is one module whose
//! functions are complete in themselves.
#![allow(
    unreachable_pub,
    reason = "wasm-bindgen takes only functions that are public by name"
)]

#[cfg(in_package)]
mod allocator;
#[cfg(in_package)]
mod answer;
#[cfg(any(feature = "bitcoin", feature = "signatures"))]
mod no_signing_table;
#[cfg(not(in_package))]
mod objects;
#[cfg(feature = "report")]
mod pack;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "signatures")]
mod signatures;
#[cfg(without_std)]
mod without_std;
