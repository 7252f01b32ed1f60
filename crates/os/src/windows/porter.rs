//! Hears the messages of job objects, on one thread for all of them, and wakes the task that watches the job.
//!
//! A job cannot be waited for; it only sends messages to a completion port, and Windows does not promise that each
//! arrives. So a message is never believed: it wakes the task, which asks the job itself. The job is connected before
//! its first process is born, so none is missed for being early.

use super::handle::{done, owned};
use super::job::Job;
use super::ring::Ring;
use std::collections::HashMap;
use std::io;
use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use windows_sys::Win32::Foundation::INVALID_HANDLE_VALUE;
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatus, PostQueuedCompletionStatus,
};
use windows_sys::Win32::System::Threading::INFINITE;

/// The key that ends the thread.
const GO_HOME: usize = 0;

/// The thread that hears, and its port. Dropping it ends the thread.
#[derive(Debug)]
pub(super) struct Porter {
    lodge: Arc<Lodge>,
    next: AtomicUsize,
}

#[derive(Debug)]
struct Lodge {
    port: OwnedHandle,
    rings: Mutex<HashMap<usize, Arc<Ring>>>,
}

/// The ring for one job. Dropping it takes the job off the list.
#[derive(Debug)]
pub(super) struct JobRing {
    lodge: Arc<Lodge>,
    key: usize,
    pub(super) ring: Arc<Ring>,
}

impl Porter {
    pub(super) fn start() -> io::Result<Self> {
        // SAFETY: without a file this makes a new port.
        let made = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, null_mut(), 0, 1) };
        // SAFETY: it is new, so it has no other owner.
        let port = unsafe { owned(made) }?;
        let lodge = Arc::new(Lodge { port, rings: Mutex::default() });
        let inside = Arc::clone(&lodge);
        std::thread::Builder::new().name("runward-porter".to_owned()).spawn(move || inside.hear())?;
        Ok(Self { lodge, next: AtomicUsize::new(GO_HOME + 1) })
    }

    /// Connects a job that has no process yet.
    pub(super) fn watch(&self, job: &Job) -> io::Result<JobRing> {
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        let ring = Arc::<Ring>::default();
        self.lodge.rings().insert(key, Arc::clone(&ring));
        let door = JobRing { lodge: Arc::clone(&self.lodge), key, ring };
        job.report_to(self.lodge.port.as_handle(), key)?;
        Ok(door)
    }
}

impl Lodge {
    fn hear(&self) {
        while let Ok(key) = self.next() {
            if key == GO_HOME {
                return;
            }
            let ring = self.rings().get(&key).cloned();
            if let Some(ring) = ring {
                ring.ring();
            }
        }
    }

    fn next(&self) -> io::Result<usize> {
        let (mut message, mut key, mut subject) = (0, GO_HOME, null_mut());
        // SAFETY: the port is open, and all three answers are ours to write to.
        done(unsafe {
            GetQueuedCompletionStatus(
                self.port.as_raw_handle(),
                &raw mut message,
                &raw mut key,
                &raw mut subject,
                INFINITE,
            )
        })?;
        Ok(key)
    }

    /// A panic elsewhere leaves the list as it was: every change to it is a single step.
    fn rings(&self) -> MutexGuard<'_, HashMap<usize, Arc<Ring>>> {
        self.rings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Porter {
    fn drop(&mut self) {
        // SAFETY: the port is open. The thread holds it too, so it stays so until the message is heard.
        unsafe { PostQueuedCompletionStatus(self.lodge.port.as_raw_handle(), 0, GO_HOME, null()) };
    }
}

impl Drop for JobRing {
    fn drop(&mut self) {
        self.lodge.rings().remove(&self.key);
    }
}
