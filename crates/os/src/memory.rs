//! Tells the C library how to keep memory: in one place (`mallopt`), and when to return it (`malloc_trim`).
//!
//! glibc keeps what is free between allocations in use. May not be called often: it walks the whole heap.

/// Gives back what is free. Nothing to do where the allocator does so by itself.
pub fn give_back_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: takes a number of bytes to keep, and touches only memory that is not allocated.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Keeps what all threads allocate in one place. Otherwise each thread gets a place of its own, which grows by single pages:
/// a system call and a page fault for each. For a program with one busy thread, before it makes another.
pub fn keep_memory_together() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: takes two numbers; there is no other thread yet that could be allocating.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
        // SAFETY: as above. What a flood of output needs is not given back and taken again for each piece.
        unsafe { libc::mallopt(libc::M_TRIM_THRESHOLD, 4 << 20) };
    }
}
