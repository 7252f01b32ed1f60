//! The programs that start others: one entry each, how its options are read and where the command begins.
//!
//! May not know how a line of options is read: [`options`](super::options) does.

use super::name::{Rows, among, rows};
use super::plain::words_behind;
use super::{Opaque, Started, Word, env, find, more, shells, texts, windows, xargs};

/// One program that starts others.
pub(super) struct Wrapper {
    /// By which names it goes.
    pub(super) names: &'static str,
    /// Its options, as [`options`](super::options) reads them.
    pub(super) options: &'static str,
    /// What stands before the command.
    pub(super) before: &'static [Before],
    /// What it starts where no command is named.
    pub(super) alone: Alone,
    /// How its words are looked through.
    pub(super) starts: fn(&Wrapper, &[Word]) -> Result<Vec<Started>, Opaque>,
}

/// A word before the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// One word, whatever it says.
    Word,
    /// One word that begins with a digit.
    Number,
    /// Any number of `NAME=VALUE`.
    Variables,
}

/// What a program starts where no command is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alone {
    /// Nothing.
    Nothing,
    /// A shell, which reads what it is fed.
    Shell,
}

const fn plain(names: &'static str, before: &'static [Before], options: &'static str) -> Wrapper {
    Wrapper { names, options, before, alone: Alone::Nothing, starts: words_behind }
}

const fn special(
    names: &'static str,
    starts: fn(&Wrapper, &[Word]) -> Result<Vec<Started>, Opaque>,
    options: &'static str,
) -> Wrapper {
    Wrapper { names, options, before: &[], alone: Alone::Nothing, starts }
}

const fn or_shell(
    names: &'static str,
    starts: fn(&Wrapper, &[Word]) -> Result<Vec<Started>, Opaque>,
    options: &'static str,
) -> Wrapper {
    Wrapper { names, options, before: &[], alone: Alone::Shell, starts }
}

