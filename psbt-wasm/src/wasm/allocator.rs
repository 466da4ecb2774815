//! The allocators of the npm package's modules.

/// A call of the reader allocates a few dozen blocks, mostly large ones, so the smallest allocator is as fast as any.
#[cfg(not(feature = "tools"))]
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());

/// The tools allocate several blocks for each input. A list of free blocks makes that quadratic: 12 s for 32,000 inputs.
#[cfg(feature = "tools")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;
