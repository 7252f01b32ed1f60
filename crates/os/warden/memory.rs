//! What compiled code expects from a C library: `memcpy` and the like. No allocator.
//!
//! `no_builtins` keeps the compiler from turning these loops into calls of themselves: endless recursion.

/// # Safety
/// As C's `memcpy`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    let mut at = 0;
    while at < len {
        // SAFETY: the caller promises `len` bytes on both sides.
        unsafe { *to.add(at) = *from.add(at) };
        at += 1;
    }
    to
}

/// # Safety
/// As C's `memmove`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, len: usize) -> *mut u8 {
    if (to as usize) <= (from as usize) {
        // SAFETY: copying upwards never overwrites a byte that is still to be read.
        return unsafe { memcpy(to, from, len) };
    }
    let mut at = len;
    while at > 0 {
        at -= 1;
        // SAFETY: the caller promises `len` bytes on both sides.
        unsafe { *to.add(at) = *from.add(at) };
    }
    to
}

/// # Safety
/// As C's `memset`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memset(to: *mut u8, byte: i32, len: usize) -> *mut u8 {
    let mut at = 0;
    while at < len {
        // SAFETY: the caller promises `len` bytes.
        unsafe { *to.add(at) = byte as u8 };
        at += 1;
    }
    to
}

/// # Safety
/// As C's `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let mut at = 0;
    while at < len {
        // SAFETY: the caller promises `len` bytes on both sides.
        let (x, y) = unsafe { (*a.add(at), *b.add(at)) };
        if x != y {
            return i32::from(x) - i32::from(y);
        }
        at += 1;
    }
    0
}

/// Named by the core library's unwind tables; this program never unwinds.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}
