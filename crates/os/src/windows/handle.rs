//! Makes handles that the system returns into owned ones, and its yes or no into results.

use std::io;
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::core::BOOL;

/// What a call that returns a yes or a no came to.
pub(super) fn done(answer: BOOL) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A handle that a call has just returned.
///
/// # Safety
///
/// The handle must be invalid, or open and owned by nobody else.
pub(super) unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open, and the caller says that nobody else owns it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}
