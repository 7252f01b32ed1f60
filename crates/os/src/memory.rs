//! Returns freed memory to the host (`malloc_trim`).
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
