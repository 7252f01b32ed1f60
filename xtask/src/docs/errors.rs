//! The page of error codes, from the table of codes.

use super::table::{table, top};
use runward_core::error::{CodeRow, Fixer, TABLE};

const LEAD: &str = "Every refusal and failure has one of these codes. A code is never renamed or removed. \
The exit code is what `runward` ends with when it has no exit code of a command to pass on.";

/// The whole page.
pub(crate) fn page() -> String {
    let heads = ["code", "stage", "meaning", "fixed by", "try again", "exit"];
    top("Error codes", "`crates/core/src/error/code.rs`", LEAD) + &table(heads, TABLE.iter().map(row))
}

fn row(row: &CodeRow) -> [String; 6] {
    [
        format!("`{}`", row.name),
        row.stage.to_owned(),
        row.meaning.to_owned(),
        fixer(row.fixer).to_owned(),
        if row.retry { "may help" } else { "no use" }.to_owned(),
        row.exit.to_string(),
    ]
}

fn fixer(fixer: Fixer) -> &'static str {
    match fixer {
        Fixer::Caller => "the caller",
        Fixer::Owner => "the owner of the configuration",
        Fixer::Host => "the machine's operator",
        Fixer::Us => "the authors of Runward",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_row() {
        let page = page();
        assert!(TABLE.iter().all(|row| page.contains(&format!("| `{}` |", row.name))));
    }
}
