//! The allocator of the npm package's modules: a tenth of the size of the standard library's.

use lol_alloc::{FreeListAllocator, LockedAllocator};

/// A call allocates a few dozen blocks, mostly large ones, so the simplest allocator is as quick as any.
#[global_allocator]
static ALLOCATOR: LockedAllocator<FreeListAllocator> =
    LockedAllocator::new(FreeListAllocator::new());
