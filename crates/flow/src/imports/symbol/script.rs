//! What JavaScript, TypeScript and languages that are not known declare. May not look at bodies.

use super::Declaration;
use super::ends::{Ends, goes_on, is_body};
use super::signs::Signs;
use crate::imports::mask::QuoteLanguage;
use std::collections::HashSet;

/// Words that may stand before the word that declares, or before the name of a member.
const BEFORE: &str = "export default async declare abstract public private protected static readonly override accessor get \
                      set pub unsafe extern final internal open sealed";

/// The most signs that a pattern of names may have.
const LONGEST_PATTERN: usize = 1000;

/// Everything that is declared, in the order of the text.
pub(super) fn declarations<'t>(signs: &Signs<'t>, language: QuoteLanguage) -> Vec<Declaration<'t>> {
    let mut found = Vec::new();
    // Braces that are the body of a class, and what the class stands in whose body is still to come.
    let (mut bodies, mut coming) = (HashSet::new(), None);
    for at in 0..signs.len() {
        if signs.mark(at) == Some("{") && coming == Some(signs.inside(at)) && is_body(signs, at, language) {
            bodies.insert(at);
            coming = None;
        } else if is_class(signs, at) {
            coming = Some(signs.inside(at));
        }
        if !begins(signs, at) {
            continue;
        }
        let word = behind_what_stands_before(signs, at);
        let nesting = signs.depth(at);
        let one = |(name, ends)| Declaration { name, first: at, word, ends, nesting, implements: false };
        if signs.inside(at).is_some_and(|open| bodies.contains(&open)) {
            // What stands before the name is in the place of the word.
            let before = |found: Declaration<'t>| Declaration { word: found.word - 1, ..found };
            found.extend(member(signs, word).map(one).map(before));
        } else if matches!(signs.word(word), Some("const" | "let" | "var")) && !is_enum(signs, word) {
            found.extend(
                variables(signs, word, language).into_iter().map(|name| one((name, Ends::Statement))),
            );
        } else {
            found.extend(named(signs, word, language).map(one));
        }
    }
    found
}

/// Whether something may be declared from here on: behind what ended or opened, or in a new line.
fn begins(signs: &Signs<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    signs.is_one_of(before, &["{", "}", ";"]) || (signs.is_first(at) && !goes_on(signs, at))
}

fn is_class(signs: &Signs<'_>, at: usize) -> bool {
    let member = at.checked_sub(1).is_some_and(|before| signs.mark(before) == Some("."));
    signs.word(at) == Some("class")
        && !member
        && (signs.word(at + 1).is_some() || signs.mark(at + 1) == Some("{"))
}

fn is_enum(signs: &Signs<'_>, word: usize) -> bool {
    matches!(signs.word(word + 1), Some("enum" | "fn")) && signs.word(word + 2).is_some()
}

/// Decorators, and words that say more about what is declared.
fn behind_what_stands_before(signs: &Signs<'_>, mut at: usize) -> usize {
    loop {
        if signs.mark(at) == Some("@") {
            at += 2;
            while signs.mark(at) == Some(".") {
                at += 2;
            }
            if signs.mark(at) == Some("(") {
                at = signs.behind(at);
            }
            continue;
        }
        let more = signs.word(at + 1).is_some()
            || signs.is_one_of(at + 1, &["@", "*", "#"])
            || signs.is_text(at + 1);
        match signs.word(at) {
            Some("pub") if signs.mark(at + 1) == Some("(") => at = signs.behind(at + 1),
            Some("extern") if signs.is_text(at + 1) => at += 2,
            Some(word) if BEFORE.split(' ').any(|one| one == word) && more => at += 1,
            // `const enum` is an enum; `const fn` is a function only where the language is not known.
            _ => return at,
        }
    }
}

