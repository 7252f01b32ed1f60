//! Runward where system calls are forbidden, as older container runtimes do: what can be done by older calls is done, and
//! everything else is an error with the name of the call. Never a hang, a panic, or a time limit that was none.

use crate::runner::{Place, Said, said};

/// A command that ends at once, under a limit that only a call which is not noticed to end would reach.
const COMMAND: [&str; 5] = ["exec", "--timeout", "20s", "--", "true"];

fn forbidding(place: &Place, calls: &str, args: &[&str]) -> Said {
    let fixture = testkit::fixture();
    let wrapper = [fixture.to_str().unwrap(), "forbid", calls, "--"];
    said(&place.behind(&wrapper, args).output().unwrap())
}

/// Works without the call.
fn works(calls: &[&str]) {
    let place = Place::new();
    for call in calls {
        let said = forbidding(&place, call, &["exec", "--timeout", "20s", "--", "echo", "hi"]);
        assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{call}: {said:?}");
    }
}

/// Names the call, and runs nothing.
fn is_told(calls: &[&str], code: &str) {
    let place = Place::new();
    for call in calls {
        for error in ["EPERM", "ENOSYS"] {
            let said = forbidding(&place, &format!("{call}={error}"), &COMMAND);
            assert_eq!(said.code, 125, "{call}={error}: {said:?}");
            let named = said.stderr.contains(&format!("`{call}`)")) && said.stderr.contains(code);
            assert!(named && said.stderr.contains("seccomp"), "{call}={error}: {said:?}");
            assert_eq!(said.stderr.matches("runward:").count(), 1, "{call}={error} is said once: {said:?}");
        }
    }
}

#[test]
fn what_older_calls_can_do_is_done_by_them() {
    works(&["clone3=ENOSYS", "close_range", "close_range=ENOSYS", "openat2", "openat2=ENOSYS"]);
    works(&[
        "execveat",
        "execveat=ENOSYS",
        "signalfd4",
        "signalfd4=ENOSYS",
        "pidfd_open",
        "pidfd_open=ENOSYS",
    ]);
    works(&["faccessat2", "faccessat2=ENOSYS", "faccessat2,faccessat", "faccessat2=ENOSYS,faccessat=ENOSYS"]);
    works(&["statx", "statx,faccessat2,openat2", "readlinkat", "getdents64", "getdents64=ENOSYS"]);
    works(&["timerfd_create", "timerfd_settime", "epoll_pwait2", "membarrier", "rseq", "statx=ENOSYS"]);
    #[cfg(target_arch = "x86_64")]
    works(&["ppoll", "ppoll=ENOSYS"]);
    works(&[
        "close_range,openat2,execveat,signalfd4,pidfd_open",
        "close_range=ENOSYS,pidfd_open=ENOSYS,statx=ENOSYS",
    ]);
}

