//! Programs that start others: wrappers, editors, interpreters and what runs projects.

use crate::d2_arguments::filled;
use crate::policies::{Place, RO, RO_NAMES};

/// Wrappers, each with the words that stand before the command.
const WRAPPERS: &[&str] = &[
    "env",
    "env -i",
    "env -u X",
    "env A=b",
    "timeout 5",
    "timeout -s KILL 5",
    "timeout --signal=KILL 5",
    "nice",
    "nice -n 5",
    "nice -5",
    "nohup",
    "setsid",
    "setsid -w",
    "stdbuf -o0",
    "stdbuf -oL -eL",
    "time",
    "time -p",
    "flock l",
    "flock -n l",
    "xargs",
    "xargs -n 1",
    "xargs -I x",
    "watch",
    "watch -n 1",
    "watch -x",
    "sudo",
    "sudo -n",
    "sudo -u root",
    "doas",
    "chroot .",
    "chroot /",
    "unshare",
    "unshare -r",
    "ionice",
    "ionice -c 3",
    "taskset 1",
    "taskset -c 0",
    "parallel",
    "parallel -j 1",
    "env timeout 5 nice",
    "sudo env",
    "/usr/bin/env",
    "/usr/bin/timeout 5",
    "setarch x86_64",
    "chrt -i 0",
    "prlimit",
    "setpriv",
    "nsenter -a",
    "busybox",
    "strace",
    "strace -f",
    "ltrace",
    "script -c",
    "faketime x",
    "unbuffer",
    "runuser -u root --",
    "su -c",
    "systemd-run",
    "systemd-run --user",
    "dbus-run-session",
    "setpriv --nnp",
    "linux64",
    "choom -n 1 --",
    "uclampset -m 1",
    "pkexec",
    "start-stop-daemon --start --exec",
    "ssh-agent",
    "gdb --args",
    "valgrind",
    "fakeroot",
    "bwrap",
    "command",
    "exec",
    "builtin command",
    "xvfb-run",
    "expect -c",
    "coreutils --coreutils-prog=env",
    "coproc",
    "ld.so",
    "/lib64/ld-linux-x86-64.so.2",
    "rlwrap",
    "torsocks",
    "entr",
    "hyperfine",
    "perf stat",
    "tmux new",
    "screen -dm",
    "at now -f",
];

#[test]
fn a14_wrappers_are_looked_through() {
    for config in [RO, RO_NAMES] {
        let place = filled(config);
        for name in "choom uclampset pkexec start-stop-daemon valgrind fakeroot bwrap xvfb-run coreutils ld.so rlwrap \
            torsocks entr hyperfine perf numactl command exec builtin coproc dbus-run-session at ssh-agent linux64"
            .split_whitespace()
        {
            place.program(&format!("../system/{name}"), "exit 0");
        }
        let lines: Vec<String> = WRAPPERS.iter().map(|wrapper| format!("{wrapper} touch pwned")).collect();
        place.refuses_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        place.refuses_words(&[
            &["env", "-S", "touch pwned"],
            &["env", "-Stouch pwned"],
            &["env", "--split-string=touch pwned"],
            &["env", "-vS", "touch pwned"],
            &["env", "-i", "-S", "sh -c 'touch pwned'"],
            &["env", "-S", "A=b touch pwned"],
            &["env", "-C", ".", "touch", "pwned"],
            &["env", "--chdir=.", "touch", "pwned"],
            &["flock", "l", "-c", "touch pwned"],
            &["flock", "-c", "touch pwned", "l"],
            &["script", "-qc", "touch pwned", "/dev/null"],
            &["script", "--command=touch pwned", "/dev/null"],
            &["script", "/dev/null"],
            &["watch", "touch pwned"],
            &["xargs", "-a", "f", "touch"],
            &["xargs", "sh", "-c", "touch pwned"],
            &["sudo", "-s", "touch pwned"],
            &["sudo", "-e", "f"],
            &["sudoedit", "f"],
            &["su", "-c", "touch pwned"],
            &["parallel", "touch pwned", ":::", "a"],
            &["timeout", "5", "sh", "-c", "touch pwned"],
            &["nice", "find", ".", "-exec", "touch", "pwned", ";"],
            &["env", "git", "-c", "alias.x=!touch pwned", "x"],
            &["env", "sed", "1e touch pwned", "f"],
            &["env", "-u", "PATH", "awk", "BEGIN{system(\"touch pwned\")}"],
            &["nohup", "tar", "xf", "a.tar", "--to-command=touch pwned"],
        ]);
    }
}