/// Every program that is looked through.
pub(super) static WRAPPERS: &[Wrapper] = &[
    special(
        "env genv",
        env::starts,
        "-i|--ignore-environment -0|--null -u|--unset= -C|--chdir^ -S|--split-string=split -v|--debug \
         --block-signal? --default-signal? --ignore-signal? --list-signal-handling --help! --version!",
    ),
    plain(
        "timeout gtimeout",
        &[Before::Number],
        "-k|--kill-after= -s|--signal= -v|--verbose -p|--preserve-status -f|--foreground --help! --version!",
    ),
    plain("nice gnice", &[], "-n|--adjustment= -NUMBER --help! --version!"),
    plain("nohup gnohup", &[], "--help! --version!"),
    plain("setsid", &[], "-c|--ctty -f|--fork -w|--wait -h|--help! -V|--version!"),
    plain("stdbuf gstdbuf", &[], "-i|--input= -o|--output= -e|--error= --help! --version!"),
    plain(
        "time gtime",
        &[],
        "-a|--append -f|--format= -o|--output= -p|--portability -q|--quiet -v|--verbose -l -h --help! -V|--version!",
    ),
    plain(
        "ionice",
        &[],
        "-c|--class= -n|--classdata= -t|--ignore -p|--pid! -P|--pgid! -u|--uid! -h|--help! -V|--version!",
    ),
    plain("taskset", &[Before::Word], "-a|--all-tasks -c|--cpu-list -p|--pid! -h|--help! -V|--version!"),
    plain(
        "chrt",
        &[Before::Number],
        "-b|--batch -d|--deadline -f|--fifo -i|--idle -o|--other -r|--rr -R|--reset-on-fork -T|--sched-runtime= \
         -P|--sched-period= -D|--sched-deadline= -a|--all-tasks -m|--max! -p|--pid! -v|--verbose -h|--help! \
         -V|--version!",
    ),
    or_shell(
        "unshare",
        words_behind,
        "-m --mount? -u --uts? -i --ipc? -n --net? -p --pid? -U --user? -C --cgroup? -T --time? -f|--fork \
         --map-user= --map-group= -r|--map-root-user -c|--map-current-user --map-auto --map-users= --map-groups= \
         --kill-child? --mount-proc? --propagation= --setgroups= --keep-caps -R|--root^ -w|--wd^ -S|--setuid= \
         -G|--setgid= --monotonic= --boottime= -h|--help! -V|--version!",
    ),
    or_shell(
        "nsenter",
        words_behind,
        "-a|--all^ -t|--target= -m|--mount^ -u|--uts? -i|--ipc? -n|--net? -p|--pid? -C|--cgroup? -U|--user? \
         -T|--time? -S|--setuid= -G|--setgid= --preserve-credentials -r|--root^ -w|--wd^ -W|--wdns^ -e|--env^ \
         -F|--no-fork -Z|--follow-context -h|--help! -V|--version!",
    ),
    or_shell("setarch", more::setarch, ARCHITECTURE),
    or_shell("linux32 linux64 i386 i486 i586 i686 x86_64 uname26", words_behind, ARCHITECTURE),
    special("arch", more::arch, ""),
    special("runuser", texts::runuser, SWITCH_USER),
    special("su", texts::su, SWITCH_USER),
    plain("sudo", &[Before::Variables], SUDO),
    plain("doas", &[], "-n -u= -a= -L! -s^ -C^"),
    or_shell("pkexec", words_behind, "--user= -u= --disable-internal-agent --keep-cwd --help! --version!"),
    plain("setpriv", &[], SET_PRIVILEGES),
    plain("prlimit", &[], LIMITS),
    plain(
        "numactl",
        &[],
        "-a|--all -i|--interleave= -p|--preferred= -P|--preferred-many= -w|--weighted-interleave= \
         -C|--physcpubind= -N|--cpunodebind= -m|--membind= -l|--localalloc -s|--show! -H|--hardware! --help! --version!",
    ),
    plain("catchsegv eatmydata chronic", &[], "--help! --version!"),
    plain("unbuffer", &[], "-p"),
    plain("faketime", &[Before::Word], "-m -p^ -f --exclude-monotonic --date-prog^ -h|--help! -v|--version!"),
    plain("dbus-run-session", &[], "--dbus-daemon^ --config-file^ --help! --version!"),
    plain(
        "xvfb-run",
        &[],
        "-a|--auto-servernum -d|--auto-display -e|--error-file= -f|--auth-file= -h|--help! -n|--server-num= \
         -l|--listen-tcp -p|--xauth-protocol= -s|--server-args= -w|--wait=",
    ),
    plain("ssh-agent", &[], "-c -s -D -d -T -a= -E= -O= -P^ -t= -k! -u"),
    special("start-stop-daemon", more::start_stop_daemon, START_STOP),
    plain("daemonize", &[], "-a -c^ -E=set -e= -o= -p= -u= -l= -v"),
    plain("tini", &[], "-p= -e= -g -s -v -w -l! -h! --version!"),
    plain("dumb-init", &[], "-c|--single-child -r|--rewrite= -v|--verbose -V|--version! -h|--help!"),
    plain("caffeinate", &[], "-d -i -m -s -u -t= -w="),
    plain("strace", &[], STRACE),
    plain(
        "ltrace",
        &[],
        "-a= -A= -b -c -C -d -D= -e= -f -i -l= -L -n= -o|--output= -p= -r -s= -S -t -T -u= -w= -x= -h|--help! \
         -V|--version! -F^",
    ),
    special("perf", more::perf, ""),
    special("systemd-run", more::unit, SYSTEMD_RUN),
    plain("command", &[], "-p -v! -V!"),
    plain("exec", &[], "-c -l -a^"),
    plain("builtin nocorrect noglob", &[], ""),
    special("busybox toybox", more::applet, ""),
    special("flock", texts::flock, FLOCK),
    special(
        "script",
        texts::script_of,
        "-a|--append -B|--log-io= -c|--command=text -e|--return -E|--echo= -f|--flush --force -I|--log-in= \
         -m|--logging-format= -o|--output-limit= -O|--log-out= -q|--quiet -T|--log-timing= -h|--help! -V|--version!",
    ),
    special(
        "watch",
        texts::watch,
        "-b|--beep -c|--color -C|--no-color -d|--differences? -e|--errexit -f|--follow -g|--chgexit -q|--equexit= \
         -n|--interval= -p|--precise -r|--no-rerun -s|--shotsdir= -t|--no-title -w|--no-wrap -x|--exec -h|--help! \
         -v|--version!",
    ),
    special("xargs gxargs", xargs::starts, xargs::OPTIONS),
    special("find gfind", find::starts, ""),
    special("fd fdfind", find::fd, ""),
    special("parallel sem env_parallel", more::nothing_but_help, ""),
    special("sh bash rbash dash ash ksh ksh93 mksh lksh pdksh yash zsh rzsh", shells::starts, ""),
    special("csh tcsh", shells::csh, ""),
    special(
        "fish",
        shells::fish,
        "-c|--command=text -C|--init-command=text -l|--login -i|--interactive -N|--no-config -P|--private \
         -n|--no-execute -h|--help! -v|--version!",
    ),
    special("cmd", windows::cmd, ""),
    special("powershell pwsh pwsh-preview", windows::powershell, ""),
];

const ARCHITECTURE: &str = "-B|--32bit -F|--fdpic-funcptrs -I|--short-inode -L|--addr-compat-layout \
    -R|--addr-no-randomize -S|--whole-seconds -T|--sticky-timeouts -X|--read-implies-exec -Z|--mmap-page-zero \
    -3|--3gb --4gb --uname-2.6 -v|--verbose --list! -h|--help! -V|--version!";

const SWITCH_USER: &str = "-u|--user= -m|-p|--preserve-environment -w|--whitelist-environment= -g|--group= \
    -G|--supp-group= -l|--login -c|--command=text --session-command=text -f|--fast -s|--shell= -P|--pty -T|--no-pty \
    -h|--help! -V|--version!";

