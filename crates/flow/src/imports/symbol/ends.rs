//! Where declarations end: with the brace that closes their body, a semicolon, or the end of a line. May not look for any.

use super::super::mask::QuoteLanguage;
use super::signs::Signs;

/// How a declaration ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// With its body, or a semicolon before one.
    Body,
    /// The same, or with the line of a function that has no body.
    Signature,
    /// With a semicolon, or the line where nothing goes on.
    Statement,
    /// With the last line that stands further in.
    Indented,
}

/// Signs that say that something goes on in the next line, at the end of one or at the beginning of the next.
const GOES_ON: &str = "= | & + - * / ? : , . < ( [ { ^ % await new typeof keyof in of instanceof extends as satisfies implements";
const GOES_ON_NEXT: &str = "= | & + - * / ? : , . < > ) ] } extends as satisfies instanceof implements";

/// The byte behind the declaration whose word is this sign.
pub(super) fn end(signs: &Signs<'_>, word: usize, ends: Ends, language: QuoteLanguage) -> usize {
    let (mut at, mut parameters) = (word + 1, false);
    while at < signs.len() {
        let over =
            ends != Ends::Body && language != QuoteLanguage::Rust && signs.is_first(at) && at > word + 1;
        if over && line_ends(signs, at, ends, parameters) {
            return signs.end(at - 1);
        }
        match signs.mark(at) {
            Some(";") => return signs.end(at),
            // Whatever is around it ends here.
            Some(")" | "]" | "}") => return signs.end(at - 1),
            Some("{") if ends != Ends::Statement && is_body(signs, at, language) => {
                return signs.pair(at).map_or(signs.end(signs.len()), |close| signs.end(close));
            }
            Some("(" | "[" | "{") => {
                parameters |= signs.mark(at) == Some("(");
                at = signs.behind(at);
            }
            _ => at += 1,
        }
    }
    signs.end(signs.len())
}

/// Whether the line before this sign was the last one.
fn line_ends(signs: &Signs<'_>, at: usize, ends: Ends, parameters: bool) -> bool {
    let body = ends == Ends::Signature && (!parameters || signs.mark(at) == Some("{"));
    !body && !goes_on(signs, at)
}

/// Whether what stands before this sign, the first of its line, goes on with it.
pub(super) fn goes_on(signs: &Signs<'_>, at: usize) -> bool {
    let Some(last) = at.checked_sub(1) else { return false };
    let twice = |from: usize| signs.are(from, ["+", "+"]) || signs.are(from, ["-", "-"]);
    let counted = last.checked_sub(1).is_some_and(&twice);
    let arrow = last.checked_sub(1).is_some_and(|before| signs.are(before, ["=", ">"]));
    let is_one =
        |at: usize, all: &str| signs.sign(at).is_some_and(|sign| all.split(' ').any(|one| one == sign));
    arrow || (is_one(last, GOES_ON) && !counted) || (is_one(at, GOES_ON_NEXT) && !twice(at))
}

/// Whether a brace before any body begins it: not where it stands in a type or in the arguments of one.
pub(super) fn is_body(signs: &Signs<'_>, at: usize, language: QuoteLanguage) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    if language == QuoteLanguage::Rust {
        let behind = signs.behind(at);
        let argument = signs.is_one_of(before, &["<", ","]) && signs.mark(behind) == Some(",");
        return signs.mark(behind) != Some(">") && !argument;
    }
    let arrow = before.checked_sub(1).is_some_and(|first| signs.are(first, ["=", ">"]));
    let in_type =
        [":", "|", "&", "<", ",", "=", "?", "extends", "keyof", "typeof", "is", "infer", "readonly"];
    !arrow && !signs.is_one_of(before, &in_type)
}
