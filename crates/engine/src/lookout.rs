//! File access with a time limit: on another thread, and only where some file system of this host may hang.
//!
//! # Theory of operation
//!
//! A server runs on one thread, and a look at a file on a mount that hangs (a network, a stopped process) never
//! returns. So a look goes to a thread of its own and is waited for as long as the rules say; then that call fails and
//! the others go on. Handing work to another thread costs tens of microseconds, which is why nothing is handed over while
//! every file system of the host is known to be local: the kernel's list of mounts says so, and one system call without
//! waiting says whether it changed. Which file a look will touch cannot be known before (links, search paths), so one
//! doubtful mount sends all looks aside.
//!
//! A thread that is stuck stays stuck until its file system answers; it cannot be ended. There are [`MOST`] threads at
//! the most, and once all of them are stuck a look fails at once. Where no thread can be made, the caller waits.
//!
//! May not know what is looked at.

use crate::Error;
use runward_core::render::{duration, one_line, word};
use runward_os::{DoubtfulMount, Mounts};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The default wait for a disk.
pub(crate) const DISK_WAIT: Duration = Duration::from_secs(5);

/// The wait of a caller that blocks all others.
const GLANCE: Duration = Duration::from_millis(500);

/// Threads that look, at the most.
const MOST: usize = 16;

/// How long a thread that has nothing to do stays.
const REST: Duration = Duration::from_secs(10);

/// Looks at files for an engine. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Lookout {
    mounts: Arc<Mounts>,
    crew: Arc<Crew>,
    wait: Duration,
}

/// A look that did not return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoAnswer(Duration);

/// Whether a caller still waits for the work.
#[derive(Debug, Clone)]
pub(crate) struct LookInterest(Arc<Mutex<LookStage>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LookStage {
    /// It is not begun.
    Queued,
    Begun,
    /// It has no waiter any more, and was never begun.
    GivenUp,
    /// It has no waiter any more, and a thread is still in it.
    Stuck,
    Done,
}

type AsideJob = Box<dyn FnOnce() + Send>;

#[derive(Debug, Default)]
struct Crew {
    line: Mutex<JobLine>,
    news: Condvar,
}

#[derive(Default)]
struct JobLine {
    jobs: VecDeque<AsideJob>,
    threads: usize,
    idle: usize,
    stuck: usize,
}

impl std::fmt::Debug for JobLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JobLine").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl Lookout {
    pub(crate) fn new(wait: Duration) -> Self {
        Self { mounts: Arc::default(), crew: Arc::default(), wait }
    }

    /// Whether a look may hang.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.mounts.any_doubtful()
    }

    /// The wait for a disk.
    pub(crate) fn wait(&self) -> Duration {
        self.wait
    }

    /// Looks: here where every file system is local, else aside and for as long as the rules say.
    pub(crate) async fn look<T, F>(&self, look: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        if self.is_doubtful() { self.aside(self.wait, |_| look()).await } else { Ok(look()) }
    }

    /// The same for a caller that would block all others: with a short wait, where the file system may hang.
    pub(crate) fn glance<T, F>(&self, look: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        if !self.is_doubtful() {
            return Ok(look());
        }
        let wait = self.wait.min(GLANCE);
        let (told, heard) = std::sync::mpsc::sync_channel(1);
        // A caller that gave up needs no answer.
        let watch = self.hand_over(move |_| drop(told.send(look())))?;
        let answer = heard.recv_timeout(wait).map_err(|_| NoAnswer(wait))?;
        watch.answered();
        Ok(answer)
    }

    /// Does something on another thread, for as long as this. It can ask whether its caller still waits.
    pub(crate) async fn aside<T, F>(&self, wait: Duration, work: F) -> Result<T, NoAnswer>
    where
        T: Send + 'static,
        F: FnOnce(LookInterest) -> T + Send + 'static,
    {
        let (told, heard) = oneshot::channel();
        // A caller that gave up needs no answer.
        let watch = self.hand_over(move |interest| drop(told.send(work(interest))))?;
        match tokio::time::timeout(wait, heard).await {
            Ok(Ok(answer)) => {
                watch.answered();
                Ok(answer)
            }
            _ => Err(NoAnswer(wait)),
        }
    }

    /// Hands work to a thread. The result marks a waiter, until it is dropped.
    fn hand_over(&self, work: impl FnOnce(LookInterest) + Send + 'static) -> Result<LookWait, NoAnswer> {
        let stage = Arc::new(Mutex::new(LookStage::Queued));
        let interest = LookInterest(Arc::clone(&stage));
        let watch = LookWait { stage: Arc::clone(&stage), crew: Arc::clone(&self.crew) };
        match self.crew.take_on(stage, Box::new(move || work(interest))) {
            TakenOn::Yes => {}
            // Better late than not at all: a host without room for one more thread has other troubles.
            TakenOn::NoThread(job) => job(),
            TakenOn::AllStuck => return Err(NoAnswer(Duration::ZERO)),
        }
        Ok(watch)
    }

    /// The error for a caller that needed these files.
    pub(crate) fn error(&self, NoAnswer(within): NoAnswer, needed: &[PathBuf]) -> Error {
        let mounts = self.mounts.doubtful();
        let what = match needed.iter().find_map(|path| around(path, &mounts)) {
            Some(mount) => named(mount),
            None => {
                let names: Vec<String> = mounts.iter().take(NAMED).map(named).collect();
                match names.as_slice() {
                    [] => "a file system that the command needs".to_owned(),
                    [only] => only.clone(),
                    several => format!("one of {}", several.join(", ")),
                }
            }
        };
        let within =
            if within.is_zero() { "before".to_owned() } else { format!("within {}", duration(within)) };
        Error::Unresponsive { what, within }
    }
}

