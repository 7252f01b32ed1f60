//! Rings a task when a kernel object becomes signalled, by a wait of the system's thread pool.
//!
//! Hazard: the pool may be in the middle of a callback when the bell is taken down. So taking it down first disarms it,
//! then waits for a callback that has begun, and only then frees what the callback looks at. The object is owned, so it
//! cannot be closed (and its handle used again) during the wait.

use super::ring::Ring;
use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::ptr::null;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;
use windows_sys::Win32::System::Threading::{
    CloseThreadpoolWait, CreateThreadpoolWait, PTP_CALLBACK_INSTANCE, PTP_WAIT, SetThreadpoolWait,
    WaitForThreadpoolWaitCallbacks,
};

/// A bell on one kernel object.
#[derive(Debug)]
pub(super) struct Bell {
    wait: PTP_WAIT,
    object: OwnedHandle,
    // Boxed: the pool knows its address.
    rope: Box<Rope>,
}

#[derive(Debug, Default)]
struct Rope {
    ring: Ring,
    armed: AtomicBool,
}

impl Bell {
    pub(super) fn on(object: OwnedHandle) -> io::Result<Self> {
        let rope = Box::<Rope>::default();
        let context = (&raw const *rope).cast_mut().cast::<c_void>();
        // SAFETY: the rope lives until `drop` has made sure that no callback runs any more.
        let wait = unsafe { CreateThreadpoolWait(Some(pulled), context, null()) };
        if wait == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { wait, object, rope })
    }

    /// Wakes the task once the object is signalled, also if it is already.
    pub(super) fn arm(&self, cx: &Context<'_>) {
        self.rope.ring.listen(cx);
        if !self.rope.armed.swap(true, Ordering::AcqRel) {
            // SAFETY: both the wait and the object are ours and open.
            unsafe { SetThreadpoolWait(self.wait, self.object.as_raw_handle(), null()) };
        }
    }
}

/// Runs on a thread of the pool, once for each time the bell was armed.
unsafe extern "system" fn pulled(_: PTP_CALLBACK_INSTANCE, context: *mut c_void, _: PTP_WAIT, _: u32) {
    // SAFETY: the context is the rope of a bell, which waits for us before it frees it.
    let rope = unsafe { &*context.cast::<Rope>() };
    // First free to be armed again, then the ring: a task that wakes and finds nothing must be able to arm.
    rope.armed.store(false, Ordering::Release);
    rope.ring.ring();
}

impl Drop for Bell {
    fn drop(&mut self) {
        // SAFETY: the wait is ours and open; without an object it is disarmed.
        unsafe { SetThreadpoolWait(self.wait, std::ptr::null_mut(), null()) };
        // SAFETY: as above; callbacks that have begun are waited for, others never run.
        unsafe { WaitForThreadpoolWaitCallbacks(self.wait, 1) };
        // SAFETY: as above; it is not used after this.
        unsafe { CloseThreadpoolWait(self.wait) };
    }
}
