//! Programs that hand a text to a shell.

use super::{check, opaque, starts_ls, starts_nothing};

#[test]
fn flock() {
    starts_ls(
        "
        flock f ls x   flock -n f ls x   flock -nx f ls x   flock -w 5 f ls x   flock -w5 f ls x
        flock --timeout=5 f ls x   flock --wait 5 f ls x   flock -E 3 -- f ls x   flock f~1 ls x
    ",
    );
    check(&[
        ("flock f -c 'ls x'", "$SHELL: ls x"),
        ("flock f --command 'ls x'", "$SHELL: ls x"),
        ("flock -n f -c 'ls x; id'", "$SHELL: ls x; id"),
    ]);
    starts_nothing("flock   flock 9   flock -u 9   flock --help");
    opaque(
        "
        flock -c ls f   flock f -c   flock f -c a b   flock f -c ~1   flock ~1 ls   flock f ~1
        flock f -cls
    ",
    );
}

#[test]
fn script() {
    check(&[
        ("script -c 'ls x'", "$SHELL: ls x"),
        ("script -qc 'ls x' /dev/null", "$SHELL: ls x"),
        ("script '-qcls x' /dev/null", "$SHELL: ls x"),
        ("script /dev/null -c 'ls x'", "$SHELL: ls x"),
        ("script /dev/null -qc 'ls x'", "$SHELL: ls x"),
        ("script --command='ls x' f", "$SHELL: ls x"),
        ("script --com 'ls x' f", "$SHELL: ls x"),
        ("script -q -T t -c ls f", "$SHELL: ls"),
        ("script -q /dev/null ls x", "ls x"),
        ("script /dev/null bash -c id", "bash -c id & $SHELL: id"),
        ("script f ls --unknown", "ls --unknown"),
    ]);
    starts_nothing("script --help   script -V");
    opaque(
        "
        script   script f   script -q f   script -c ~1   script -t 0 ls   script f -- ls   script -- ls
        script ~1
    ",
    );
}

#[test]
fn watch() {
    check(&[
        ("watch ls x", "sh: ls x"),
        ("watch 'ls x; id'", "sh: ls x; id"),
        ("watch -n 1 ls", "sh: ls"),
        ("watch -n1 ls -l", "sh: ls -l"),
        ("watch -d ls", "sh: ls"),
        ("watch -dcumulative ls", "sh: ls"),
        ("watch --differences=x ls", "sh: ls"),
        ("watch --interval 1 ls", "sh: ls"),
        ("watch --int=1 ls", "sh: ls"),
        ("watch -- ls", "sh: ls"),
        ("watch -x ls 'a b'", "ls a b"),
        ("watch -tx ls x", "ls x"),
        ("watch --exec ls x", "ls x"),
    ]);
    starts_nothing("watch   watch -n 1   watch -v");
    opaque("watch ls ~1   watch ~1   watch -x ~1   watch -Z ls   watch --e ls");
}

#[test]
fn su() {
    check(&[
        ("su -c 'ls x'", "$SHELL: ls x"),
        ("su bob -c 'ls x'", "$SHELL: ls x"),
        ("su - bob -c 'ls x'", "$SHELL: ls x"),
        ("su -c 'ls x' bob", "$SHELL: ls x"),
        ("su -lc ls bob", "$SHELL: ls"),
        ("su -cls bob", "$SHELL: ls"),
        ("su --command=ls", "$SHELL: ls"),
        ("su --com ls", "$SHELL: ls"),
        ("su --session-command=ls", "$SHELL: ls"),
        ("su -s /bin/sh -c ls bob", "/bin/sh: ls"),
        ("su --shell=/bin/sh -c ls bob", "/bin/sh: ls"),
        ("runuser bob -c ls", "$SHELL: ls"),
        ("runuser -l bob -c ls", "$SHELL: ls"),
    ]);
    starts_nothing("su --help");
    opaque(
        "
        su   su bob   su -   su bob x -c ls   su bob -- -c ls   su -c ~1   su ~1 -c ls   su -s ~1 -c ls
    ",
    );
}
