//! One declaration in a source text, found by its name. May not read the whole language: only where declarations begin
//! and end.

use super::mask::{Language, Mask};
use std::ops::Range;

/// Words that may stand before the word that declares.
const BEFORE: &[&str] =
    &["export", "default", "async", "declare", "abstract", "unsafe", "extern", "public", "private"];
/// What ends with the brace that closes its body, or with a semicolon.
const BODIES: &[&str] =
    &["interface", "function", "function*", "class", "enum", "fn", "struct", "trait", "union", "namespace"];
/// What ends where its statement ends.
const STATEMENTS: &[&str] = &["type", "const", "let", "var", "static"];
/// Signs that say that a statement goes on in the next line, at the end of one or at the beginning of the next.
const GOES_ON: &[u8] = b"=|&+-*/?:,.<([{";
const GOES_ON_NEXT: &[u8] = b"=|&+*?:,.<>)]}";

/// Where something is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Declaration<'t> {
    name: &'t str,
    keyword: &'t str,
    /// The first byte of its line.
    line: usize,
    indent: usize,
}

/// The bytes of the declaration of a name in a file. If there is none: all names that are declared there.
pub fn find<'t>(file: &str, text: &'t str, name: &str) -> Result<Range<usize>, Vec<&'t str>> {
    let language = Language::of(file);
    let mask = Mask::of(text, language);
    let all = declarations(text, &mask, language);
    // What stands at the top is meant before what stands inside something, a type before what is implemented for it.
    let best = all
        .iter()
        .filter(|one| one.name == name)
        .min_by_key(|one| (one.keyword == "impl", one.indent, one.line));
    let Some(found) = best else { return Err(all.into_iter().map(|one| one.name).collect()) };
    let end = match language {
        Language::Python => end_by_indent(text, &mask, found),
        _ if STATEMENTS.contains(&found.keyword) => end_of_statement(text, &mask, found.line),
        _ => end_of_body(text, &mask, found.line),
    };
    Ok(with_what_stands_above(text, language, found.line)..end)
}

fn declarations<'t>(text: &'t str, mask: &Mask, language: Language) -> Vec<Declaration<'t>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if mask.is_code(at + indent)
            && let Some((keyword, name)) = declared(line.trim_start(), language)
        {
            found.push(Declaration { name, keyword, line: at, indent });
        }
        at += line.len();
    }
    found
}

/// What a line declares: the word that does it, and the name.
fn declared(line: &str, language: Language) -> Option<(&str, &str)> {
    let mut rest = match language {
        Language::Rust => without_attributes(line),
        Language::Python | Language::Braces => line,
    };
    loop {
        let (word, after) = next_word(rest)?;
        let next = next_word(after).map_or("", |(next, _)| next);
        let known = match language {
            Language::Python => word == "def" || word == "class",
            _ => BODIES.contains(&word) || STATEMENTS.contains(&word),
        };
        let only_before = BEFORE.contains(&word) || word.starts_with("pub") || word.starts_with('"');
        // `const fn`, `const enum`, `static async`: the word behind declares.
        let behind = known && (BODIES.contains(&next) || next == "unsafe" || next == "async");
        if word == "impl" || word.starts_with("impl<") {
            return Some(("impl", implemented(line)?));
        }
        if known && !behind {
            let name = after.trim_start().trim_start_matches("mut ").trim_start_matches('*').trim_start();
            let end = name.find(|one: char| !is_part(one)).unwrap_or(name.len());
            return (end > 0).then(|| (word, &name[..end]));
        }
        if !only_before && !behind {
            return None;
        }
        rest = after;
    }
}

/// What follows the attributes at the beginning of a line of Rust.
fn without_attributes(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(inside) = rest.strip_prefix("#[") {
        let mut depth = 1;
        let end = inside.find(|one: char| {
            depth += match one {
                '[' => 1,
                ']' => -1,
                _ => 0,
            };
            depth == 0
        });
        // One that goes on in the next line takes all of this one.
        rest = end.map_or("", |at| inside[at + 1..].trim_start());
    }
    rest
}

