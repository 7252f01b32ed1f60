//! One overlapped read or write at a time on our end of a pipe.
//!
//! Hazards, and what is done about each:
//! * The kernel writes to the buffer until an operation has landed: it lives on the heap behind a pointer, is
//!   not looked at while an operation flies, and is freed only after a flying one was recalled and landed.
//! * An operation that a thread began is cancelled when that thread ends, unless the handle belongs to a
//!   completion port: the handle is given to the thread pool's.
//! * An operation that lands at once causes no callback (the pipe is told so), and the pool must be told that
//!   none is coming; otherwise taking it down would wait for ever.
//! * "Nothing has landed" may be a matter of microseconds. To know for certain, the operation is recalled:
//!   then it either brings its bytes or has taken none.

use super::handle::{done, owned};
use super::ring::Ring;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr::{NonNull, null, null_mut};
use std::task::Context;
use windows_sys::Win32::Foundation::{
    ERROR_IO_INCOMPLETE, ERROR_IO_PENDING, ERROR_OPERATION_ABORTED, GetLastError,
};
use windows_sys::Win32::Storage::FileSystem::{ReadFile, SetFileCompletionNotificationModes, WriteFile};
use windows_sys::Win32::System::IO::{CancelIoEx, GetOverlappedResult, OVERLAPPED};
use windows_sys::Win32::System::Threading::{
    CancelThreadpoolIo, CloseThreadpoolIo, CreateEventW, CreateThreadpoolIo, PTP_CALLBACK_INSTANCE, PTP_IO,
    StartThreadpoolIo, WaitForThreadpoolIoCallbacks,
};

/// Bytes of one operation; also the size asked for the pipe itself.
pub(super) const PARCEL: usize = 64 * 1024;

const SKIP_PORT_ON_SUCCESS: u8 = 1;

/// Where an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flight {
    /// It moved this many bytes.
    Landed(usize),
    /// It is under way.
    Flying,
    /// It was called off and moved nothing.
    Recalled,
    /// The other end is closed.
    Broken,
}

/// Our end of a pipe, with room for one operation.
#[derive(Debug)]
pub(super) struct Transfer {
    pool: PTP_IO,
    pipe: OwnedHandle,
    landed: OwnedHandle,
    parcel: NonNull<Parcel>,
    ring: Box<Ring>,
    flying: bool,
}

struct Parcel {
    overlapped: UnsafeCell<OVERLAPPED>,
    bytes: UnsafeCell<[u8; PARCEL]>,
}

// SAFETY: the parcel is owned like a box; the kernel and the pool do not care which thread asks.
unsafe impl Send for Transfer {}
// SAFETY: everything that touches the parcel takes `&mut self`.
unsafe impl Sync for Transfer {}

