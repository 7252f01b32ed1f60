//! Where the kernel enters, and the one system call that returns twice.
//!
//! `warden_spawn(number, a, b)` makes a `clone` or `clone3` call. In the parent it returns the call's result;
//! the child, on a stack of its own, goes to `warden_child` and never comes back. A plain function could not
//! do this: parent and child share memory until the child executes, and must not share a stack.

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".global _start",
    "_start:",
    "xor ebp, ebp",
    "and rsp, -16",
    "call warden_main",
    "ud2",
    ".global warden_spawn",
    "warden_spawn:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "xor edx, edx",
    "xor r10d, r10d",
    "xor r8d, r8d",
    "syscall",
    "test rax, rax",
    "jz 2f",
    "ret",
    "2:",
    "xor ebp, ebp",
    "call warden_child",
    "ud2",
);

#[cfg(target_arch = "aarch64")]
core::arch::global_asm!(
    ".global _start",
    "_start:",
    "mov x29, #0",
    "mov x30, #0",
    "bl warden_main",
    "brk #1",
    ".global warden_spawn",
    "warden_spawn:",
    "mov x8, x0",
    "mov x0, x1",
    "mov x1, x2",
    "mov x2, #0",
    "mov x3, #0",
    "mov x4, #0",
    "svc #0",
    "cbz x0, 2f",
    "ret",
    "2:",
    "mov x29, #0",
    "mov x30, #0",
    "bl warden_child",
    "brk #1",
);

unsafe extern "C" {
    /// See the module's documentation.
    pub fn warden_spawn(number: usize, a: usize, b: usize) -> isize;
}
