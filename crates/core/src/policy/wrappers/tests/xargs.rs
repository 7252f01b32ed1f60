//! `xargs`: the words that only its input knows are open.

use super::{check, each, opaque, starts_nothing};

#[test]
fn words_of_the_input_stand_behind_the_command() {
    for spelled in each(
        "
        xargs ls x   xargs -0 ls x   xargs -n1 ls x   xargs -n 1 ls x   xargs -0n 1 ls x
        xargs --max-args=1 ls x   xargs --max-args 1 ls x   xargs --max-a 1 ls x   xargs -P4 -t ls x
        xargs -r ls x   xargs -a f ls x   xargs -d , ls x   xargs -d, ls x   xargs -E end ls x
        xargs -e ls x   xargs -eend ls x   xargs --eof ls x   xargs --eof=end ls x   xargs -L 1 ls x
        xargs -l ls x   xargs -l1 ls x   xargs --max-lines ls x   xargs --max-lines=1 ls x
        xargs -s 99 -x ls x   xargs -- ls x   xargs --no-run ls x   xargs --null ls x
    ",
    ) {
        check(&[(spelled, "ls x ~n")]);
    }
    check(&[
        ("xargs", "echo ~n"),
        ("xargs -0", "echo ~n"),
        ("xargs -l 1 ls", "1 ls ~n"),
        ("xargs ls -l", "ls -l ~n"),
    ]);
    check(&[("xargs -n1 env", "env ~n"), ("env ~n", "opaque"), ("xargs sh -c 'id'", "sh -c id ~n")]);
    starts_nothing("xargs --help   xargs --version");
}

#[test]
fn words_that_the_input_takes_the_place_of_are_open() {
    for spelled in each(
        "
        xargs -I {} cp a/{} b   xargs -I{} cp a/{} b   xargs -i cp a/{} b   xargs -i{} cp a/{} b
        xargs -0I {} cp a/{} b   xargs --replace cp a/{} b   xargs --replace={} cp a/{} b
        xargs --rep={} cp a/{} b
    ",
    ) {
        check(&[(spelled, "cp a/~1 b")]);
    }
    check(&[
        ("xargs -I_ touch pwned", "touch pwned"),
        ("xargs -I % ls % x", "ls ~1 x"),
        ("xargs -I {} -n 1 ls {}", "ls ~1 ~n"),
        ("xargs -i _ ls", "_ ls"),
        ("xargs -I {} sh -c 'ls {}'", "sh -c ls ~1"),
    ]);
}

#[test]
fn what_the_input_could_turn_into_a_program_is_opaque() {
    opaque(
        "
        xargs -I {} {}   xargs -I {} ./{} x   xargs -I ~1 ls   xargs -I '' ls   xargs -I {} -I % ls
        xargs ~1   xargs -n ~n ls   xargs -J % ls   xargs --process-slot-var=PATH ls   xargs --unknown ls
        xargs -I   xargs -n   xargs --max 1 ls   xargs ''   xargs -I e env
    ",
    );
}
