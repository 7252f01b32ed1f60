//! What Python declares, and where its blocks end. May not look into them.

use super::Declaration;
use super::ends::Ends;
use super::signs::Signs;
use crate::imports::mask::Mask;

/// Everything that is declared, in the order of the text.
pub(super) fn declarations<'t>(text: &str, signs: &Signs<'t>) -> Vec<Declaration<'t>> {
    (0..signs.len()).filter(|at| begins(signs, *at)).filter_map(|at| declared(text, signs, at)).collect()
}

/// Whether a statement begins here: not within brackets, and not in a line that goes on.
fn begins(signs: &Signs<'_>, at: usize) -> bool {
    let goes_on = at.checked_sub(1).is_some_and(|before| signs.mark(before) == Some("\\"));
    signs.is_first(at) && signs.inside(at).is_none() && !goes_on
}

fn declared<'t>(text: &str, signs: &Signs<'t>, first: usize) -> Option<Declaration<'t>> {
    let mut word = first;
    while signs.mark(word) == Some("@") {
        word = next_line(signs, word);
    }
    if signs.word(word) == Some("async") {
        word += 1;
    }
    let follow: &[&str] = match signs.word(word)? {
        "def" => &["(", "["],
        "class" => &["(", "[", ":"],
        "type" => &["=", "["],
        _ => return None,
    };
    let name = signs.name(word + 1).filter(|_| signs.is_one_of(word + 2, follow))?;
    let nesting = indent(text, signs.begin(first));
    Some(Declaration { name, first, word, ends: Ends::Indented, nesting, implements: false })
}

/// The first sign of the next statement.
fn next_line(signs: &Signs<'_>, from: usize) -> usize {
    let mut at = from + 1;
    while at < signs.len() && !begins(signs, at) {
        at = if signs.is_one_of(at, &["(", "[", "{"]) { signs.behind(at) } else { at + 1 };
    }
    at
}

fn indent(text: &str, at: usize) -> usize {
    let line = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[line..].len() - text[line..].trim_start().len()
}

/// The end of the last line that stands further in than the one of this byte, or belongs to what is still open.
pub(super) fn end(text: &str, mask: &Mask, word: usize) -> usize {
    let start = text[..word].rfind('\n').map_or(0, |newline| newline + 1);
    let outer = indent(text, word);
    let (mut at, mut end, mut depth) = (start, start, 0usize);
    for line in text[start..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let inside = depth > 0 || mask.is_text(at) || indent > outer || at == start;
        let silent = line.trim().is_empty() || mask.is_comment(at + indent);
        if !inside && !silent {
            break;
        }
        for (_, sign) in line.bytes().enumerate().filter(|(offset, _)| mask.is_code(at + offset)) {
            match sign {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        at += line.len();
        if inside && !line.trim().is_empty() {
            end = at - (line.len() - line.trim_end().len());
        }
    }
    end
}
