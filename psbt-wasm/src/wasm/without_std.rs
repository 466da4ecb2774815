//! The panic handler of the npm package's modules, which have no standard library. No panic message is formatted: a browser could not
//! show it, and the code and texts for it are more than a tenth of a module.

use core::panic::PanicInfo;

/// Traps, which `js/guard.js` reports.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
