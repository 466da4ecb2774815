//! `readPsbt`. The report crosses the boundary as one packed buffer, which is several times faster than building an object property by
//! property.

mod layout;
#[cfg(target_arch = "wasm32")]
mod pack;

#[cfg(target_arch = "wasm32")]
pub(super) use pack::packed;
