//! `readPsbt`. The report crosses the boundary as one packed buffer, which is several times faster than building an object property by
//! property.

mod layout;
#[cfg(target_arch = "wasm32")]
mod pack;

#[cfg(all(target_arch = "wasm32", not(all(psbt_wasm_package, feature = "tools"))))]
pub(super) use pack::packed;
