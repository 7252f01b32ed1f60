//! Rules of Codex (`*.rules`): calls of `prefix_rule` with lists of words. A file with anything else in it is a program, and
//! is not understood.

use super::pattern::of_words;
use super::{ClientRule, RulePlaces, text};
use crate::hook::HookClient;
use runward::Decision;
use runward::core::policy::Extent;
use std::path::PathBuf;

pub(super) fn rules(places: &RulePlaces) -> Result<Vec<ClientRule>, String> {
    let own = places.codex.iter().map(|codex| codex.join("rules"));
    let mut all = Vec::new();
    for folder in own.chain(places.around(".codex/rules")) {
        for file in files(&folder) {
            let Some(text) = text(&file)? else { continue };
            let rules = read(&text).ok_or_else(|| {
                format!("`{}` says more than `prefix_rule` with lists of words", file.display())
            })?;
            all.extend(rules);
        }
    }
    Ok(all)
}

fn files(folder: &PathBuf) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "rules")).collect();
    files.sort();
    files
}

/// A token: a name, a text, or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RuleToken {
    Name(String),
    Text(String),
    Sign(char),
}

fn tokens(text: &str) -> Option<Vec<RuleToken>> {
    let mut all = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '#' => while rest.next_if(|c| *c != '\n').is_some() {},
            quote @ ('"' | '\'') => {
                let mut inside = String::new();
                loop {
                    match rest.next()? {
                        // Escapes, and texts of several lines, are not needed for words.
                        '\\' | '\n' => return None,
                        end if end == quote => break,
                        letter => inside.push(letter),
                    }
                }
                all.push(RuleToken::Text(inside));
            }
            c if c.is_whitespace() => {}
            c if c.is_alphanumeric() || c == '_' => {
                let mut name = String::from(c);
                while let Some(more) = rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(more);
                }
                all.push(RuleToken::Name(name));
            }
            c => all.push(RuleToken::Sign(c)),
        }
    }
    Some(all)
}

/// A value of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RuleValue {
    Text(String),
    List(Vec<RuleValue>),
}

/// Reads tokens from the front.
struct PrefixRuleReader<'a>(&'a [RuleToken]);

impl PrefixRuleReader<'_> {
    fn next(&mut self) -> Option<RuleToken> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first.clone())
    }

    fn skip(&mut self, sign: char) -> bool {
        let is = self.0.first() == Some(&RuleToken::Sign(sign));
        if is {
            self.0 = &self.0[1..];
        }
        is
    }

    fn value(&mut self) -> Option<RuleValue> {
        match self.next()? {
            RuleToken::Text(text) => Some(RuleValue::Text(text)),
            RuleToken::Sign('[') => {
                let mut all = Vec::new();
                while !self.skip(']') {
                    all.push(self.value()?);
                    if !self.skip(',') && self.0.first() != Some(&RuleToken::Sign(']')) {
                        return None;
                    }
                }
                Some(RuleValue::List(all))
            }
            _ => None,
        }
    }

    fn call(&mut self) -> Option<Vec<(String, RuleValue)>> {
        if self.next()? != RuleToken::Name("prefix_rule".to_owned()) || !self.skip('(') {
            return None;
        }
        let mut all = Vec::new();
        while !self.skip(')') {
            let RuleToken::Name(name) = self.next()? else { return None };
            if !self.skip('=') {
                return None;
            }
            all.push((name, self.value()?));
            if !self.skip(',') && self.0.first() != Some(&RuleToken::Sign(')')) {
                return None;
            }
        }
        Some(all)
    }
}

/// The rules of a text that ask or deny.
fn read(text: &str) -> Option<Vec<ClientRule>> {
    let tokens = tokens(text)?;
    let mut reader = PrefixRuleReader(&tokens);
    let mut all = Vec::new();
    while !reader.0.is_empty() {
        let call = reader.call()?;
        let named =
            |wanted: &str| call.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        let decision = match named("decision") {
            None => continue,
            Some(RuleValue::Text(word)) if word == "allow" => continue,
            Some(RuleValue::Text(word)) if word == "prompt" => ("prompt", Decision::Ask),
            Some(RuleValue::Text(word)) if word == "forbidden" => ("forbidden", Decision::Deny),
            Some(_) => return None,
        };
        let Some(RuleValue::List(places)) = named("pattern") else { return None };
        let places: Vec<Vec<String>> = places.into_iter().map(alternatives).collect::<Option<_>>()?;
        let shown: Vec<String> = places.iter().map(|place| place.join("|")).collect();
        let written = format!("{} {}", decision.0, shown.join(" "));
        all.push(of_words(HookClient::Codex, decision.1, written, (places, Extent::Beginning)));
    }
    Some(all)
}

fn alternatives(value: RuleValue) -> Option<Vec<String>> {
    match value {
        RuleValue::Text(text) => Some(vec![text]),
        RuleValue::List(all) => {
            let text = |one| if let RuleValue::Text(text) = one { Some(text) } else { None };
            all.into_iter().map(text).collect()
        }
    }
}