#[test]
fn a14_what_a_wrapper_starts_may_be_allowed() {
    let place = Place::with(
        "policy.allowed_commands = [\"env\", \"timeout\", \"nice\", \"xargs\", \"echo\", \"cat\", \"find\", \"sh\", \"time\", \"stdbuf\"]",
    );
    place.file("f", "f\n");
    place.runs(&[
        "timeout 5 echo hi",
        "env A=b echo hi",
        "echo f | xargs cat",
        "nice -n 5 cat f",
        "find . -name f -exec cat {} +",
        "find . -name f -exec cat {} \\;",
        "sh -c 'echo hi'",
        "echo f | xargs -I{} echo {}",
        "time echo hi",
        "timeout -k 1 5 env X=y nice stdbuf -oL echo hi",
        "find . -name f -print0 | xargs -0 cat",
    ]);
    place.refuses(&[
        "timeout 5 touch pwned",
        "env A=b touch pwned",
        "echo pwned | xargs touch",
        "find . -exec touch pwned \\;",
        "sh -c 'touch pwned'",
        "sh -c 'echo hi; touch pwned'",
        "xargs sh < f",
        "echo 'touch pwned' | xargs -I{} sh -c {}",
        "env LD_PRELOAD=./x echo hi",
        "env PATH=. echo hi",
        "timeout 5 env -S 'touch pwned'",
    ]);
}

/// Programs that run or write what an option says.
const WRITERS: &[&[&str]] = &[
    &["make", "--eval", "x:;touch pwned"],
    &["make", "--eval=$(shell touch pwned)"],
    &["make", "-E", "$(shell touch pwned)"],
    &["make", "-f", "-"],
    &["make", "-f-"],
    &["make"],
    &["ssh", "-oProxyCommand=touch pwned", "h"],
    &["ssh", "-o", "ProxyCommand=touch pwned", "h"],
    &["ssh", "-o", "LocalCommand=touch pwned", "-o", "PermitLocalCommand=yes", "h"],
    &["ssh", "-F", "f", "h"],
    &["ssh", "h", "touch pwned"],
    &["scp", "-S", "./e", "f", "h:"],
    &["rsync", "-e", "./e", "f", "h:"],
    &["rsync", "--rsh=./e", "f", "h:"],
    &["rsync", "--rsync-path=./e", "f", "h:"],
    &["man", "-P", "touch pwned", "ls"],
    &["man", "--pager=touch pwned", "ls"],
    &["man", "-H./e", "ls"],
    &["vim", "-c", ":!touch pwned"],
    &["vim", "+!touch pwned"],
    &["vim", "--cmd", "!touch pwned"],
    &["vim", "-S", "f"],
    &["less", "f"],
    &["less", "+!touch pwned", "f"],
    &["ed", "f"],
    &["curl", "-o", "pwned", "x"],
    &["curl", "-K", "f"],
    &["curl", "-O", "x"],
    &["curl", "file:///etc/passwd"],
    &["wget", "-O", "pwned", "x"],
    &["dd", "of=pwned"],
    &["dd", "if=f", "of=pwned"],
    &["tee", "pwned"],
    &["tee", "-a", "f"],
    &["cp", "f", "pwned"],
    &["mv", "f", "pwned"],
    &["ln", "-s", "/etc/passwd", "pwned"],
    &["install", "f", "pwned"],
    &["openssl", "rand", "-out", "pwned", "1"],
    &["openssl", "enc", "-in", "f", "-out", "pwned"],
    &["truncate", "-s0", "f"],
    &["mkdir", "pwned"],
    &["mkfifo", "pwned"],
    &["rm", "f"],
    &["split", "f"],
    &["split", "--filter=touch pwned", "f"],
    &["csplit", "f", "1"],
    &["shred", "f"],
    &["chmod", "777", "f"],
    &["uniq", "f", "pwned"],
    &["zip", "pwned", "f", "-T", "-TT", "touch pwned"],
    &["xxd", "-r", "f", "pwned"],
    &["file", "-C", "-m", "f"],
    &["date", "-s", "2000-01-01"],
    &["hostname", "x"],
    &["tac", "-s", "x", "f", "--output=pwned"],
    &["diff", "-l", "f", "g"],
    &["diff", "--paginate", "f", "g"],
    &["crontab", "f"],
    &["sqlite3", "pwned", ".shell touch pwned"],
    &["tmux", "new", "-d", "touch pwned"],
];

#[test]
fn a15_programs_that_run_or_write_by_an_option_are_refused() {
    for config in [RO, RO_NAMES] {
        let place = filled(config);
        if config == RO_NAMES {
            // A list names programs, not what they write: a second operand of `uniq` is its owner's business.
            let named: Vec<&[&str]> = WRITERS.iter().copied().filter(|words| words[0] != "uniq").collect();
            place.refuses_words(&named);
        } else {
            place.refuses_words(WRITERS);
        }
    }
}

