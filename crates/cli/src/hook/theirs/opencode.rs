//! Rules of OpenCode: `permission.bash`. There the last pattern that fits decides, and here the strictest; so a rule for
//! everything with exceptions behind it cannot be said.

use super::pattern;
use super::{ClientRule, RulePlaces, json};
use crate::hook::HookClient;
use runward::Decision;
use serde_json::Value;

pub(super) fn rules(places: &RulePlaces) -> Result<Vec<ClientRule>, String> {
    let names = ["opencode.json", "opencode.jsonc"];
    let own = places.config.iter().flat_map(|config| names.map(|name| config.join("opencode").join(name)));
    let mut all = Vec::new();
    for file in own.chain(names.into_iter().flat_map(|name| places.around(name))) {
        let Some(settings) = json(&file)? else { continue };
        match settings.pointer("/permission/bash") {
            Some(Value::String(word)) => all.extend(rule("*", word, false)),
            Some(Value::Object(patterns)) => {
                let words: Vec<(&str, &str)> = patterns
                    .iter()
                    .filter_map(|(pattern, word)| Some((pattern.as_str(), word.as_str()?)))
                    .collect();
                for (at, (pattern, word)) in words.iter().enumerate() {
                    let excepted =
                        words[at + 1..].iter().any(|(_, later)| later != word && is_laxer(later, word));
                    all.extend(rule(pattern, word, excepted));
                }
            }
            _ => {}
        }
    }
    Ok(all)
}

fn is_laxer(one: &str, other: &str) -> bool {
    let rank = |word: &str| ["allow", "ask", "deny"].iter().position(|known| *known == word);
    rank(one) < rank(other)
}

fn rule(pattern: &str, word: &str, excepted: bool) -> Option<ClientRule> {
    let decision = Decision::named(word).filter(|decision| *decision != Decision::Allow)?;
    let written = format!("{word} {pattern}");
    if excepted {
        return Some(ClientRule { written, rule: None });
    }
    Some(pattern::rule(HookClient::OpenCode, decision, written, pattern))
}
