//! Makes handles that the system returns into owned ones, and its `BOOL`s into results.

use std::io;
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::core::BOOL;

/// The result of a call that returns a `BOOL`.
pub(super) fn done(answer: BOOL) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A handle that a call has just returned.
///
/// # Safety
///
/// The handle must be invalid, or open and without another owner.
pub(super) unsafe fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: it is open, and the caller says that it has no other owner.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}
