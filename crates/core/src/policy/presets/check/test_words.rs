//! The expressions of `test`.
//!
//! Hazard: bash evaluates the name after `-v` and `-R`, and runs what stands in its brackets. May not let a word
//! that is not known stand where an operator could.

use super::super::walk::No;
use crate::policy::{Spread, Word};

const BINARY: &[&str] =
    &["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];

/// Whether the words are an expression that evaluates nothing.
pub(in super::super) fn test_expression(path: &str, operands: &[&Word]) -> Result<(), No> {
    let no = |why: &str| Err(No::Because(format!("`{path}` is refused: {why}")));
    let operator = |word: &Word| matches!(word.text(), Some("-v" | "-R"));
    if operands.iter().any(|word| operator(word)) {
        return no("`-v` and `-R` evaluate the name they are given");
    }
    if operands.iter().any(|word| word.text().is_some_and(|text| text.contains("$(") || text.contains('`'))) {
        return no("a word holds a command that may be evaluated");
    }
    let open = |word: &&&Word| matches!(word, Word::Open { .. });
    if operands.iter().any(|word| matches!(word, Word::Open { spread: Spread::Each | Spread::Any, .. })) {
        return no("a word may become several; quote it");
    }
    let words = match operands {
        [first, rest @ ..] if first.text() == Some("!") => rest,
        all => all,
    };
    let known = match words {
        _ if words.iter().filter(open).count() == 0 => true,
        [_] => true,
        [operator, _] => operator.exact().is_some(),
        [_, operator, _] => operator.text().is_some_and(|text| BINARY.contains(&text)),
        _ => false,
    };
    if known { Ok(()) } else { no("a word that is only known when it runs may turn out to be an operator") }
}
