//! Programs that start others in ways that are not looked through here.
//!
//! May not be taken for a list of dangerous programs: these are merely the ones with words that are not understood.

use super::{Opaque, Word};
use crate::policy::tables::ProgramTable;
use std::sync::LazyLock;

static TABLE: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../presets/opaque.table")));

/// How the names of loaders begin.
const LOADERS: &[&str] = &["ld-linux", "ld-musl", "ld64.so", "ld.so", "ld-2.", "qemu-", "s6-"];

/// Refuses the programs with words that are not understood, unless they are asked for help.
pub(super) fn is_understood(name: &str, words: &[Word]) -> Result<(), Opaque> {
    let help = |word: &Word| word.text().is_some_and(|word| word == "--help" || word == "--version");
    if matches!(words, [_, word] if help(word)) {
        return Ok(());
    }
    let starts = TABLE.exactly(name).and_then(|row| row.value("starts"));
    if starts == Some("another-root") {
        return Err(Opaque::because("the programs it starts are those of another root"));
    }
    if starts.is_some() || LOADERS.iter().any(|start| name.starts_with(start)) {
        return Err(Opaque::because(format!("what `{name}` starts is not understood")));
    }
    Ok(())
}
