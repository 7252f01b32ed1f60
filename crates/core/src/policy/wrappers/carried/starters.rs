//! Programs that are nothing but a way to run something: editors with commands, debuggers, schedulers, other
//! machines.
//!
//! May not know options in detail: the few harmless ways to call these are named, all others count.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::tables::{ProgramTable, TableSection};
use crate::policy::wrappers::name::unversioned;
use crate::policy::wrappers::options::{OptionOrder, read};
use std::sync::LazyLock;

static TABLE: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/orders.table")));

/// Whether a program runs its words on another machine.
pub(super) fn is_other_machine(name: &str) -> bool {
    TABLE.exactly(name).and_then(|row| row.value("does")) == Some("elsewhere")
}

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    if matches!((name, words), ("crontab" | "at", [_, word]) if word.text() == Some("-l")) {
        return None;
    }
    match TABLE.exactly(name).filter(|row| row.value("does") != Some("orders")) {
        Some(row) if row.value("does") == Some("opens") => {
            Some(Carried::new(format!("`{name}` starts other programs"), 2))
        }
        Some(row) => Some(other_machine(row, name, words)),
        None => {
            let row = TABLE.find(name, unversioned(name))?;
            (row.value("does") == Some("orders"))
                .then(|| Carried::never(format!("`{name}` runs what it is told")))
        }
    }
}

/// `ssh HOST COMMAND…`, with options that run nothing here.
fn other_machine(row: TableSection, name: &str, words: &[Word]) -> Carried {
    let read = match read(row, OptionOrder::First, words) {
        Ok(read) => read,
        Err(opaque) => return Carried::never(format!("`{name}` may run something here: {opaque}")),
    };
    let at = words.len() - read.operands.len();
    match (words.get(at), words.get(at + 1)) {
        (Some(host), _) if host.may_be_option() => {
            Carried::never(format!("{} may run what it names", shown(name, words, at)))
        }
        (Some(_), Some(command)) if command.may_be_option() => {
            Carried::never(format!("{} may run what it names", shown(name, words, at + 1)))
        }
        (Some(_), Some(_)) => Carried::new(format!("`{name}` runs its words on another machine"), at + 2),
        (Some(_), None) => {
            Carried::new(format!("`{name}` runs the code it is fed on another machine"), at + 1)
        }
        (None, _) => Carried::new(format!("`{name}` runs code on another machine"), 1),
    }
}
