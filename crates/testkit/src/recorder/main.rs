//! A program that notes that it was started, by which name and with which words, and says something hostile.
//!
//! It writes to `log.N` beside its folder, where `N` is the value of `RECORD`. It knows its own place, so a script cannot
//! lead it elsewhere by its working directory.

use std::fs::OpenOptions;
use std::io::Write;

fn main() {
    let words: Vec<_> = std::env::args_os().collect();
    let mut note = format!("{}\0", words.len()).into_bytes();
    for word in &words {
        note.extend_from_slice(word.as_encoded_bytes());
        note.push(0);
    }
    let place = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.parent()?.to_owned()));
    let run = std::env::var("RECORD").unwrap_or_default();
    if let Some(place) = place {
        let log = OpenOptions::new().append(true).create(true).open(place.join(format!("log.{run}")));
        // One call, so that notes of programs that run side by side do not mix.
        log.and_then(|mut log| log.write_all(&note)).expect("the log can be written");
    }
    println!("a[$(pwn)] -v");
}