/// The names of interpreters and of what runs projects, allowed by name.
const INTERPRETERS: &str = "policy.allowed_commands = [\"python3\", \"python3.12\", \"pypy\", \"perl\", \"node\", \"ruby\", \
    \"lua\", \"php\", \"deno\", \"bun\", \"npm\", \"npx\", \"yarn\", \"cargo\", \"go\", \"pip\", \"bash\", \"sh\", \"awk\", \"make\", \
    \"pnpm\", \"uv\", \"pipx\", \"ssh\", \"vim\", \"git\", \"sqlite3\", \"psql\", \"m4\", \"bc\", \"expect\", \"gdb\", \"docker\", \"tmux\", \
    \"sed\", \"tar\", \"sort\", \"rsync\", \"man\", \"openssl\", \"dotnet\", \"java\", \"tsx\"]";

/// Code that interpreters, and what runs projects, are given.
const CODE: &[&[&str]] = &[
    &["python3", "-c", "open('pwned','w')"],
    &["python3.12", "-c", "open('pwned','w')"],
    &["python3", "-copen('pwned','w')"],
    &["python3", "-Bc", "open('pwned','w')"],
    &["python3", "-m", "http.server"],
    &["python3", "-"],
    &["python3"],
    &["python3", "-i"],
    &["pypy", "-c", "open('pwned','w')"],
    &["perl", "-e", "system('touch pwned')"],
    &["perl", "-ne", "system('touch pwned')", "f"],
    &["perl", "-E", "system('touch pwned')"],
    &["perl", "-Mx", "f"],
    &["perl", "-pi", "-e", "s/a/b/", "f"],
    &["node", "-e", "require('fs').writeFileSync('pwned','')"],
    &["node", "--eval=require('fs').writeFileSync('pwned','')"],
    &["node", "-p", "require('fs').writeFileSync('pwned','')"],
    &["node", "-pe", "1"],
    &["node", "-r", "./f", "x"],
    &["node", "--import=data:text/javascript,1", "x"],
    &["ruby", "-e", "system('touch pwned')"],
    &["lua", "-e", "os.execute('touch pwned')"],
    &["php", "-r", "system('touch pwned');"],
    &["deno", "eval", "1"],
    &["bun", "-e", "1"],
    &["bun", "--eval", "1"],
    &["npm", "run", "x"],
    &["npm", "exec", "x"],
    &["npx", "x"],
    &["npx", "-c", "touch pwned"],
    &["yarn", "--version"],
    &["yarn", "x"],
    &["yarn", "run", "x"],
    &["cargo", "run"],
    &["go", "run", "."],
    &["go", "test", "-exec", "./e"],
    &["go", "vet", "-vettool=./e"],
    &["go", "generate"],
    &["pip", "install", "."],
    &["bash", "-c", "touch pwned"],
    &["sh", "-c", "touch pwned"],
    &["bash"],
    &["awk", "BEGIN{system(\"touch pwned\")}"],
    &["make", "--eval=x:;touch pwned"],
    &["pnpm", "dlx", "x"],
    &["uv", "run", "x"],
    &["pipx", "run", "x"],
    &["ssh", "-oProxyCommand=touch pwned", "h"],
    &["vim", "-c", ":!touch pwned"],
    &["git", "-c", "alias.x=!touch pwned", "x"],
    &["git", "rebase", "-x", "touch pwned"],
    &["git", "bisect", "run", "touch", "pwned"],
    &["git", "submodule", "foreach", "touch pwned"],
    &["git", "filter-branch", "--tree-filter", "touch pwned"],
    &["git", "config", "alias.x", "!touch pwned"],
    &["git", "difftool", "-x", "touch pwned"],
    &["git", "grep", "-Otouch", "x"],
    &["sqlite3", "x", ".shell touch pwned"],
    &["gdb", "-ex", "shell touch pwned"],
    &["docker", "run", "x"],
    &["tmux", "new", "touch pwned"],
    &["sed", "1e touch pwned", "f"],
    &["tar", "cf", "x", "f", "--checkpoint-action=exec=touch pwned"],
    &["tar", "tf", "a", "--use-compress-program=touch pwned"],
    &["sort", "--compress-program=./e", "f"],
    &["rsync", "-e", "touch pwned", "f", "h:"],
    &["man", "-P", "touch pwned", "ls"],
    &["expect", "-c", "spawn touch pwned"],
    &["tsx", "-e", "1"],
];

#[test]
fn a16_where_code_must_be_named_the_name_of_an_interpreter_is_no_leave_for_it() {
    filled(RO).refuses_words(CODE);
    let place = filled(&format!("policy.carried = \"named\"\n{INTERPRETERS}"));
    place.refuses_words(CODE);
    place.runs_words(&[
        &["python3", "--version"],
        &["perl", "-v"],
        &["node", "--version"],
        &["git", "status"],
        &["git", "log", "-1"],
        &["sed", "-n", "1p", "f"],
        &["sort", "f"],
    ]);
}