/// File systems that are named in one message.
const NAMED: usize = 3;

fn named(mount: &DoubtfulMount) -> String {
    format!("`{}` ({})", one_line(&word(mount.at.as_os_str())), mount.kind)
}

/// The innermost mount that a path lies on by its text: resolving links could hang.
fn around<'a>(path: &Path, mounts: &'a [DoubtfulMount]) -> Option<&'a DoubtfulMount> {
    let holds = |mount: &&DoubtfulMount| path.starts_with(&mount.at);
    mounts.iter().filter(holds).max_by_key(|mount| mount.at.components().count())
}

impl LookInterest {
    /// It has no waiter any more: work that was not begun should not be.
    pub(crate) fn is_gone(&self) -> bool {
        *lock(&self.0) == LookStage::Stuck
    }
}

/// The waiter. Dropped before the answer came, the work is given up, or its thread is counted as stuck.
struct LookWait {
    stage: Arc<Mutex<LookStage>>,
    crew: Arc<Crew>,
}

impl LookWait {
    /// The answer came: its thread is as good as free.
    fn answered(self) {
        *lock(&self.stage) = LookStage::Done;
    }
}

impl Drop for LookWait {
    fn drop(&mut self) {
        let mut stage = lock(&self.stage);
        match *stage {
            LookStage::Queued => *stage = LookStage::GivenUp,
            LookStage::Begun => {
                *stage = LookStage::Stuck;
                self.crew.lock().stuck += 1;
            }
            LookStage::GivenUp | LookStage::Stuck | LookStage::Done => {}
        }
    }
}

/// Whether a thread took a job on.
enum TakenOn {
    Yes,
    NoThread(AsideJob),
    AllStuck,
}

impl Crew {
    fn take_on(self: &Arc<Self>, stage: Arc<Mutex<LookStage>>, job: AsideJob) -> TakenOn {
        let mut line = self.lock();
        if line.stuck >= MOST {
            return TakenOn::AllStuck;
        }
        if line.idle <= line.jobs.len() && line.threads < MOST {
            let crew = Arc::clone(self);
            match std::thread::Builder::new().name("lookout".to_owned()).spawn(move || crew.serve()) {
                Ok(_) => line.threads += 1,
                Err(_) if line.threads == 0 => return TakenOn::NoThread(job),
                Err(_) => {}
            }
        }
        let crew = Arc::clone(self);
        line.jobs.push_back(Box::new(move || crew.carry_out(&stage, job)));
        drop(line);
        self.news.notify_one();
        TakenOn::Yes
    }

    /// The lock order is stage, then line, as in [`LookWait`].
    fn carry_out(&self, stage: &Mutex<LookStage>, job: AsideJob) {
        {
            let mut stage = lock(stage);
            if *stage == LookStage::GivenUp {
                return;
            }
            *stage = LookStage::Begun;
        }
        // A look that panics is one that never answers; its thread goes on.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
        let mut stage = lock(stage);
        if std::mem::replace(&mut *stage, LookStage::Done) == LookStage::Stuck {
            self.lock().stuck -= 1;
        }
    }

