//! Watches one command and its job until nothing is left.
//!
//! Hazards: a pid is used again once no handle to its process is open, so the command's own handle is kept for as long
//! as its pid is compared with others. And the process that hosts a console (`conhost.exe`) is counted by the job
//! although nothing in the tree started it; it goes with its last client, or with the job, and is no leftover.

use super::bell::Bell;
use super::handle::{done, owned};
use super::job::Job;
use super::porter::JobRing;
use super::spawn::Spawned;
use runward_core::life::LifeInput;
use runward_core::record::EndedBy;
use std::collections::BTreeSet;
use std::io;
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::task::{Context, Poll};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Threading::{
    GetExitCodeProcess, OpenProcess, PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION,
    QueryFullProcessImageNameW, WaitForSingleObject,
};

/// A command that has not been seen to be gone altogether. Dropping it ends whatever is left.
#[derive(Debug)]
pub(super) struct TreeWatch {
    // Dropped first: nothing rings for a job that is closed.
    bell: Bell,
    door: JobRing,
    process: OwnedHandle,
    pid: u32,
    job: Job,
    exited: bool,
    /// The pids that were told to end after the command itself had.
    chased: BTreeSet<u32>,
}

impl TreeWatch {
    pub(super) fn over(spawned: Spawned, job: Job, door: JobRing) -> io::Result<Self> {
        let Spawned { process, pid } = spawned;
        let bell = Bell::on(process.try_clone()?)?;
        Ok(Self { bell, door, process, pid, job, exited: false, chased: BTreeSet::new() })
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn poll(&mut self, cx: &Context<'_>) -> Poll<LifeInput> {
        if self.exited { self.poll_emptied(cx) } else { self.poll_exited(cx) }
    }

    fn poll_exited(&mut self, cx: &Context<'_>) -> Poll<LifeInput> {
        if !self.has_ended() {
            // A bell on an object that was signalled meanwhile rings at once.
            self.bell.arm(cx);
            return Poll::Pending;
        }
        self.exited = true;
        let notice = self.exit_code().and_then(|code| {
            let others = !self.others()?.is_empty();
            Ok(LifeInput::Exited { how: EndedBy::Exited(code), others })
        });
        Poll::Ready(notice.unwrap_or(LifeInput::Lost))
    }

    fn poll_emptied(&mut self, cx: &Context<'_>) -> Poll<LifeInput> {
        self.door.ring.listen(cx);
        match self.others() {
            Ok(others) if others.is_empty() => {
                let outlived = u32::try_from(self.chased.len()).unwrap_or(u32::MAX);
                Poll::Ready(LifeInput::Emptied { outlived })
            }
            Ok(_) => Poll::Pending,
            Err(_) => Poll::Ready(LifeInput::Lost),
        }
    }

    fn has_ended(&self) -> bool {
        // SAFETY: the handle is ours and open; no time is waited.
        unsafe { WaitForSingleObject(self.process.as_raw_handle(), 0) == WAIT_OBJECT_0 }
    }

    fn exit_code(&self) -> io::Result<i32> {
        let mut code = 0;
        // SAFETY: the handle is ours and open, and the answer is ours to write to.
        done(unsafe { GetExitCodeProcess(self.process.as_raw_handle(), &raw mut code) })?;
        Ok(code.cast_signed())
    }

    /// Every process in the job but the command itself and the hosts of consoles.
    fn others(&self) -> io::Result<Vec<u32>> {
        let mut members = self.job.members()?;
        members.retain(|pid| *pid != self.pid && !hosts_a_console(*pid));
        Ok(members)
    }

    /// To be called before anything is told to end: after the command's own end, every process told outlived it.
    fn chase(&mut self) {
        if self.has_ended()
            && let Ok(others) = self.others()
        {
            self.chased.extend(others);
        }
    }

    pub(super) fn ask_to_end(&mut self) {
        self.chase();
        super::signal::ask_to_end(self.pid);
    }

    pub(super) fn sweep(&mut self) {
        self.chase();
        self.job.terminate();
    }
}

fn hosts_a_console(pid: u32) -> bool {
    image(pid).is_ok_and(|image| {
        let end: Vec<u16> = r"\system32\conhost.exe".encode_utf16().collect();
        let lower: Vec<u16> = image.iter().map(|unit| lowered(*unit)).collect();
        lower.ends_with(&end)
    })
}

fn lowered(unit: u16) -> u16 {
    u8::try_from(unit).map_or(unit, |byte| u16::from(byte.to_ascii_lowercase()))
}

/// The file that a process runs.
fn image(pid: u32) -> io::Result<Vec<u16>> {
    // SAFETY: asks for a new handle, which is not inherited.
    let made = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) };
    // SAFETY: it is new, so it has no other owner.
    let process = unsafe { owned(made) }?;
    let mut name = vec![0_u16; 1024];
    let mut len = 1024;
    // SAFETY: the process is open, and the buffer is as long as is said.
    done(unsafe {
        QueryFullProcessImageNameW(
            process.as_raw_handle(),
            PROCESS_NAME_WIN32,
            name.as_mut_ptr(),
            &raw mut len,
        )
    })?;
    name.truncate(len as usize);
    Ok(name)
}
