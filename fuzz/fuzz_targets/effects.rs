//! Any text: where policy allows it in a hostile folder, nothing runs and nobody connects that was not allowed.
//!
//! Texts are run where we are root, and can become nobody; `cargo xtask fuzz` tells when they are not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use testkit::oracle::{Effect, Effects};

thread_local! {
    static EFFECTS: RefCell<Option<Effects>> = RefCell::new(Effects::new().expect("a hostile folder"));
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(script) = std::str::from_utf8(bytes) else { return };
    EFFECTS.with_borrow_mut(|effects| {
        let Some(effects) = effects else { return };
        match effects.effect(script) {
            Ok(Effect::Escaped(what)) => panic!("{what}"),
            Ok(_) => {}
            // The fuzzer's own alarm clock.
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => panic!("bash does not run: {error}"),
        }
    });
});
