//! `find` and `fd`: the commands they run on what they find.

use super::{check, opaque, starts_nothing};

#[test]
fn what_runs_nothing_starts_nothing() {
    starts_nothing(
        "
        find   find .   find . -name x -type f -maxdepth 3   find . -name -exec~1   find . -delete
        find ./~1 -name x   find ~1 -name x   find . -name ~1   find src~e -name x   fd x   fd -e rs x
        fd -t f   fd -- -x
    ",
    );
}

#[test]
fn each_command_is_started() {
    check(&[
        ("find . -exec ls x ;", "ls x"),
        ("find . -execdir ls x ;", "ls x"),
        ("find . -ok ls x ;", "ls x"),
        ("find . -okdir ls x ;", "ls x"),
        ("find . -exec ls {} +", "ls .~e"),
        ("find . -exec ls {} ;", "ls .~1"),
        ("find -name x -exec ls {} ;", "ls .~1"),
        ("find -L src -name x -exec ls {} ;", "ls src~1"),
        ("find src/a src/b -type f -exec ls {} +", "ls src/~e"),
        ("find /a b -type f -exec ls {} +", "ls ~e"),
        ("find src/~1 -exec ls {} +", "ls src/~e"),
        ("find . -execdir ls {} +", "ls ~e"),
        ("find . ( -name a -o -name b ) -exec ls {} +", "ls .~e"),
        ("find . ! -name a -exec ls {} ;", "ls .~1"),
        ("find ( -name a ) -exec ls {} ;", "ls ~1"),
        ("find . -exec cp {} a/{}.old ;", "cp .~1 a/~1"),
        ("find . -name x -exec ls {} ; -exec rm {} +", "ls .~1 & rm .~e"),
        ("find . -exec grep ~1 {} ;", "grep ~1 .~1"),
        ("find -x . -exec ls {} ;", "ls ~1"),
        ("find -f -x -exec ls {} ;", "ls ~1"),
        ("find -files0-from f -exec ls {} ;", "ls ~1"),
        ("find . -exec sh -c id ;", "sh -c id"),
        ("find . -exec echo ; -delete", "echo"),
        ("gfind . -exec ls x ;", "ls x"),
    ]);
}

#[test]
fn what_could_run_anything_is_opaque() {
    opaque(
        "
        find . -exec {} ;   find . -exec ./{} ;   find . -exec ~1 ;   find . -exec   find . -exec ls
        find . -exec ls {}   find . -exec ;   find . -exec ls x +   find . -exec ls 1 + 2 ;
        find . -fprintf -exec ls -exec rm {} ;   find . -name -exec -o -exec rm {} ;   find . ~n
        find ~n -name x   find ~e -name x   find . ~1 rm x ;   find . -name x ~n   find . -exec echo ~n ;
        find . -exec echo ~1 ~1 rm {} ;   find . -exec ( ;   find . -exec '' ;   fd -x rm   fd -X rm
        fd -Hx rm   fd --exec rm   fd --exec=rm   fd --exec-batch rm   fd ~1   fd . ~n   fd -e -- -x rm
    ",
    );
}
