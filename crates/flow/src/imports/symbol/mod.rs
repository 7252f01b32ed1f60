//! One declaration in a source text, found by its name. May not read the whole language: only where declarations begin
//! and end.
//!
//! What is found is one piece of the file. It begins at the beginning of a line, with the documentation and the attributes
//! that stand directly above, or at the declaration itself where something else stands before it on its line. It ends with
//! the declaration. Of several with the same name the least nested is meant, and of those the first; a type is meant
//! before what is implemented for it.

mod ends;
mod python;
mod rust;
mod script;
mod signs;

use super::mask::{Mask, QuoteLanguage};
use ends::Ends;
use signs::Signs;
use std::ops::Range;

/// Something that is declared.
#[derive(Debug, Clone, Copy)]
struct Declaration<'t> {
    name: &'t str,
    /// The first sign of it, attributes included.
    first: usize,
    /// The word that declares.
    word: usize,
    ends: Ends,
    nesting: usize,
    /// Whether it implements something for the name.
    implements: bool,
}

/// The bytes of the declaration of a name in a file. If there is none: all names that are declared there.
pub fn find<'t>(file: &str, text: &'t str, name: &str) -> Result<Range<usize>, Vec<&'t str>> {
    let language = QuoteLanguage::of(file);
    let mask = Mask::of(text, language);
    let signs = Signs::of(text, &mask, language);
    let all = match language {
        QuoteLanguage::Rust => rust::declarations(&signs),
        QuoteLanguage::Python => python::declarations(text, &signs),
        QuoteLanguage::Script | QuoteLanguage::Unknown => script::declarations(&signs, language),
    };
    let named = all.iter().filter(|one| one.name == name);
    let Some(found) = named.min_by_key(|one| (one.implements, one.nesting)) else { return Err(names(&all)) };
    let start = begin(text, &mask, signs.begin(found.first));
    let end = match found.ends {
        Ends::Indented => python::end(text, &mask, signs.begin(found.word)),
        _ => ends::end(&signs, found.word, found.ends, language),
    };
    Ok(start..start + text[start..end.max(start)].trim_end().len())
}

/// Every name once, in the order of the text.
fn names<'t>(all: &[Declaration<'t>]) -> Vec<&'t str> {
    let mut seen = std::collections::HashSet::new();
    all.iter().map(|one| one.name).filter(|name| seen.insert(*name)).collect()
}

/// Where a declaration begins for people: its line, unless something else stands there, with the documentation above.
fn begin(text: &str, mask: &Mask, at: usize) -> usize {
    let mut start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let alone = (start..at).all(|byte| mask.is_comment(byte) || text.as_bytes()[byte].is_ascii_whitespace());
    if !alone {
        return at;
    }
    while let Some(above) = documentation(text, mask, start) {
        start = above;
    }
    start
}

/// The beginning of the documentation that ends right before this line, or goes on in it.
fn documentation(text: &str, mask: &Mask, line: usize) -> Option<usize> {
    let above = text[..line].strip_suffix('\n')?;
    let start = above.rfind('\n').map_or(0, |newline| newline + 1);
    let content = above[start..].trim();
    if content.starts_with("///") && !content.starts_with("////") && mask.is_comment(above.len() - 1) {
        return Some(start);
    }
    // A comment that goes over several lines: to where it begins.
    let last = line.checked_sub(2).filter(|_| content.ends_with("*/") || mask.is_comment(line - 1))?;
    let last = text[..=last].trim_end().len().checked_sub(1)?;
    let begin = (0..=last).rev().take_while(|byte| mask.is_comment(*byte)).last()?;
    let start = text[..begin].rfind('\n').map_or(0, |newline| newline + 1);
    let comment = &text[begin..=last];
    let is_documentation = comment.starts_with("/**") && !comment.starts_with("/**/");
    (is_documentation && text[start..begin].trim().is_empty()).then_some(start)
}

#[cfg(test)]
mod tests;
