//! Walks one command from spec to end, and keeps what it printed.

use runward_core::life::{Action, Life, LifeInput, LifeTerms};
use runward_core::output::Stream;
use runward_core::plan::{ExecPlan, Leave, RunId, draft};
use runward_core::policy::{Policy, PolicyGround, judge};
use runward_core::record::End;
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec};
use runward_os::{Child, Disk, Got, Launcher, Notice, SpawnError, probe};
use std::future::Future;
use std::time::{Duration, Instant};
use windows_sys::Win32::Foundation::{CloseHandle, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// A command that ran.
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) end: End,
}

impl Ran {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.stderr.clone()).unwrap()
    }

    /// What follows a mark, line by line.
    pub(crate) fn found(&self, mark: &str) -> Vec<String> {
        let text = self.stdout();
        text.lines().filter_map(|line| line.split_once(mark)).map(|(_, rest)| rest.to_owned()).collect()
    }
}

pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

pub(crate) fn run(spec: &CommandSpec) -> Ran {
    block_on(async { live(launch(spec).await).await })
}

pub(crate) fn refused(spec: &CommandSpec) -> SpawnError {
    block_on(async { begin(&Launcher::new(), spec).await.unwrap_err() })
}

pub(crate) async fn launch(spec: &CommandSpec) -> Child {
    begin(&Launcher::new(), spec).await.unwrap()
}

/// Starts a command; nothing has to be done before.
pub(crate) async fn begin(launcher: &Launcher, spec: &CommandSpec) -> Result<Child, SpawnError> {
    launcher.launch(plan(spec), async { Ok(()) }).await
}

pub(crate) fn plan(spec: &CommandSpec) -> ExecPlan {
    let facts = probe().unwrap();
    let command = resolve(spec, &facts, &Defaults::default(), &Disk).unwrap();
    let ruling = judge(
        &Policy::allow_everything("a test"),
        &command,
        &Caller::library(),
        &PolicyGround { facts: &facts, look: &Disk, contained: false },
    );
    let id = RunId(uuid::Uuid::new_v4());
    let drawn = draft(id, command, Caller::library(), ruling, &facts.abilities).unwrap();
    let Leave::Granted(permit) = drawn.leave() else { panic!("no leave") };
    drawn.seal(permit).unwrap()
}

pub(crate) async fn live(mut child: Child) -> Ran {
    let mut life = Life::begin(LifeTerms::of(child.plan().draft()), Instant::now());
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    loop {
        let limit = life.deadline().unwrap_or_else(|| Instant::now() + Duration::from_secs(60));
        let input = match tokio::time::timeout_at(limit.into(), child.next(true)).await {
            Ok(Notice::Readable(stream)) => {
                let into = if stream == Stream::Stdout { &mut stdout } else { &mut stderr };
                take(&mut child, stream, into)
            }
            Ok(Notice::Life(input)) => Some(input),
            Ok(Notice::Fed) => None,
            Err(_) => Some(LifeInput::Tick),
        };
        for action in input.map(|input| life.on(input, Instant::now())).unwrap_or_default() {
            match action {
                Action::Signal(signal) => child.signal(signal),
                Action::Sweep => child.sweep(),
                Action::Finish(end) => return Ran { stdout, stderr, end },
            }
        }
    }
}

fn take(child: &mut Child, stream: Stream, into: &mut Vec<u8>) -> Option<LifeInput> {
    let mut buffer = [0; 10_000];
    match child.read(stream, &mut buffer) {
        Got::Bytes(len) => {
            into.extend_from_slice(&buffer[..len]);
            Some(LifeInput::Output(stream, len as u64))
        }
        Got::Later => None,
        Got::End => Some(LifeInput::Eof(stream)),
    }
}

/// Reads until a mark was seen so many times, and gives the numbers after it.
pub(crate) async fn read_until(child: &mut Child, mark: &str, times: usize) -> Vec<u32> {
    let mut text = Vec::new();
    loop {
        if let Notice::Readable(stream) = child.next(true).await {
            take(child, stream, &mut text);
        }
        let found = numbers(&String::from_utf8(text.clone()).unwrap(), mark);
        if found.len() >= times {
            return found;
        }
    }
}

/// The numbers that follow a mark, of whole lines.
pub(crate) fn numbers(text: &str, mark: &str) -> Vec<u32> {
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| line.split_once(mark)?.1.trim().parse().ok()).collect()
}

/// Whether a process has ended, or does within a moment.
pub(crate) fn is_gone(pid: u32) -> bool {
    // SAFETY: asks for a new handle, or gets none.
    let process = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, pid) };
    if process.is_null() {
        return true;
    }
    // SAFETY: the handle is open and ours.
    let ended = unsafe { WaitForSingleObject(process, 2_000) } == WAIT_OBJECT_0;
    // SAFETY: as above; it is not used after this.
    unsafe { CloseHandle(process) };
    ended
}
