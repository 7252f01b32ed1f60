//! What this very process has: the width of its terminal, the files it may open.

use std::mem::MaybeUninit;
use windows_sys::Win32::System::Console::{
    CONSOLE_SCREEN_BUFFER_INFO, GetConsoleScreenBufferInfo, GetStdHandle, STD_ERROR_HANDLE,
};

/// The width of the console that standard error leads to, if it leads to one.
pub(crate) fn terminal_width() -> Option<u16> {
    // SAFETY: takes a constant and gives back a handle that this process owns anyway.
    let console = unsafe { GetStdHandle(STD_ERROR_HANDLE) };
    let mut found = MaybeUninit::<CONSOLE_SCREEN_BUFFER_INFO>::uninit();
    // SAFETY: the call fills the whole structure or fails; a handle that is no console makes it fail.
    if unsafe { GetConsoleScreenBufferInfo(console, found.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: the call above succeeded.
    let window = unsafe { found.assume_init() }.srWindow;
    u16::try_from(i32::from(window.Right) - i32::from(window.Left) + 1).ok()
}

/// There is no such limit here.
pub(crate) fn open_files_limit() -> Option<u64> {
    None
}
