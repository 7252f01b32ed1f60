//! One warden: serves one command after another until its socket ends. May not decide anything: it is told.

use crate::sys::{self, ECHILD, MOST_FDS, POLLIN, Poll};
use crate::{launch, names, tree, wire};
use core::ptr::addr_of_mut;

/// Bodies up to this size need no memory of their own. Pages that are never touched cost nothing.
const ROOM: usize = 64 * 1024;

#[repr(align(16))]
struct Room([u8; ROOM]);
static mut BODY: Room = Room([0; ROOM]);

/// How long a sweep waits before it looks again for what was started meanwhile.
const SWEEP_PAUSE_MS: u64 = 2;

struct Warden {
    socket: i32,
    children: i32,
    /// Whether this is the first process of a pid namespace.
    apart: bool,
    /// The command, while it runs.
    command: Option<i32>,
    /// Whether anything of the tree may still be there.
    busy: bool,
    /// Everything is being killed.
    sweeping: bool,
    /// The command ended, and what is left was told to end since.
    chasing: bool,
    outlived: u32,
    cgroup: i32,
    grace_ms: u64,
    /// Runward is dead; at this time the ladder's last rung is reached.
    orphaned: Option<u64>,
}

pub fn serve(socket: i32, apart: bool) -> ! {
    sys::become_subreaper();
    let mut warden = Warden {
        socket,
        children: sys::child_signals(),
        apart,
        command: None,
        busy: false,
        sweeping: false,
        chasing: false,
        outlived: 0,
        cgroup: -1,
        grace_ms: 0,
        orphaned: None,
    };
    loop {
        warden.turn();
    }
}

impl Warden {
    fn turn(&mut self) {
        let listening = if self.orphaned.is_some() { -1 } else { self.socket };
        let mut fds = [
            Poll { fd: listening, events: POLLIN, found: 0 },
            Poll { fd: self.children, events: POLLIN, found: 0 },
            Poll { fd: names::changes(), events: POLLIN, found: 0 },
        ];
        sys::wait(&mut fds, self.patience());
        names::look(self.socket, fds[2].found != 0);
        if fds[1].found != 0 || (self.children < 0 && self.busy) {
            self.reap();
        }
        if fds[0].found != 0 {
            self.hear();
        }
        if self.orphaned.is_some_and(|at| sys::clock() >= at) {
            self.sweeping = true;
        }
        if self.sweeping && self.busy {
            self.strike();
        }
        if self.orphaned.is_some() && !self.busy {
            sys::exit(0);
        }
    }

    fn patience(&self) -> Option<u64> {
        if self.sweeping {
            return Some(SWEEP_PAUSE_MS);
        }
        let end = self.orphaned.map(|at| at.saturating_sub(sys::clock()));
        let untold = (self.children < 0 && self.busy).then_some(sys::UNTOLD_MS);
        [end, names::pause(), untold].into_iter().flatten().min()
    }

    fn hear(&mut self) {
        let mut head = [0_u8; 8];
        let mut fds = [-1; MOST_FDS];
        if !self.fill(&mut head, &mut fds) {
            return self.bereaved();
        }
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (len, kind) = (word(0) as usize, word(4));
        match kind {
            wire::LAUNCH => self.with_body(len, &fds, Self::launch),
            wire::SIGNAL => {
                let mut signal = [0_u8; 8];
                if self.fill(&mut signal, &mut [-1; MOST_FDS]) {
                    self.signal(i32::from(signal[0]));
                }
            }
            wire::SWEEP => self.sweep(),
            wire::LOOK => self.with_body(len, &fds, Self::look_once),
            _ => sys::exit(71),
        }
    }

    /// Reads until the buffer is full; false at the end of the socket.
    fn fill(&self, into: &mut [u8], fds: &mut [i32; MOST_FDS]) -> bool {
        let mut at = 0;
        while at < into.len() {
            let got = if at == 0 {
                sys::receive(self.socket, &mut into[at..], fds)
            } else {
                sys::read(self.socket, &mut into[at..])
            };
            if got == sys::EINTR {
                continue;
            }
            if got <= 0 {
                return false;
            }
            at += got as usize;
        }
        true
    }

    /// Reads the body of a request and hands it on.
    fn with_body(
        &mut self,
        len: usize,
        fds: &[i32; MOST_FDS],
        then: fn(&mut Self, &mut [u8], &[i32; MOST_FDS]),
    ) {
        if len <= ROOM {
            // SAFETY: one thread, and the body of an earlier launch is no longer used once it was started.
            let room = unsafe { &mut *addr_of_mut!(BODY) };
            return self.filled(&mut room.0[..len], fds, then);
        }
        let at = sys::map(len);
        if at < 0 {
            sys::exit(72);
        }
        // SAFETY: the kernel just gave this memory to us alone.
        let body = unsafe { core::slice::from_raw_parts_mut(at as *mut u8, len) };
        self.filled(body, fds, then);
        sys::unmap(at as usize, len);
    }

    fn filled(
        &mut self,
        body: &mut [u8],
        fds: &[i32; MOST_FDS],
        then: fn(&mut Self, &mut [u8], &[i32; MOST_FDS]),
    ) {
        if self.fill(body, &mut [-1; MOST_FDS]) {
            then(self, body, fds);
        } else {
            self.bereaved();
        }
    }

