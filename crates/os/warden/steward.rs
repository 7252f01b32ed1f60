//! The steward: makes wardens, and lets nothing of a killed one live.
//!
//! A command may kill its own warden. Its processes are then handed up to the steward (subreaper), which has no other
//! children than wardens: every other process below it is killed.

use crate::sys::{self, ECHILD, MOST_FDS, O_CLOEXEC, O_RDWR, POLLIN, Poll};
use crate::wire::Step;
use crate::{STEWARD_SOCKET, proc, tree, warden, wire};

/// How many wardens there can be at a time.
const MOST: usize = 1 << 14;

static mut WARDENS: [i32; MOST] = [0; MOST];

/// Where the steward keeps its socket: its standard input is given to /dev/null.
const SOCKET: i32 = 3;

struct Steward {
    wardens: &'static mut [i32; MOST],
    count: usize,
    children: i32,
    /// A warden died of a signal: its orphans may have been handed up.
    alarmed: bool,
    orphaned: bool,
}

pub fn serve() -> ! {
    settle();
    // SAFETY: this is the only place that takes it, and it is reached once.
    let wardens = unsafe { &mut *core::ptr::addr_of_mut!(WARDENS) };
    let mut steward =
        Steward { wardens, count: 0, children: sys::child_signals(), alarmed: false, orphaned: false };
    loop {
        steward.turn();
    }
}

/// A session of its own, no signals, no descriptors but the socket, nothing inherited that was ignored. What this host
/// forbids is told: without it a command's end would not be heard, or it would see what is Runward's.
fn settle() {
    require(Step::Signals, sys::block_signals());
    sys::default_signals();
    sys::new_session();
    require(Step::Subreaper, sys::become_subreaper());
    // A tree could not be walked.
    require(Step::Processes, proc::readable());
    require(Step::Waiting, sys::wait(&mut [], Some(0)));
    match sys::reap(&mut 0) {
        ECHILD => {}
        error => require(Step::Reaping, error.min(-1)),
    }
    require(Step::Descriptors, sys::dup_to(STEWARD_SOCKET, SOCKET, O_CLOEXEC));
    let closed = sys::close_from(SOCKET + 1);
    if closed < 0 && !proc::close_from(SOCKET + 1) {
        require(Step::Closing, closed);
    }
    let null = sys::open_at(sys::AT_FDCWD, b"/dev/null\0", O_RDWR | O_CLOEXEC);
    require(Step::Nothing, null as isize);
    for fd in 1..3 {
        require(Step::Descriptors, sys::dup_to(null, fd, 0));
    }
    // Last: until now it was the way to tell.
    sys::dup_to(null, STEWARD_SOCKET, 0);
    sys::close(null);
}

/// Ends this process where a step that it cannot do without failed, and tells which.
fn require(step: Step, result: isize) {
    if result < 0 {
        wire::report_unfit(STEWARD_SOCKET, step, result);
        sys::exit(74);
    }
}

impl Steward {
    fn turn(&mut self) {
        let listening = if self.orphaned { -1 } else { SOCKET };
        let mut fds = [
            Poll { fd: listening, events: POLLIN, found: 0 },
            Poll { fd: self.children, events: POLLIN, found: 0 },
        ];
        sys::wait(&mut fds, self.patience());
        if fds[1].found != 0 || self.alarmed || self.children < 0 {
            self.reap();
        }
        if fds[0].found != 0 {
            self.hear();
        }
        if self.orphaned && self.count == 0 && !self.alarmed {
            sys::exit(0);
        }
    }

    fn patience(&self) -> Option<u64> {
        match (self.alarmed, self.children < 0 && self.count > 0) {
            (true, _) => Some(2),
            (_, true) => Some(sys::UNTOLD_MS),
            _ => None,
        }
    }

    fn hear(&mut self) {
        let mut head = [0_u8; 8];
        let mut fds = [-1; MOST_FDS];
        let got = sys::receive(SOCKET, &mut head, &mut fds);
        if got <= 0 {
            if got < 0 {
                wire::report_unfit(SOCKET, Step::Hearing, got);
            }
            self.orphaned = true;
            return;
        }
        let kind = u32::from(head[4]);
        if kind == wire::ENLIST_AFTER {
            self.bury(i32::from_le_bytes([head[0], head[1], head[2], head[3]]));
        }
        if fds[0] >= 0 && [wire::ENLIST, wire::ENLIST_APART, wire::ENLIST_AFTER].contains(&kind) {
            self.enlist(fds[0], kind == wire::ENLIST_APART);
        }
    }

    /// Waits until a warden that was lost, and whatever it left, is gone. Its socket has ended, so it is as good as dead.
    fn bury(&mut self, pid: i32) {
        const PASSES: usize = 1000;
        if pid > 0 && self.wardens[..self.count].contains(&pid) {
            let mut status = 0;
            sys::kill(pid, sys::SIGKILL);
            if sys::reap_this(pid, &mut status) == pid as isize {
                self.dismiss(pid, sys::SIGKILL);
            }
        }
        for _ in 0..PASSES {
            self.reap();
            if !self.alarmed {
                return;
            }
            sys::wait(&mut [], Some(2));
        }
    }

    fn enlist(&mut self, socket: i32, apart: bool) {
        // The end of the socket tells Runward if there is no place or no process to be had.
        if self.count < MOST {
            match if apart { sys::fork_apart() } else { sys::fork() } {
                0 => become_warden(socket, self.children, apart),
                pid if pid > 0 => {
                    self.wardens[self.count] = pid as i32;
                    self.count += 1;
                }
                error => wire::report_unfit(socket, Step::Fork, error),
            }
        }
        sys::close(socket);
    }

    fn reap(&mut self) {
        let mut drained = [0_u8; 128];
        while sys::read(self.children, &mut drained) > 0 {}
        let mut status = 0;
        loop {
            match sys::reap_or_stopped(&mut status) {
                ECHILD => {
                    self.alarmed = false;
                    return;
                }
                pid if pid <= 0 => break,
                // A warden that was stopped watches nothing: it is ended, and its tree handed up.
                pid if sys::is_stopped(status) => drop(sys::kill(pid as i32, sys::SIGKILL)),
                pid => self.dismiss(pid as i32, status),
            }
        }
        if self.alarmed {
            let wardens = &self.wardens[..self.count];
            let strangers = tree::signal_below(sys::SIGKILL, &|pid| wardens.contains(&pid));
            // A process that has just ended may have left another behind: the alarm ends with a pass that finds none.
            self.alarmed = strangers.any > 0;
        }
    }

    /// Takes a warden off the list. A pid that is not on it was handed up, and where one came from there may be more.
    fn dismiss(&mut self, pid: i32, status: i32) {
        let Some(at) = self.wardens[..self.count].iter().position(|warden| *warden == pid) else {
            self.alarmed = true;
            return;
        };
        self.count -= 1;
        self.wardens[at] = self.wardens[self.count];
        self.alarmed |= status != 0;
    }
}

fn become_warden(socket: i32, children: i32, apart: bool) -> ! {
    sys::close(SOCKET);
    sys::close(children);
    let shown = if apart { sys::mount_own_proc() } else { 0 };
    if shown < 0 {
        wire::report_unfit(socket, Step::Proc, shown);
        sys::exit(73);
    }
    warden::serve(socket, apart)
}