impl Transfer {
    pub(super) fn on(pipe: OwnedHandle) -> io::Result<Self> {
        // SAFETY: no attributes, no name: a new event, manual and not yet signalled.
        let made = unsafe { CreateEventW(null(), 1, 0, null()) };
        // SAFETY: it is new, so it has no other owner.
        let landed = unsafe { owned(made) }?;
        // SAFETY: the handle is ours and open.
        done(unsafe { SetFileCompletionNotificationModes(pipe.as_raw_handle(), SKIP_PORT_ON_SUCCESS) })?;
        let ring = Box::<Ring>::default();
        let context = (&raw const *ring).cast_mut().cast::<c_void>();
        // SAFETY: the handle is overlapped and ours; the ring lives until `drop` saw the last callback end.
        let pool = unsafe { CreateThreadpoolIo(pipe.as_raw_handle(), Some(arrived), context, null()) };
        if pool == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { pool, pipe, landed, parcel: new_parcel(), ring, flying: false })
    }

    /// Wakes the task when a flying operation lands. To be called before it is looked at.
    pub(super) fn listen(&self, cx: &Context<'_>) {
        self.ring.listen(cx);
    }

    /// Begins to read, or goes on with what is flying.
    pub(super) fn read(&mut self) -> Flight {
        if self.flying {
            return self.look();
        }
        let (pipe, overlapped, bytes) = self.prepare();
        // SAFETY: the buffer is that large, and it and the block stay where they are until this has landed.
        let answer = unsafe { ReadFile(pipe, bytes, PARCEL as u32, null_mut(), overlapped) };
        self.begun(answer != 0)
    }

    /// Begins to write from the front of these bytes, or goes on with what is flying.
    pub(super) fn write(&mut self, from: &[u8]) -> Flight {
        if self.flying {
            return self.look();
        }
        let len = from.len().min(PARCEL);
        let (pipe, overlapped, bytes) = self.prepare();
        // SAFETY: nothing flies, so the buffer is ours alone, and it is at least that large.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), bytes, len) };
        // SAFETY: the buffer holds that many bytes, and it and the block stay until this has landed.
        let answer = unsafe { WriteFile(pipe, bytes, len as u32, null_mut(), overlapped) };
        self.begun(answer != 0)
    }

    /// Calls a flying operation off and says what it came to.
    pub(super) fn recall(&mut self) -> Flight {
        if !self.flying {
            return Flight::Recalled;
        }
        let overlapped = self.overlapped();
        // SAFETY: the operation was begun on this handle with this block. It may have landed; that is fine.
        unsafe { CancelIoEx(self.pipe.as_raw_handle(), overlapped) };
        self.result(1)
    }

    /// The bytes of the last read.
    pub(super) fn bytes(&self) -> &[u8; PARCEL] {
        assert!(!self.flying, "the kernel may be writing to the buffer");
        // SAFETY: the parcel lives as long as we do; only the address of the buffer is taken.
        let bytes = unsafe { self.parcel.as_ref() }.bytes.get();
        // SAFETY: nothing flies, so the kernel does not write to the buffer while it is borrowed from us.
        unsafe { &*bytes }
    }

    fn overlapped(&self) -> *mut OVERLAPPED {
        // SAFETY: the parcel lives as long as we do; only the address of the block is taken.
        unsafe { self.parcel.as_ref() }.overlapped.get()
    }

    fn prepare(&mut self) -> (*mut c_void, *mut OVERLAPPED, *mut u8) {
        let overlapped = self.overlapped();
        let fresh = OVERLAPPED { hEvent: self.landed.as_raw_handle(), ..OVERLAPPED::default() };
        // SAFETY: nothing flies, so the block is ours alone.
        unsafe { overlapped.write(fresh) };
        // SAFETY: the pool's object is ours and open; each start is answered by a callback or a cancel.
        unsafe { StartThreadpoolIo(self.pool) };
        // SAFETY: the parcel lives as long as we do; only the address of the buffer is taken.
        let bytes = unsafe { self.parcel.as_ref() }.bytes.get().cast::<u8>();
        (self.pipe.as_raw_handle(), overlapped, bytes)
    }

    fn begun(&mut self, at_once: bool) -> Flight {
        // SAFETY: asks for the error of the call just made on this thread.
        let error = if at_once { 0 } else { unsafe { GetLastError() } };
        self.flying = at_once || error == ERROR_IO_PENDING;
        if at_once || !self.flying {
            // SAFETY: it was started, and no callback comes for it.
            unsafe { CancelThreadpoolIo(self.pool) };
        }
        if self.flying { self.look() } else { failed(error) }
    }

    fn look(&mut self) -> Flight {
        self.result(0)
    }

    fn result(&mut self, wait: i32) -> Flight {
        let mut moved = 0;
        let overlapped = self.overlapped();
        // SAFETY: the operation was begun on this handle with this block.
        let ok = unsafe { GetOverlappedResult(self.pipe.as_raw_handle(), overlapped, &raw mut moved, wait) };
        if ok != 0 {
            self.flying = false;
            return Flight::Landed(moved as usize);
        }
        // SAFETY: asks for the error of the call just made on this thread.
        let error = unsafe { GetLastError() };
        if error == ERROR_IO_INCOMPLETE {
            return Flight::Flying;
        }
        self.flying = false;
        failed(error)
    }
}

/// A parcel on the heap, without a stop on the stack.
fn new_parcel() -> NonNull<Parcel> {
    let zeroed = Box::<Parcel>::new_zeroed();
    // SAFETY: a block and a buffer of zeroes are both valid.
    let parcel = unsafe { zeroed.assume_init() };
    NonNull::from(Box::leak(parcel))
}

fn failed(error: u32) -> Flight {
    if error == ERROR_OPERATION_ABORTED { Flight::Recalled } else { Flight::Broken }
}

/// Runs on a thread of the pool when an operation that flew has landed.
unsafe extern "system" fn arrived(
    _: PTP_CALLBACK_INSTANCE,
    context: *mut c_void,
    _: *mut c_void,
    _: u32,
    _: usize,
    _: PTP_IO,
) {
    // SAFETY: the context is the ring of a transfer, which waits for us before it frees it.
    unsafe { &*context.cast::<Ring>() }.ring();
}

impl Drop for Transfer {
    fn drop(&mut self) {
        self.recall();
        // SAFETY: the pool's object is ours; whatever flew has landed, so its callback comes or has come.
        unsafe { WaitForThreadpoolIoCallbacks(self.pool, 0) };
        // SAFETY: as above; it is not used after this.
        unsafe { CloseThreadpoolIo(self.pool) };
        // SAFETY: it came from a box, nothing flies, and no callback is left.
        drop(unsafe { Box::from_raw(self.parcel.as_ptr()) });
    }
}
