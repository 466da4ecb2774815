//! The two modules of the npm package. They bring an allocator and a panic handler, because they have no standard library.

mod answer;
#[cfg(not(feature = "tools"))]
mod reader;
#[cfg(feature = "tools")]
mod tools;

use core::panic::PanicInfo;

/// A call of the reader allocates a few dozen blocks, mostly large ones, so the smallest allocator is as fast as any.
#[cfg(not(feature = "tools"))]
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());

/// The tools allocate several blocks for each input. A list of free blocks makes that quadratic: 12 s for 32,000 inputs.
#[cfg(feature = "tools")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Traps, which `js/guard.js` reports. No panic message is formatted: a browser could not show it, and the code and texts for it are
/// more than a tenth of a module.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
