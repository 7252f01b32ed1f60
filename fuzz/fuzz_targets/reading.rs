//! Any text: it is read or refused, and what bash then starts had been read.
//!
//! bash is asked where `RUNWARD_RECORDER` names the recorder; `cargo xtask fuzz` sees to that.
#![no_main]

use libfuzzer_sys::fuzz_target;
use runward_core::policy::{Dialect, read};
use std::cell::RefCell;
use testkit::oracle::{Oracle, OracleVerdict};

thread_local! {
    static ORACLE: RefCell<Option<Oracle>> = RefCell::new(
        std::env::var_os("RUNWARD_RECORDER").map(|recorder| Oracle::new(recorder.as_ref()).expect("a sandbox")),
    );
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(script) = std::str::from_utf8(bytes) else { return };
    let _ = read(script, Dialect::Posix);
    let _ = read(script, Dialect::Zsh);
    let _ = read(script, Dialect::Other);
    ORACLE.with_borrow_mut(|oracle| match oracle {
        Some(oracle) => {
            if let OracleVerdict::Disagrees(why) = oracle.verdict(script).expect("bash runs") {
                panic!("{why}");
            }
        }
        None => drop(read(script, Dialect::Bash)),
    });
});
