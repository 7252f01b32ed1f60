//! Published ways around a list of programs, by their numbers in the collection they came from.

use super::{check, opaque, seen};

#[test]
fn s22_a_variable_that_decides_which_program_runs_is_not_looked_through() {
    opaque(
        "
        env PATH=.:/bin ls   env LD_PRELOAD=./p.so ls   env BASH_ENV=./s bash -c ls   sudo LD_PRELOAD=x ls
    ",
    );
    check(&[("env X=1 touch pwned", "touch pwned")]);
}

#[test]
fn s28_a_shell_with_a_text() {
    check(&[
        ("bash -c 'touch pwned'", "bash: touch pwned"),
        ("sh -c 'touch pwned'", "sh: touch pwned"),
        ("env sh -c 'touch pwned'", "sh -c touch pwned"),
        ("xargs sh -c 'touch pwned'", "sh -c touch pwned ~n"),
        ("busybox sh -c 'touch pwned'", "sh -c touch pwned"),
    ]);
    opaque("~1 -c 'touch pwned'   env ~1 -c 'touch pwned'");
}

#[test]
fn a01_find_exec() {
    for action in ["-exec", "-execdir", "-ok", "-okdir"] {
        check(&[(&format!("find . {action} touch x ;"), "touch x")]);
    }
}

#[test]
fn a14_env() {
    check(&[("env touch x", "touch x"), ("env -S 'touch x'", "touch x"), ("env -S'touch x'", "touch x")]);
}

#[test]
fn a14_each_wrapper_shows_what_it_starts() {
    for wrapper in [
        "timeout 5",
        "nice",
        "nohup",
        "setsid -w",
        "stdbuf -o0",
        "time",
        "sudo",
        "doas",
        "unshare",
        "ionice",
        "taskset 1",
        "flock l",
        "watch -x",
        "exec",
        "command",
        "chrt 1",
        "strace",
        "setpriv",
        "runuser -u a --",
        "systemd-run",
    ] {
        check(&[(&format!("{wrapper} touch x"), "touch x")]);
    }
    check(&[
        ("flock l -c 'touch x'", "$SHELL: touch x"),
        ("script -qc 'touch x' /dev/null", "$SHELL: touch x"),
        ("xargs touch x", "touch x ~n"),
        ("watch touch x", "sh: touch x"),
    ]);
    opaque("chroot d touch x   parallel touch ::: x   parallel   sem touch x");
}

#[test]
fn a17_every_spelling_of_an_option_is_one_option() {
    for spelled in
        ["-k 1", "-k1", "--kill-after=1", "--kill-after 1", "--kill 1", "--k=1", "-vk1", "-vk 1", "-k 1 --"]
    {
        check(&[(&format!("timeout {spelled} 5 touch x"), "touch x")]);
    }
}

#[test]
fn words_of_a_shell_alone_are_opaque() {
    for word in [".", "source", "eval", "trap", "alias", "coproc", "if", "for", "enable", "builtin eval"] {
        let seen = seen(&format!("{word} x"));
        assert!(seen == "opaque" || seen == "eval x", "{word}: {seen}");
    }
}

#[test]
fn programs_that_nobody_looks_through_are_opaque() {
    opaque(
        "
        ~1   ~n x   bwrap ls   proot ls   ld.so ./ls   /lib64/ld-linux-x86-64.so.2 ./ls   qemu-x86_64 ./ls
        wine x   hyperfine ls   socat - EXEC:sh   xterm -e ls   s6-setsid ls   nu -c ls
    ",
    );
    for name in
        ["ls", "cat", "grep", "git", "echo", "cargo", "env-update", "timeoutd", "lsh", "bashful", "./x"]
    {
        check(&[(name, "nothing"), (&format!("{name} -x y ~n"), "nothing")]);
    }
}