/// What an older container runtime answers to it: the C library then makes no thread, and a command runs all the same.
#[test]
fn a_command_runs_where_the_newest_call_for_processes_is_forbidden() {
    let place = Place::new();
    let said = forbidding(&place, "clone3", &["exec", "--timeout", "20s", "--", "echo", "hi"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{said:?}");
    assert!(!said.stderr.contains("time limit"), "{said:?}");
}

#[test]
fn what_no_other_call_can_do_is_told_by_its_name() {
    is_told(&["memfd_create", "prctl", "wait4", "rt_sigprocmask", "dup3"], "[spawn.failed]");
    is_told(&["epoll_create1", "epoll_ctl", "eventfd2", "socketpair"], "[spawn.failed]");
}

/// Whatever is forbidden: the command runs and is seen to end, or Runward says with words that it does not.
#[test]
fn no_single_call_makes_it_hang_panic_or_blame_a_limit() {
    let calls = "bind brk chdir clone close_range connect dup3 epoll_ctl epoll_pwait fallocate fchdir fcntl fdatasync \
        flock fsync ftruncate getcwd getdents64 getrandom inotify_init1 ioctl kill lseek madvise memfd_create mkdirat \
        mprotect mremap openat2 pidfd_send_signal pipe2 poll ppoll prctl pread64 prlimit64 pselect6 pwrite64 readlinkat \
        recvmsg renameat2 sched_getaffinity sendmsg setsid sigaltstack socket socketpair statx tgkill uname unlinkat \
        waitid";
    let place = Place::new();
    let mut wrong = Vec::new();
    for call in calls.split_whitespace().filter(|call| *call != "poll") {
        for error in ["EPERM", "ENOSYS"] {
            let told = format!("{call}={error}");
            let fixture = testkit::fixture();
            let wrapper = [fixture.to_str().unwrap(), "forbid", &told, "--"];
            let mut started = place.behind(&wrapper, COMMAND);
            let output = started.output().unwrap();
            let (code, words) = (output.status.code(), String::from_utf8(output.stderr).unwrap());
            let odd =
                ["panicked", "went wrong", "time limit", "timed out"].iter().any(|word| words.contains(word));
            // What the loader or the C library cannot do without is said by them.
            let loader = code == Some(127) && words.contains("shared librar");
            let answered =
                code == Some(0) || ([Some(125), Some(126)].contains(&code) && words.contains("runward:"));
            if !(answered || loader) || odd {
                wrong.push(format!("{told}: {code:?} {words}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Without the call that pins a process, a tree that is asked to end hears it and is gone.
#[test]
fn a_tree_is_ended_whole_where_processes_cannot_be_pinned() {
    let place = Place::new();
    let mark = testkit::TreeMark::new();
    for calls in ["pidfd_open", "signalfd4,pidfd_open=ENOSYS", "pidfd_send_signal"] {
        let fixture = testkit::fixture();
        let script = format!("{0} bush 6 {1} & {0} trapper {1}", fixture.display(), mark.text());
        let said = forbidding(&place, calls, &["exec", "--timeout", "1s", "--shell", &script]);
        assert_eq!(said.code, 124, "{calls}: {said:?}");
        testkit::until("nothing of it is left", || mark.carriers().is_empty());
    }
}

/// A program that cannot be looked for is not one that is missing; one that is missing is, whatever is forbidden.
#[test]
fn a_forbidden_look_is_never_a_program_that_was_not_found() {
    let place = Place::new();
    for call in
        ["faccessat2", "faccessat", "access", "statx", "readlink", "readlinkat", "openat2", "getdents64"]
    {
        for error in ["EPERM", "ENOSYS"] {
            let forbidden = format!("{call}={error}");
            let said = forbidding(&place, &forbidden, &["exec", "--timeout", "20s", "--", "echo", "hi"]);
            assert!(said.code == 0 || said.stderr.contains(call), "{forbidden}: {said:?}");
            assert!(!said.stderr.contains("not found"), "{forbidden}: {said:?}");
        }
    }
    let said = forbidding(&place, "faccessat2", &["exec", "--", "no-such-program-anywhere"]);
    assert!(said.code == 127 && said.stderr.contains("[resolve.not-found]"), "{said:?}");
}

/// Where files cannot be locked nothing is recorded, which is told with the call; commands run all the same.
#[test]
fn without_locks_commands_run_and_the_journal_names_the_call() {
    for error in ["EPERM", "ENOSYS"] {
        let place = Place::new();
        let told = format!("flock={error}");
        let said = forbidding(&place, &told, &["exec", "--timeout", "20s", "--", "echo", "hi"]);
        assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{told}: {said:?}");
        assert!(said.stderr.contains("not recorded") && said.stderr.contains("`flock`"), "{told}: {said:?}");
        assert!(!said.stderr.contains("mkdir"), "{told}: {said:?}");
    }
}

/// A cgroup of this test's own, below the one it runs in. Where none may be made, the command runs without.
struct OwnGroup(std::path::PathBuf);

impl OwnGroup {
    fn make() -> Self {
        let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
        let mount =
            mounts.lines().find(|line| line.contains(" - cgroup2 ")).and_then(|line| line.split(' ').nth(4));
        let own = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let own = own.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
        let group = std::path::Path::new(mount.unwrap_or("/nowhere")).join(own);
        let group = group.join(format!("of-a-test-{}", std::process::id()));
        let _ = std::fs::create_dir(&group);
        Self(group)
    }
}

impl Drop for OwnGroup {
    fn drop(&mut self) {
        testkit::until("the group is gone", || {
            let inner = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
            inner
                .filter(|entry| entry.path().is_dir())
                .for_each(|entry| drop(std::fs::remove_dir(entry.path())));
            let _ = std::fs::remove_dir(&self.0);
            !self.0.exists()
        });
    }
}

/// Linux kills what is born into a group below one that was told to kill, for ever after.
#[test]
fn commands_run_below_a_group_that_was_emptied_before() {
    let place = Place::new();
    let group = OwnGroup::make();
    let enter = format!("echo $$ 2>&- >{}/cgroup.procs; exec \"$@\"", group.0.display());
    for times in 0..3 {
        let output =
            place.behind(&["sh", "-c", &enter, "sh"], ["exec", "--", "echo", "hi"]).output().unwrap();
        let said = said(&output);
        assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "told to kill {times} times: {said:?}");
        let _ = std::fs::write(group.0.join("cgroup.kill"), "1");
    }
}
