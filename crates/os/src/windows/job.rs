//! The job object that holds one command's tree together.
//!
//! Only Runward holds the job, and it kills on close: when Runward ends, however it ends, the kernel closes
//! the handle and ends the tree. Nothing in the job may leave it, because leave to do so is never given.
//! What another program starts on a command's behalf (a service, a scheduled task) was never in it.

use super::handle::{done, owned};
use runward_core::facts::Keeper;
use runward_core::plan::Draft;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsHandle, AsRawHandle, BorrowedHandle, OwnedHandle};
use std::ptr::{null, null_mut};
use windows_sys::Win32::Foundation::ERROR_MORE_DATA;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, IsProcessInJob, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_ASSOCIATE_COMPLETION_PORT,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS, JobObjectAssociateCompletionPortInformation,
    JobObjectBasicProcessIdList, JobObjectExtendedLimitInformation, QueryInformationJobObject,
    SetInformationJobObject, TerminateJobObject,
};

/// What a swept process returns, as it does when it is ended from the task manager.
const SWEPT: u32 = 1;

/// Words that the two counters before a list of processes fill.
const COUNTERS: usize = 8 / size_of::<usize>();

/// One command's job.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    /// A job that keeps the limits that the draft says a job keeps.
    pub(super) fn of(draft: &Draft) -> io::Result<Self> {
        // SAFETY: no attributes and no name: a new job that is not inherited.
        let made = unsafe { CreateJobObjectW(null(), null()) };
        // SAFETY: it is new, so it has no other owner.
        let job = Self(unsafe { owned(made) }?);
        job.set(JobObjectExtendedLimitInformation, &limits(draft))?;
        Ok(job)
    }

    /// Has the port told of what happens in the job, under this key.
    pub(super) fn report_to(&self, port: BorrowedHandle<'_>, key: usize) -> io::Result<()> {
        let route = JOBOBJECT_ASSOCIATE_COMPLETION_PORT {
            CompletionKey: std::ptr::without_provenance_mut(key),
            CompletionPort: port.as_raw_handle(),
        };
        self.set(JobObjectAssociateCompletionPortInformation, &route)
    }

    fn set<T>(&self, class: JOBOBJECTINFOCLASS, value: &T) -> io::Result<()> {
        let size = size_of::<T>() as u32;
        // SAFETY: the job is open, and the class belongs to a structure of this type and size.
        done(unsafe {
            SetInformationJobObject(self.0.as_raw_handle(), class, (&raw const *value).cast(), size)
        })
    }

    /// Makes sure that a process is in the job.
    pub(super) fn hold(&self, process: BorrowedHandle<'_>) -> io::Result<()> {
        let mut inside = 0;
        // SAFETY: both handles are open, and the answer is ours to write to.
        done(unsafe { IsProcessInJob(process.as_raw_handle(), self.0.as_raw_handle(), &raw mut inside) })?;
        if inside != 0 {
            return Ok(());
        }
        // SAFETY: both handles are open.
        done(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process.as_raw_handle()) })
    }

    /// The pid of every process in the job.
    pub(super) fn members(&self) -> io::Result<Vec<u32>> {
        let mut room = 32;
        loop {
            let mut words = vec![0_usize; COUNTERS + room];
            match self.list(&mut words) {
                Ok(()) => {}
                Err(error) if is_more(&error) && room < 1 << 20 => {
                    room *= 4;
                    continue;
                }
                Err(error) => return Err(error),
            }
            // The second counter says how many pids follow.
            let listed = second_counter(&words).min(room);
            let numbers = words[COUNTERS..COUNTERS + listed].iter();
            return Ok(numbers.filter_map(|number| u32::try_from(*number).ok()).collect());
        }
    }

    fn list(&self, words: &mut [usize]) -> io::Result<()> {
        let size = size_of_val(words) as u32;
        // SAFETY: the buffer is aligned for the structure and as large as is said.
        done(unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                JobObjectBasicProcessIdList,
                words.as_mut_ptr().cast(),
                size,
                null_mut(),
            )
        })
    }

    /// Ends everything in the job. What cannot be ended now is ended when the job closes.
    pub(super) fn terminate(&self) {
        // SAFETY: the job is open.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), SWEPT) };
    }
}

impl AsHandle for Job {
    fn as_handle(&self) -> BorrowedHandle<'_> {
        self.0.as_handle()
    }
}

fn is_more(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_MORE_DATA.cast_signed())
}

fn second_counter(words: &[usize]) -> usize {
    let bytes: Vec<u8> = words[..COUNTERS].iter().flat_map(|word| word.to_ne_bytes()).collect();
    u32::from_ne_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]) as usize
}

fn limits(draft: &Draft) -> JOBOBJECT_EXTENDED_LIMIT_INFORMATION {
    let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    // A command that crashes ends, instead of opening a window that no person sees.
    let mut flags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
    if let Some(bytes) = draft.limit_by("memory_bytes", Keeper::Job) {
        flags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
        limits.JobMemoryLimit = usize::try_from(bytes).unwrap_or(usize::MAX);
    }
    if let Some(count) = draft.limit_by("processes", Keeper::Job) {
        flags |= JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
        limits.BasicLimitInformation.ActiveProcessLimit = u32::try_from(count).unwrap_or(u32::MAX);
    }
    limits.BasicLimitInformation.LimitFlags = flags;
    limits
}
