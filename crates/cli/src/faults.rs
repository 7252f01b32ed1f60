//! Panics: each is reported in one sentence, with the exit code of an internal failure.
//!
//! May not be the answer to anything that can be foreseen: that is an error with a code of its own.

use crate::output::{OutputFormat, VerbFailure, tell};
use runward::host::prepare_last_words;
use runward::{Code, ErrorView};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

/// Runs something, and gives the exit code: its own, or that of a panic.
pub(crate) fn told(work: impl FnOnce() -> i32) -> i32 {
    std::panic::set_hook(Box::new(say));
    if let Err(why) = prepare_last_words() {
        let hint = Some("Raise the limit on the stack, then try again.".to_owned());
        return VerbFailure::Told(ErrorView { code: Code::SpawnResources, message: why, hint })
            .tell(OutputFormat::Plain);
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(125)
}

/// A panic may be caught further up, as that of one call to a server is: reporting it ends nothing.
fn say(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let what = panic.payload_as_str().unwrap_or("without a word").replace('\n', " ");
    tell(&format!("something in Runward itself went wrong{place}: {what} [internal]"));
}
