//! A pattern for command lines as a rule: words, and perhaps anything behind them. May not be broader than what it stands for
//! in what it leaves alone: where that is in doubt there is no rule.

use super::ClientRule;
use crate::hook::HookClient;
use runward::Decision;
use runward::core::policy::{Extent, Rule};
use runward::core::spec::Door;

/// The rule of a client that says this about commands of this pattern.
pub(super) fn rule(client: HookClient, decision: Decision, written: String, pattern: &str) -> ClientRule {
    let trimmed = pattern.trim();
    let (words, extent) = match trimmed.strip_suffix(":*").or_else(|| trimmed.strip_suffix(" *")) {
        Some(prefix) => (prefix, Extent::Beginning),
        None if trimmed == "*" => ("*", Extent::Beginning),
        None => (trimmed, Extent::Whole),
    };
    let places = words.split(' ').map(|word| vec![word.to_owned()]).collect();
    of_words(client, decision, written, (places, extent))
}

/// Words, each with its alternatives, and whether more may follow.
pub(super) type WordPlaces = (Vec<Vec<String>>, Extent);

/// The same for words that are given one by one.
pub(super) fn of_words(
    client: HookClient,
    decision: Decision,
    written: String,
    (mut places, extent): WordPlaces,
) -> ClientRule {
    let all = places.len() == 1 && places[0] == ["*"];
    let plain = |word: &String| {
        // A rule of ours skips options when it looks for words, so it cannot name one as a word.
        !word.is_empty()
            && !word.starts_with('-')
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "_./@%+=:,-".contains(c))
    };
    let is_name = |word: &String| !word.contains('=') && (!word.contains('/') || word.starts_with('/'));
    let sayable = all
        || (places.iter().flatten().all(plain)
            && places.first().is_some_and(|names| names.iter().all(is_name)));
    if !sayable || places.is_empty() {
        return ClientRule { written, rule: None };
    }
    let programs = places.remove(0);
    let rule = Rule {
        name: format!("{}: {written}", client.name()),
        programs,
        words: places,
        extent,
        callers: vec![client.name().to_owned()],
        doors: vec![Door::Hook],
        because: format!("{} has this rule of its own", client.title()),
        ..Rule::of(decision, "*")
    };
    ClientRule { written, rule: Some(rule) }
}