    /// The last look in the place of a warden that was killed.
    fn look_once(&mut self, body: &mut [u8], _: &[i32; MOST_FDS]) {
        names::take(body);
        names::end(self.socket, names::NamesOutcome::Ended);
        wire::report(self.socket, wire::EMPTIED, 0, 0);
    }

    fn launch(&mut self, body: &mut [u8], fds: &[i32; MOST_FDS]) {
        // SAFETY: Runward sends a whole head at the beginning of an aligned body.
        let head = unsafe { *body.as_ptr().cast::<wire::LaunchHead>() };
        let cgroup = head.flags & wire::CGROUP != 0;
        let rules = launch::rules(&head, fds);
        let hand = launch::hand(&head, fds);
        let watched = names::take(body);
        let started = if watched < 0 { Err(launch::unwatched(watched)) } else { launch::launch(body, fds) };
        self.grace_ms = u64::from(head.grace_ms);
        self.cgroup = if cgroup { fds[4] } else { -1 };
        for fd in fds[..4].iter().copied().chain(rules).chain(hand).filter(|fd| *fd >= 0) {
            sys::close(fd);
        }
        match started {
            Ok(pid) => {
                self.command = Some(pid);
                self.busy = true;
                if self.apart {
                    wire::report_started_apart(self.socket, pid);
                } else {
                    wire::report(self.socket, wire::STARTED, pid as u32, sys::own_pid() as u32);
                }
            }
            Err(failed) => {
                // The child that could not execute has ended already and must not stay a zombie.
                self.reap_all();
                self.rest();
                wire::report_failed(self.socket, &failed);
            }
        }
    }

    fn signal(&mut self, signal: i32) {
        if !self.busy {
            return;
        }
        let met = tree::signal_below(signal, &|_| false);
        if met.unpinned {
            self.signal_group(signal);
        }
        self.chase(met.living);
    }

    /// Those that cannot be signalled one by one: the command leads a group with its own pid as id, which is not used
    /// again before it is reaped. A process that left the group is met once its parents are gone.
    fn signal_group(&self, signal: i32) {
        if let Some(command) = self.command {
            sys::kill(-command, signal);
            if sys::asks_to_end(signal) {
                sys::kill(-command, sys::SIGCONT);
            }
        }
    }

    /// The first time anything is told to end after the command's own end: so many outlived it. What is born while it
    /// is chased is killed, but did not outlive anything.
    fn chase(&mut self, living: u32) {
        if self.command.is_none() && !self.chasing {
            self.chasing = true;
            self.outlived = living;
        }
    }

    fn sweep(&mut self) {
        self.sweeping = self.busy;
    }

    /// One pass of killing everything. Passes follow one another until nothing is left.
    fn strike(&mut self) {
        if self.cgroup >= 0 {
            let kill = sys::open_at(self.cgroup, b"cgroup.kill\0", sys::O_WRONLY | sys::O_CLOEXEC);
            if kill >= 0 {
                sys::write(kill, b"1");
                sys::close(kill);
            }
        }
        if let Some(command) = self.command {
            // Also where /proc cannot be read: the command leads a group with its own pid as id.
            sys::kill(-command, sys::SIGKILL);
        }
        let met = tree::signal_below(sys::SIGKILL, &|_| false);
        self.chase(met.living);
        self.reap();
    }

    fn reap(&mut self) {
        // One at most waits to be told, however many have ended: that is how this signal is.
        sys::read(self.children, &mut [0_u8; 128]);
        let (ended, empty) = self.reap_all();
        if empty {
            // Before it is told: when Runward hears that nothing is left, nothing is there that must not be.
            names::end(self.socket, names::NamesOutcome::Ended);
        }
        if let Some(status) = ended {
            self.command = None;
            wire::report(self.socket, wire::EXITED, status as u32, u32::from(!empty));
        }
        if empty && self.busy && self.command.is_none() {
            if ended.is_none() {
                wire::report(self.socket, wire::EMPTIED, self.outlived, 0);
            }
            self.rest();
        }
    }

    /// Reaps every child that has ended: the command's status if it was among them, and whether none is left.
    fn reap_all(&mut self) -> (Option<i32>, bool) {
        let mut ended = None;
        loop {
            let mut status = 0;
            match sys::reap(&mut status) {
                ECHILD => return (ended, true),
                pid if pid <= 0 => return (ended, false),
                pid if Some(pid as i32) == self.command => ended = Some(status),
                _ => {}
            }
        }
    }

    /// Nothing is left: ready for the next command.
    fn rest(&mut self) {
        if self.cgroup >= 0 {
            sys::close(self.cgroup);
        }
        names::end(self.socket, names::NamesOutcome::NeverBegun);
        self.cgroup = -1;
        self.command = None;
        self.busy = false;
        self.sweeping = false;
        self.chasing = false;
        self.outlived = 0;
    }

    /// Runward is dead. Whatever runs is asked to end now and killed after the grace.
    fn bereaved(&mut self) {
        self.orphaned = Some(sys::clock() + self.grace_ms);
        if self.busy {
            self.signal(sys::SIGTERM);
        }
    }
}