/// A member of a class. It needs no word that declares.
fn member<'t>(signs: &Signs<'t>, word: usize) -> Option<(&'t str, Ends)> {
    let at = word + usize::from(signs.is_one_of(word, &["*", "#"]));
    let name = signs.name(at)?;
    let optional = usize::from(signs.is_one_of(at + 1, &["?", "!"]));
    if signs.is_one_of(at + 1 + optional, &["(", "<"]) {
        return Some((name, Ends::Signature));
    }
    let property =
        signs.is_one_of(at + 1 + optional, &["=", ":", ";", "}"]) || signs.is_first(at + 1 + optional);
    property.then_some((name, Ends::Statement))
}

/// What one of the words declares that has one name behind it.
fn named<'t>(signs: &Signs<'t>, word: usize, language: QuoteLanguage) -> Option<(&'t str, Ends)> {
    let unknown = language == QuoteLanguage::Unknown;
    let word = word + usize::from(signs.word(word) == Some("const"));
    let generator = usize::from(signs.mark(word + 1) == Some("*"));
    let mut at = word + 1;
    let (ends, follow): (Ends, &[&str]) = match signs.word(word)? {
        "function" => {
            at += generator;
            (Ends::Signature, &["(", "<"])
        }
        "class" => (Ends::Body, &["{", "<", "extends", "implements"]),
        "interface" => (Ends::Body, &["{", "<", "extends"]),
        "enum" => (Ends::Body, &["{"]),
        "namespace" | "module" => (Ends::Body, &["{", "."]),
        "type" => (Ends::Statement, &["=", "<"]),
        "fn" | "func" | "fun" | "def" if unknown => (Ends::Signature, &["(", "<", "["]),
        "struct" | "trait" | "impl" | "union" | "mod" if unknown => {
            (Ends::Body, &["{", "<", "(", ";", ":", "for"])
        }
        _ => return None,
    };
    while signs.word(word) != Some("function")
        && signs.mark(at + 1) == Some(".")
        && signs.word(at + 2).is_some()
    {
        at += 2;
    }
    let fits = signs.is_one_of(at + 1, follow) || (unknown && !signs.is_text(at + 1));
    signs.name(at).filter(|_| fits).map(|name| (name, ends))
}

/// The names that `const`, `let` or `var` declares: one, several with commas between, or those in a pattern.
fn variables<'t>(signs: &Signs<'t>, word: usize, language: QuoteLanguage) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut at = word + 1;
    loop {
        if signs.is_one_of(at, &["{", "["]) {
            names.extend(pattern(signs, at));
        } else {
            names.extend(signs.name(at).filter(|_| is_variable(signs, at + 1, language)));
        }
        match next_variable(signs, at) {
            Some(next) => at = next,
            None => return names,
        }
    }
}

/// Whether what follows a name says that it is one of a variable.
fn is_variable(signs: &Signs<'_>, next: usize, language: QuoteLanguage) -> bool {
    let follows = signs.is_one_of(next, &["=", ":", ";", ",", "!", "}", "of", "in"]);
    follows || signs.is_first(next) || (language == QuoteLanguage::Unknown && signs.word(next).is_some())
}

/// The name behind the next comma of the same statement, if it is given a value or a type.
fn next_variable(signs: &Signs<'_>, from: usize) -> Option<usize> {
    let mut at = from;
    while at < signs.len() {
        if at > from && signs.is_first(at) && !goes_on(signs, at) {
            return None;
        }
        match signs.mark(at) {
            Some(",") if signs.is_one_of(at + 2, &["=", ":", ";", ","]) && signs.name(at + 1).is_some() => {
                return Some(at + 1);
            }
            Some(";" | ")" | "]" | "}") => return None,
            Some("(" | "[" | "{") => at = signs.behind(at),
            _ => at += 1,
        }
    }
    None
}

/// The names in a pattern: those that are followed by its end, by the next one or by a value.
fn pattern<'t>(signs: &Signs<'t>, open: usize) -> Vec<&'t str> {
    let Some(close) = signs.pair(open) else { return Vec::new() };
    let is_bound = |at: &usize| {
        signs.is_one_of(at - 1, &["{", "[", ",", ":", "."]) && signs.is_one_of(at + 1, &[",", "}", "]", "="])
    };
    (open + 1..close.min(open + LONGEST_PATTERN)).filter(is_bound).filter_map(|at| signs.name(at)).collect()
}