const SUDO: &str = "-A|--askpass^ -a|--auth-type= -b|--background -B|--bell -C|--close-from= -c|--login-class= \
    -D|--chdir^ -E --preserve-env? -e|--edit^ -g|--group= -H|--set-home -h^ --host^ --help! -i|--login^ \
    -K|--remove-timestamp! -k|--reset-timestamp -l|--list! -n|--non-interactive -N|--no-update \
    -P|--preserve-groups -p|--prompt= -R|--chroot^ -r|--role= -S|--stdin -s|--shell^ -T|--command-timeout= \
    -t|--type= -U|--other-user= -u|--user= -V|--version! -v|--validate!";

const SET_PRIVILEGES: &str = "-d|--dump! --nnp --no-new-privs --ambient-caps= --inh-caps= --bounding-set= --ruid= \
    --euid= --rgid= --egid= --reuid= --regid= --clear-groups --keep-groups --init-groups --groups= --securebits= \
    --pdeathsig= --selinux-label= --apparmor-profile= --reset-env --list-caps! -h|--help! -V|--version!";

const LIMITS: &str = "-c|--core? -d|--data? -e|--nice? -f|--fsize? -i|--sigpending? -l|--memlock? -m|--rss? \
    -n|--nofile? -o|--output= -p|--pid! -q|--msgqueue? -r|--rtprio? -s|--stack? -t|--cpu? -u|--nproc? -v|--as? \
    -x|--locks? -y|--rttime? --noheadings --raw --verbose -h|--help! -V|--version!";

const START_STOP: &str = "-S|--start -K|--stop -T|--status --pid= --ppid= -p|--pidfile= -x|--exec= -n|--name= \
    -u|--user= -g|--group= -c|--chuid= -s|--signal= -a|--startas= -r|--chroot^ -d|--chdir^ -N|--nicelevel= \
    -P|--procsched= -I|--iosched= -k|--umask= -b|--background --notify-await --notify-timeout= -C|--no-close \
    -O|--output= -m|--make-pidfile --remove-pidfile -R|--retry= -t|--test -o|--oknodo -q|--quiet -v|--verbose \
    -H|--help! -V|--version!";

const STRACE: &str = "-A|--output-append-mode -a|--columns= -b|--detach-on= -c|--summary-only -C|--summary -d|--debug \
    -D --daemonize? -e= -E|--env=set -f|--follow-forks -F -h|--help! -i|--instruction-pointer \
    -I|--interruptible= -k|--stack-traces -n|--syscall-number -o|--output=file --output-separately -O= \
    -p|--attach= -P|--trace-path= -q --quiet? -r --relative-timestamps? -s|--string-limit= -S|--summary-sort-by= -t \
    --absolute-timestamps? -T --syscall-times? -u|--user= -U|--summary-columns= -v|--no-abbrev -V|--version! \
    -w|--summary-wall-clock -x --strings-in-hex? -X|--const-print-style= -y --decode-fds? -z|--successful-only \
    -Z|--failed-only --trace= --signal= --status= --abbrev= --verbose= --raw= --read= --write= --inject= --fault= \
    --seccomp-bpf";

/// What a unit may be told by a property includes further commands, so properties are refused.
const SYSTEMD_RUN: &str = "-h|--help! --version! --no-ask-password --user --system -H|--host^ -M|--machine^ --scope \
    -u|--unit= -p|--property^ --description= --slice= --slice-inherit --no-block -r|--remain-after-exit --wait \
    --send-sighup --service-type= --uid= --gid= --nice= --working-directory^ -d|--same-dir -E|--setenv=set -t|--pty \
    -P|--pipe -q|--quiet -G|--collect -S|--shell^ --path-property^ --socket-property^ --on-active= --on-boot= \
    --on-startup= --on-unit-active= --on-unit-inactive= --on-calendar= --on-timezone-change --on-clock-change \
    --timer-property^ --expand-environment^ --ignore-failure --background=";

const FLOCK: &str = "-s|--shared -x|-e|--exclusive -u|--unlock -n|--nb|--nonblock|--nonblocking -w|--wait|--timeout= \
    -E|--conflict-exit-code= -o|--close -F|--no-fork --verbose -h|--help! -V|--version!";

/// The entry for a program.
pub(super) fn wrapper(name: &str) -> Option<&'static Wrapper> {
    static BY_NAME: Rows = Rows::new(|| rows(WRAPPERS.iter().map(|wrapper| wrapper.names)));
    BY_NAME.get(name).map(|at| &WRAPPERS[*at])
}

/// Whether it is a shell.
pub(super) fn is_shell(name: &str) -> bool {
    const SHELLS: &str = "sh csh fish cmd powershell";
    wrapper(name)
        .is_some_and(|wrapper| wrapper.names.split(' ').next().is_some_and(|first| among(SHELLS, first)))
}
