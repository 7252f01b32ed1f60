//! Starts one process, inside its job from the first instruction on.
//!
//! Hazards, and the order that answers them:
//! * A process that starts running before it is in its job could start others outside. So it is created in
//!   the job, suspended; that it is in the job is checked; only then does it run.
//! * If Runward is killed between these steps, the process is in the job already, and the job dies with us.
//! * Handles that can be inherited would reach whatever else this process starts meanwhile. So ours cannot
//!   be; copies that can are made for this one call, named one by one, and closed after it.

use super::attributes::Attributes;
use super::handle::{done, owned};
use super::job::Job;
use std::ffi::c_void;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, OwnedHandle};
use std::ptr::{null, null_mut};
use windows_sys::Win32::Foundation::{DUPLICATE_SAME_ACCESS, DuplicateHandle, HANDLE};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED, CREATE_UNICODE_ENVIRONMENT, CreateProcessW,
    EXTENDED_STARTUPINFO_PRESENT, GetCurrentProcess, PROCESS_INFORMATION, ResumeThread, STARTF_USESTDHANDLES,
    STARTUPINFOEXW, TerminateProcess,
};

const FLAGS: u32 = CREATE_SUSPENDED
    | CREATE_NEW_PROCESS_GROUP
    | CREATE_NO_WINDOW
    | CREATE_UNICODE_ENVIRONMENT
    | EXTENDED_STARTUPINFO_PRESENT;

/// Everything about a process to be started. Texts end with a NUL.
pub(super) struct SpawnOrder<'a> {
    pub(super) program: &'a [u16],
    pub(super) line: Vec<u16>,
    pub(super) environment: Vec<u16>,
    pub(super) cwd: &'a [u16],
    pub(super) streams: [BorrowedHandle<'a>; 3],
}

/// A process that runs.
pub(super) struct Spawned {
    pub(super) process: OwnedHandle,
    pub(super) pid: u32,
}

/// Starts a process in a job.
pub(super) fn spawn(order: SpawnOrder<'_>, job: &Job) -> io::Result<Spawned> {
    let held = create(order, job)?;
    job.hold(held.process()?.as_handle())?;
    held.resume()
}

/// A process that does not run yet. Dropping it ends it.
struct SuspendedProcess {
    process: Option<OwnedHandle>,
    thread: OwnedHandle,
    pid: u32,
}

impl SuspendedProcess {
    fn process(&self) -> io::Result<&OwnedHandle> {
        self.process.as_ref().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn resume(mut self) -> io::Result<Spawned> {
        // SAFETY: the thread is the process' only one, suspended once, and its handle is open.
        if unsafe { ResumeThread(self.thread.as_raw_handle()) } == u32::MAX {
            return Err(io::Error::last_os_error());
        }
        let process = self.process.take().ok_or(io::ErrorKind::NotFound)?;
        Ok(Spawned { process, pid: self.pid })
    }
}

impl Drop for SuspendedProcess {
    fn drop(&mut self) {
        if let Some(process) = &self.process {
            // SAFETY: the handle is open; the process never ran.
            unsafe { TerminateProcess(process.as_raw_handle(), 1) };
        }
    }
}

fn create(mut order: SpawnOrder<'_>, job: &Job) -> io::Result<SuspendedProcess> {
    let streams = Copies::of(order.streams)?;
    let inherited = streams.distinct();
    let jobs = [job.as_handle().as_raw_handle()];
    let mut attributes = Attributes::of(&inherited, &jobs)?;
    let mut startup = STARTUPINFOEXW::default();
    startup.StartupInfo.cb = size_of::<STARTUPINFOEXW>() as u32;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    [startup.StartupInfo.hStdInput, startup.StartupInfo.hStdOutput, startup.StartupInfo.hStdError] =
        streams.raw();
    startup.lpAttributeList = attributes.as_ptr();
    let mut made = PROCESS_INFORMATION::default();
    // SAFETY: every text ends with a NUL, the line may be written to, and all of it outlives the call.
    done(unsafe {
        CreateProcessW(
            order.program.as_ptr(),
            order.line.as_mut_ptr(),
            null(),
            null(),
            1,
            FLAGS,
            order.environment.as_ptr().cast::<c_void>(),
            order.cwd.as_ptr(),
            (&raw const startup).cast(),
            &raw mut made,
        )
    })?;
    // SAFETY: the call succeeded, so both handles are open and ours.
    let process = unsafe { OwnedHandle::from_raw_handle(made.hProcess) };
    // SAFETY: as above.
    let thread = unsafe { OwnedHandle::from_raw_handle(made.hThread) };
    Ok(SuspendedProcess { process: Some(process), thread, pid: made.dwProcessId })
}

/// Copies of the standard streams that can be inherited. Streams that are one stay one.
struct Copies {
    copies: Vec<OwnedHandle>,
    place: [usize; 3],
}

impl Copies {
    fn of(streams: [BorrowedHandle<'_>; 3]) -> io::Result<Self> {
        let mut copies = Vec::new();
        let mut place = [0; 3];
        for (at, stream) in streams.iter().enumerate() {
            let same = (0..at).find(|before| streams[*before].as_raw_handle() == stream.as_raw_handle());
            place[at] = match same {
                Some(before) => place[before],
                None => {
                    copies.push(inheritable(*stream)?);
                    copies.len() - 1
                }
            };
        }
        Ok(Self { copies, place })
    }

    fn distinct(&self) -> Vec<HANDLE> {
        self.copies.iter().map(AsRawHandle::as_raw_handle).collect()
    }

    fn raw(&self) -> [HANDLE; 3] {
        self.place.map(|at| self.copies[at].as_raw_handle())
    }
}

fn inheritable(handle: BorrowedHandle<'_>) -> io::Result<OwnedHandle> {
    let mut copy = null_mut();
    // SAFETY: the handle that stands for this process needs no closing.
    let own = unsafe { GetCurrentProcess() };
    // SAFETY: the handle is open, and the copy is ours to write to.
    done(unsafe {
        DuplicateHandle(own, handle.as_raw_handle(), own, &raw mut copy, 0, 1, DUPLICATE_SAME_ACCESS)
    })?;
    // SAFETY: the call succeeded, so the copy is open and ours.
    unsafe { owned(copy) }
}