    fn serve(&self) {
        let mut line = self.lock();
        loop {
            if let Some(job) = line.jobs.pop_front() {
                drop(line);
                job();
                line = self.lock();
                continue;
            }
            line.idle += 1;
            let (woken, rested) = self
                .news
                .wait_timeout_while(line, REST, |line| line.jobs.is_empty())
                .unwrap_or_else(PoisonError::into_inner);
            line = woken;
            line.idle -= 1;
            if rested.timed_out() && line.jobs.is_empty() {
                line.threads -= 1;
                return;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, JobLine> {
        lock(&self.line)
    }
}

/// A panic elsewhere leaves it whole: every change is a single step.
fn lock<T>(held: &Mutex<T>) -> MutexGuard<'_, T> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Instant;

    const SHORT: Duration = Duration::from_millis(50);

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    #[test]
    fn what_never_answers_is_given_up_and_others_are_answered() {
        let lookout = Lookout::new(SHORT);
        runtime().block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let stuck = lookout.aside(SHORT, move |_| held.recv().is_err()).await;
            assert_eq!(stuck, Err(NoAnswer(SHORT)));
            assert_eq!(lookout.aside(DISK_WAIT, |_| 7).await, Ok(7));
            assert_eq!(lookout.crew.lock().stuck, 1);
            drop(release);
            testkit::until("its thread is free again", || lookout.crew.lock().stuck == 0);
        });
    }

    #[test]
    fn once_every_thread_is_stuck_a_look_fails_at_once_until_one_is_free() {
        let lookout = Lookout::new(SHORT);
        runtime().block_on(async {
            let mut releases = Vec::new();
            for _ in 0..MOST {
                let (release, held) = mpsc::channel::<()>();
                lookout.aside(SHORT, move |_| held.recv().is_err()).await.unwrap_err();
                releases.push(release);
            }
            let begun = Instant::now();
            assert_eq!(lookout.aside(DISK_WAIT, |_| 7).await, Err(NoAnswer(Duration::ZERO)));
            assert!(begun.elapsed() < DISK_WAIT);
            assert_eq!(lookout.crew.lock().threads, MOST, "no more are made");
            drop(releases);
            testkit::until("they are free again", || lookout.crew.lock().stuck == 0);
            assert_eq!(lookout.aside(DISK_WAIT, |_| 7).await, Ok(7));
        });
    }

    #[test]
    fn a_call_that_is_dropped_gives_its_look_up() {
        let lookout = Lookout::new(SHORT);
        runtime().block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let (begun, has_begun) = mpsc::channel();
            let (told, gone) = mpsc::channel();
            let mut look = Box::pin(lookout.aside(DISK_WAIT, move |interest| {
                begun.send(()).unwrap();
                let _ = held.recv();
                told.send(interest.is_gone()).unwrap();
            }));
            assert!(futures_are_pending(&mut look).await);
            has_begun.recv().unwrap();
            drop(look);
            drop(release);
            assert!(gone.recv().unwrap());
        });
    }

    async fn futures_are_pending<F: Future + Unpin>(future: &mut F) -> bool {
        tokio::select! { biased; _ = future => false, () = std::future::ready(()) => true }
    }

    #[test]
    fn a_look_that_panics_costs_only_itself() {
        let lookout = Lookout::new(DISK_WAIT);
        runtime().block_on(async {
            let panicked: Result<(), _> = lookout.aside(DISK_WAIT, |_| panic!("a test")).await;
            panicked.unwrap_err();
            assert_eq!(lookout.aside(DISK_WAIT, |_| 7).await, Ok(7));
        });
    }

    #[test]
    fn the_innermost_mount_is_named() {
        let mount = |at: &str| DoubtfulMount { at: at.into(), kind: "nfs4".to_owned() };
        let all = [mount("/mnt"), mount("/mnt/a"), mount("/mnt/ab")];
        assert_eq!(around(Path::new("/mnt/a/b"), &all), Some(&all[1]));
        assert_eq!(around(Path::new("/home"), &all), None);
    }
}