/// The next word up to white space, and what follows.
fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The type that an `impl` is for.
fn implemented(line: &str) -> Option<&str> {
    let head = line.split('{').next()?.split(" where ").next()?;
    let of = match head.rsplit_once(" for ") {
        Some((_, of)) => of,
        None => behind_generics(head.split_once("impl")?.1),
    };
    let of = of.trim().trim_start_matches(['&', '*']);
    let path = &of[..of.find(|one: char| !is_part(one) && one != ':').unwrap_or(of.len())];
    path.rsplit(':').next().filter(|name| !name.is_empty())
}

fn behind_generics(text: &str) -> &str {
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 && sign == '>' {
            return &text[at + 1..];
        }
        if depth == 0 && !sign.is_whitespace() {
            break;
        }
    }
    text
}

fn is_part(one: char) -> bool {
    one.is_alphanumeric() || one == '_' || one == '$'
}

/// The end of the first body, or of the semicolon before one. An object that is a type is followed by the body.
fn end_of_body(text: &str, mask: &Mask, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for (at, sign) in bytes.iter().enumerate().skip(from) {
        if !mask.is_code(at) {
            continue;
        }
        match sign {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b'}' => {
                depth = depth.saturating_sub(1);
                let more = text[at + 1..].lines().next().unwrap_or_default().trim_start();
                if depth == 0 && !more.starts_with(['{', '|', '&', '[', '>', ',']) {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.trim_end().len().max(from)
}

/// The semicolon that ends a statement, or the end of the line that does.
fn end_of_statement(text: &str, mask: &Mask, from: usize) -> usize {
    let (mut depth, mut last) = (0usize, from);
    for (at, sign) in text.bytes().enumerate().skip(from) {
        match sign {
            // A comment at the end of a line is neither its end nor what it ends with.
            _ if !mask.is_code(at) && !mask.is_text(at) => {}
            b'\n' if depth == 0 && mask.is_code(at) && !goes_on(text, last, at) => return last + 1,
            _ if sign.is_ascii_whitespace() => {}
            _ => {
                last = at;
                match sign {
                    _ if !mask.is_code(at) => {}
                    b'(' | b'[' | b'{' => depth += 1,
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    b';' if depth == 0 => return at + 1,
                    _ => {}
                }
            }
        }
    }
    last + 1
}

/// Whether a statement whose last sign so far is known goes on behind this end of a line.
fn goes_on(text: &str, last: usize, newline: usize) -> bool {
    let bytes = text.as_bytes();
    let arrow = bytes[last] == b'>' && last > 0 && bytes[last - 1] == b'=';
    let next = text[newline..].trim_start().as_bytes().first();
    arrow || GOES_ON.contains(&bytes[last]) || next.is_some_and(|next| GOES_ON_NEXT.contains(next))
}

/// The last line that stands further in than the declaration, or belongs to what is still open.
fn end_by_indent(text: &str, mask: &Mask, found: &Declaration<'_>) -> usize {
    let (mut at, mut end, mut depth) = (found.line, found.line, 0usize);
    for line in text[found.line..].split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let first = at + indent;
        let inside = depth > 0 || mask.is_text(at) || indent > found.indent || at == found.line;
        let silent = line.trim().is_empty() || mask.is_comment(first);
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

/// Attributes, decorators and documentation that belong to the declaration.
fn with_what_stands_above(text: &str, language: Language, line: usize) -> usize {
    let mut start = line;
    while let Some(above) = text[..start].strip_suffix('\n') {
        let begin = above.rfind('\n').map_or(0, |at| at + 1);
        let content = above[begin..].trim();
        let belongs = match language {
            Language::Rust => {
                content.starts_with("///")
                    || (content.starts_with("#[") && without_attributes(content).is_empty())
            }
            Language::Python => content.starts_with('@'),
            Language::Braces => false,
        };
        if !belongs {
            break;
        }
        start = begin;
    }
    start
}

#[cfg(test)]
#[path = "symbol_tests.rs"]
mod tests;
