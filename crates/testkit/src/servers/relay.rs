//! The least that can stand between a client and a server: `bare-relay PROGRAM` copies what either says to the other.
//!
//! It reads nothing and knows nothing, so what it adds to a call is what one more process on the way adds.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

fn main() {
    let program = std::env::args_os().nth(1).expect("a program");
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let (to, from) = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
    let down = std::thread::spawn(move || copy(std::io::stdin().lock(), to));
    copy(from, std::io::stdout().lock());
    drop(down.join());
    drop(child.wait());
}

fn copy(mut from: impl Read, mut to: impl Write) {
    let mut buffer = [0; 65536];
    while let Ok(len @ 1..) = from.read(&mut buffer) {
        if to.write_all(&buffer[..len]).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}
