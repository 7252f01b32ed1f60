//! Serializes rules: `[[policy.rules]]` tables that are parsed back as the same rules.
//!
//! For a caller that keeps rules in a file, such as a [`Remember`](crate::approve::Remember). May not write a file, nor
//! anything that would be parsed as another rule: what cannot be expressed is not written.

use runward_core::policy::{Extent, Interactive, Rule, RuleFlags, RuleStanding};
use std::fmt::Write;

/// A file's text with these rules at its end; none where one of them cannot be written. What was there stays as it is.
pub fn with_rules(text: &str, rules: &[Rule]) -> Option<String> {
    let mut out = text.to_owned();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    for rule in rules {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&rule_table(rule)?);
    }
    Some(out)
}

/// One rule as a table; none where it cannot be written.
pub fn rule_table(rule: &Rule) -> Option<String> {
    if rule.name.trim().is_empty() || rule.because.trim().is_empty() {
        return None;
    }
    let Rule { flags: RuleFlags { only, without, any }, .. } = rule;
    let cwds = rule.cwds.iter().map(|cwd| cwd.to_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    let doors: Vec<String> = rule.doors.iter().map(|door| door.name().to_owned()).collect();
    let places: Vec<String> = rule.words.iter().map(|place| alternatives(place)).collect();
    let mut table = TomlTable("[[policy.rules]]\n".to_owned());
    table.entry("name", &text(&rule.name));
    table.entry("decision", &text(rule.decision.name()));
    table.entry("program", &list(&rule.programs));
    table.entry_unless(places.is_empty(), "words", &format!("[{}]", places.join(", ")));
    if let Some(only) = only {
        table.entry("flags", &list(only));
    }
    table.list("not_flags", without);
    table.list("any_flags", any);
    table.list("cwd", &cwds);
    table.list("caller", &rule.callers);
    table.list("door", &doors);
    table.entry_unless(rule.interactive == Interactive::No, "interactive", "true");
    table.entry_unless(rule.extent == Extent::Beginning, "exact", "true");
    table.entry_unless(rule.standing == RuleStanding::Written, "approved", "true");
    table.entry("because", &text(&rule.because));
    if let Some(instead) = &rule.instead {
        table.entry("instead", &text(instead));
    }
    table.list("match", &rule.examples);
    table.list("not_match", &rule.counterexamples);
    Some(table.0)
}

/// A table that grows.
struct TomlTable(String);

impl TomlTable {
    fn entry(&mut self, key: &str, value: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.0, "{key} = {value}");
    }

    fn entry_unless(&mut self, usual: bool, key: &str, value: &str) {
        if !usual {
            self.entry(key, value);
        }
    }

    fn list(&mut self, key: &str, words: &[String]) {
        self.entry_unless(words.is_empty(), key, &list(words));
    }
}

fn list(words: &[String]) -> String {
    format!("[{}]", words.iter().map(|word| text(word)).collect::<Vec<_>>().join(", "))
}

/// One place among the words: a word, or a list of alternatives.
fn alternatives(place: &[String]) -> String {
    if let [only] = place { text(only) } else { list(place) }
}

/// A text in quotes. Letters and digits stand as they are, every character that might hide or mislead is escaped.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_graphic() || c == ' ' || (!c.is_ascii() && c.is_alphanumeric()) => out.push(c),
            c => {
                // Writing to a string does not fail.
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ConfigSource, Settings, Sources, load};
    use proptest::prelude::*;
    use runward_core::policy::Decision;
    use runward_core::spec::Door;
    use std::path::PathBuf;

    fn settings(text: &str) -> Settings {
        let user = Some(ConfigSource { file: "runward.toml".to_owned(), text: text.to_owned() });
        load(&Sources { user, ..Sources::default() }).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn read_back(rule: &Rule) -> Rule {
        let settings = settings(&with_rules("", std::slice::from_ref(rule)).unwrap());
        settings.configured_rules().next().unwrap().rule.clone()
    }

    /// Texts with whatever a caller could put there.
    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<String>(),
            "[ -~]{0,12}",
            "[\u{0}-\u{1f}\u{7f}\"\\\\'\n\r\t\u{200b}\u{202e}\u{feff}é]{1,8}"
        ]
    }

    fn some_text() -> impl Strategy<Value = String> {
        any_text().prop_filter("a text", |text| !text.trim().is_empty())
    }

    fn option() -> impl Strategy<Value = String> {
        some_text().prop_map(|text| format!("-{text}"))
    }

    fn flags() -> impl Strategy<Value = RuleFlags> {
        let options = || prop::collection::vec(option(), 0..3);
        (prop::option::of(options()), options(), options()).prop_map(|(only, without, any)| RuleFlags {
            only,
            without,
            any,
        })
    }

    fn who() -> impl Strategy<Value = (Vec<PathBuf>, Vec<String>, Vec<Door>)> {
        let folder = any_text().prop_map(|text| std::env::temp_dir().join(text.replace('/', "")));
        let doors = prop::collection::vec(prop::sample::select(Door::ALL), 0..3);
        (prop::collection::vec(folder, 0..3), prop::collection::vec(some_text(), 0..3), doors)
    }

    prop_compose! {
        fn rule()(
            decision in prop::sample::select(&[Decision::Allow, Decision::Ask, Decision::Deny][..]),
            (name, because) in (some_text(), some_text()),
            instead in prop::option::of(some_text()),
            programs in prop::collection::vec(some_text(), 0..3),
            words in prop::collection::vec(prop::collection::vec(any_text(), 1..3), 0..4),
            flags in flags(),
            (cwds, callers, doors) in who(),
            (whole, approved, typed) in (any::<bool>(), any::<bool>(), any::<bool>()),
        ) -> Rule {
            let approved = approved && decision == Decision::Allow;
            Rule {
                name, because, instead, programs, words, flags, cwds, callers, doors,
                extent: if whole || approved { Extent::Whole } else { Extent::Beginning },
                standing: if approved { RuleStanding::Approved } else { RuleStanding::Written },
                interactive: if typed { Interactive::Yes } else { Interactive::No },
                ..Rule::of(decision, "x")
            }
        }
    }

    proptest! {
        #[test]
        fn any_rule_that_is_written_is_read_back_equal(rule in rule()) {
            prop_assert_eq!(read_back(&rule), rule);
        }
    }

    #[test]
    fn examples_are_written_too() {
        let rule = Rule {
            words: vec![vec!["log".to_owned()]],
            examples: vec!["git log".to_owned()],
            counterexamples: vec!["git push".to_owned()],
            ..Rule::of(Decision::Allow, "git")
        };
        assert_eq!(read_back(&rule), rule);
    }

    #[test]
    fn what_was_there_stays_as_it_is() {
        let before = "# mine\n[policy]\nask = [\"git\"] # really";
        let rule = Rule::of(Decision::Allow, "ls");
        let after = with_rules(before, &[rule.clone(), rule]).unwrap();
        assert!(
            after.starts_with(before) && after.contains("really\n\n[[policy.rules]]\nname = "),
            "{after}"
        );
        assert_eq!(settings(&after).configured_rules().count(), 2);
    }

    #[test]
    fn what_cannot_be_said_is_not_written() {
        let nameless = Rule { name: String::new(), ..Rule::of(Decision::Allow, "ls") };
        assert_eq!(with_rules("", &[nameless]), None);
    }

    #[test]
    fn nothing_hides_in_a_file() {
        assert_eq!(text("a\u{202e}\u{1b}\"é"), "\"a\\U0000202e\\U0000001b\\\"é\"");
    }
}
