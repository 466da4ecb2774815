//! What the standard library would bring to the module that loads first. Without it, no message is made for a panic:
//! a browser could not show it anyway, and its parts were more than a tenth of the module.

use core::panic::PanicInfo;

/// Traps, which `js/guard.js` reports.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
