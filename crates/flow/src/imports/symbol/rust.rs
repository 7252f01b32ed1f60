//! What Rust declares. May not look at bodies.

use super::Declaration;
use super::ends::Ends;
use super::signs::Signs;

/// Everything that is declared, in the order of the text.
pub(super) fn declarations<'t>(signs: &Signs<'t>) -> Vec<Declaration<'t>> {
    (0..signs.len()).filter(|at| begins(signs, *at)).filter_map(|at| declared(signs, at)).collect()
}

/// Whether something may be declared from here on: behind what ended, what opened, or an attribute of what is around.
fn begins(signs: &Signs<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let opened = signs.pair(before).filter(|_| signs.mark(before) == Some("]"));
    let inner = opened.and_then(|open| open.checked_sub(2)).is_some_and(|hash| signs.are(hash, ["#", "!"]));
    inner || signs.is_one_of(before, &["{", "}", ";"])
}

fn declared<'t>(signs: &Signs<'t>, first: usize) -> Option<Declaration<'t>> {
    let mut at = first;
    loop {
        if signs.mark(at) == Some("#") && signs.mark(at + 1) == Some("[") {
            at = signs.behind(at + 1);
            continue;
        }
        let next = signs.word(at + 1);
        match signs.word(at)? {
            "pub" if signs.mark(at + 1) == Some("(") => at = signs.behind(at + 1),
            "pub" => at += 1,
            "default" | "async" | "unsafe" | "safe" | "auto" if next.is_some() => at += 1,
            "extern" if signs.is_text(at + 1) => at += 2,
            "extern" => at += 1,
            "const" | "static" if matches!(next, Some("fn" | "unsafe" | "async" | "extern")) => at += 1,
            "impl" => return implementation(signs, first, at),
            keyword => return named(signs, first, at, keyword),
        }
    }
}

fn named<'t>(signs: &Signs<'t>, first: usize, word: usize, keyword: &str) -> Option<Declaration<'t>> {
    let mutable = usize::from(matches!(signs.word(word + 1), Some("mut" | "ref")));
    let (at, ends, follow): (usize, Ends, &[&str]) = match keyword {
        "fn" => (word + 1, Ends::Body, &["(", "<"]),
        "struct" | "union" => (word + 1, Ends::Body, &["{", "(", "<", ";", "where"]),
        "enum" => (word + 1, Ends::Body, &["{", "<", "where"]),
        "trait" => (word + 1, Ends::Body, &["{", "<", ":", "=", "where"]),
        "mod" => (word + 1, Ends::Body, &["{", ";"]),
        "macro_rules" if signs.mark(word + 1) == Some("!") => (word + 2, Ends::Body, &["{", "(", "["]),
        "type" => (word + 1, Ends::Statement, &["=", "<", ":", ";", "where"]),
        "const" => (word + 1, Ends::Statement, &[":", "="]),
        "static" | "let" => (word + 1 + mutable, Ends::Statement, &[":", "=", ";"]),
        _ => return None,
    };
    let name = signs.name(at).filter(|name| *name != "_" && signs.is_one_of(at + 1, follow))?;
    Some(Declaration { name, first, word, ends, nesting: signs.depth(first), implements: false })
}

/// What an `impl` is for: the last name in the path of the type.
fn implementation<'t>(signs: &Signs<'t>, first: usize, word: usize) -> Option<Declaration<'t>> {
    let mut at = word + 1;
    if signs.mark(at) == Some("<") {
        at = behind_angles(signs, at);
    }
    let (mut of, mut angles) = (at, 0usize);
    while at < signs.len() {
        match signs.sign(at) {
            Some(";" | "}" | ")" | "]") => break,
            Some("{" | "where") if angles == 0 => break,
            Some("for") if angles == 0 && signs.mark(at + 1) != Some("<") => of = at + 1,
            _ => angles = angles_behind(signs, at, angles),
        }
        at = if signs.is_one_of(at, &["(", "[", "{"]) { signs.behind(at) } else { at + 1 };
    }
    let name = last_of_path(signs, of)?;
    Some(Declaration { name, first, word, ends: Ends::Body, nesting: signs.depth(first), implements: true })
}

fn last_of_path<'t>(signs: &Signs<'t>, mut at: usize) -> Option<&'t str> {
    loop {
        match signs.sign(at)? {
            "'" => at += 2,
            "&" | "*" | "mut" | "dyn" | "const" | "!" | ":" => at += 1,
            _ => break,
        }
    }
    let mut name = signs.name(at)?;
    while signs.are(at + 1, [":", ":"]) {
        let Some(next) = signs.name(at + 3) else { break };
        (name, at) = (next, at + 3);
    }
    Some(name)
}

fn behind_angles(signs: &Signs<'_>, mut at: usize) -> usize {
    let mut angles = 0;
    while at < signs.len() && signs.mark(at) != Some(";") {
        angles = angles_behind(signs, at, angles);
        at = if signs.is_one_of(at, &["(", "[", "{"]) { signs.behind(at) } else { at + 1 };
        if angles == 0 {
            break;
        }
    }
    at
}

/// How many angles are open behind this sign. That of an arrow closes none.
fn angles_behind(signs: &Signs<'_>, at: usize, angles: usize) -> usize {
    let arrow =
        at.checked_sub(1).is_some_and(|from| signs.are(from, ["-", ">"]) || signs.are(from, ["=", ">"]));
    match signs.mark(at) {
        Some("<") => angles + 1,
        Some(">") if !arrow => angles.saturating_sub(1),
        _ => angles,
    }
}
