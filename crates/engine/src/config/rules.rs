//! `[[policy.rules]]`: rules about commands, each with its own examples, which are tested as it is read.
//!
//! A project's file may bring rules that ask or deny, never one that allows.

use super::{ConfigProblem, ValueOrigin};
use runward_core::policy::{Decision, Extent, Interactive, Rule, RuleStanding};
use runward_core::spec::Door;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The array that holds them.
pub(super) const TABLE: &str = "policy.rules";

/// Every key of a rule, for people.
const KEYS: &[&str] = &[
    "name",
    "decision",
    "program",
    "words",
    "flags",
    "not_flags",
    "any_flags",
    "cwd",
    "caller",
    "door",
    "interactive",
    "exact",
    "approved",
    "because",
    "instead",
    "match",
    "not_match",
];

/// One rule, as a file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSetting {
    /// The rule.
    pub rule: Rule,
    /// Where it came from.
    pub origin: ValueOrigin,
}

/// A problem and its position.
type Wrong = (usize, String);

/// Parses one table; each problem comes with its position.
pub(super) fn read(index: usize, value: &Spanned<DeValue<'_>>) -> Result<Rule, Vec<Wrong>> {
    let at = value.span().start;
    let dotted = format!("{TABLE}[{index}]");
    let DeValue::Table(table) = value.get_ref() else {
        return Err(vec![(at, format!("`{dotted}` must be a table"))]);
    };
    let mut reader = RuleReader { dotted, rule: Rule::of(Decision::Deny, "*"), problems: Vec::new() };
    reader.rule.because.clear();
    reader.rule.name.clear();
    reader.rule.programs.clear();
    for (key, value) in table {
        reader.entry(key, value);
    }
    reader.complete(at, table)
}

struct RuleReader {
    dotted: String,
    rule: Rule,
    problems: Vec<Wrong>,
}

impl RuleReader {
    fn entry(&mut self, key: &Spanned<impl AsRef<str>>, value: &Spanned<DeValue<'_>>) {
        let (name, value_at, value) = (key.get_ref().as_ref(), value.span().start, value.get_ref());
        if !KEYS.contains(&name) {
            let known = KEYS.join("`, `");
            return self.problems.push((
                key.span().start,
                format!("unknown key `{}.{name}`; a rule has `{known}`", self.dotted),
            ));
        }
        if let Err(expected) = self.take(name, value) {
            self.problems.push((value_at, format!("`{}.{name}` must be {expected}", self.dotted)));
        }
    }

    /// Takes one value, or says what it should have been.
    fn take(&mut self, name: &str, value: &DeValue<'_>) -> Result<(), &'static str> {
        let rule = &mut self.rule;
        match name {
            "name" => rule.name = word(value)?,
            "decision" => {
                rule.decision = Decision::named(&word(value)?).ok_or("`allow`, `ask` or `deny` in quotes")?;
            }
            "program" => rule.programs = words(value)?,
            "words" => rule.words = places(value)?,
            "flags" => rule.flags.only = Some(options(value)?),
            "not_flags" => rule.flags.without = options(value)?,
            "any_flags" => rule.flags.any = options(value)?,
            "cwd" => rule.cwds = folders(value)?,
            "caller" => rule.callers = words(value)?,
            "door" => rule.doors = doors(value)?,
            "interactive" => {
                rule.interactive = if truth(value)? { Interactive::Yes } else { Interactive::No };
            }
            "exact" => rule.extent = if truth(value)? { Extent::Whole } else { Extent::Beginning },
            "approved" => {
                rule.standing = if truth(value)? { RuleStanding::Approved } else { RuleStanding::Written };
            }
            "because" => rule.because = word(value)?,
            "instead" => rule.instead = Some(word(value)?),
            "match" => rule.examples = words(value)?,
            _ => rule.counterexamples = words(value)?,
        }
        Ok(())
    }

    /// What a rule must say, what it may leave out, and whether its examples hold.
    fn complete(mut self, at: usize, table: &DeTable<'_>) -> Result<Rule, Vec<Wrong>> {
        let has = |key: &str| table.keys().any(|known| known.get_ref() == key);
        for key in ["decision", "program"] {
            if !has(key) {
                self.problems.push((at, format!("`{}` has no `{key}`", self.dotted)));
            }
        }
        let approved = self.rule.standing == RuleStanding::Approved;
        if approved && (self.rule.extent != Extent::Whole || self.rule.decision != Decision::Allow) {
            let what = format!("`{}` is approved, so it must allow and be exact", self.dotted);
            self.problems.push((at, what));
        }
        if self.problems.is_empty() && self.rule.decision == Decision::Deny && !has("because") {
            self.problems.push((at, format!("`{}` denies and has no `because`", self.dotted)));
        }
        let rule = &mut self.rule;
        if rule.name.is_empty() {
            rule.name.clone_from(&self.dotted);
        }
        if rule.because.is_empty() {
            rule.because = "the configuration says so".to_owned();
        }
        if self.problems.is_empty() {
            let name = &rule.name;
            let wrong = rule.try_examples().into_iter().map(|error| (at, format!("rule `{name}`: {error}")));
            self.problems.extend(wrong.collect::<Vec<_>>());
        }
        if self.problems.is_empty() { Ok(self.rule) } else { Err(self.problems) }
    }
}

fn word(value: &DeValue<'_>) -> Result<String, &'static str> {
    value.as_str().filter(|word| !word.trim().is_empty()).map(str::to_owned).ok_or("a text in quotes")
}

fn truth(value: &DeValue<'_>) -> Result<bool, &'static str> {
    if let DeValue::Boolean(yes) = value { Ok(*yes) } else { Err("true or false") }
}

/// One word, or a list of them.
fn words(value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    let DeValue::Array(items) = value else { return word(value).map(|word| vec![word]) };
    let one = |item: &Spanned<DeValue<'_>>| word(item.get_ref()).map_err(|_| "a list of words in quotes");
    items.iter().map(one).collect()
}

/// Places, each with one word or with alternatives.
fn places(value: &DeValue<'_>) -> Result<Vec<Vec<String>>, &'static str> {
    const EXPECTED: &str = "a list of words in quotes, or of lists of alternatives";
    let DeValue::Array(items) = value else { return Err(EXPECTED) };
    // An argument may be empty, and a rule for that very command must be able to say so.
    let text = |item: &DeValue<'_>| item.as_str().map(|text| vec![text.to_owned()]);
    let place = |item: &Spanned<DeValue<'_>>| match item.get_ref() {
        DeValue::Array(items) => {
            items.iter().map(|item| item.get_ref().as_str().map(str::to_owned).ok_or(EXPECTED)).collect()
        }
        one => text(one).ok_or(EXPECTED),
    };
    items
        .iter()
        .map(place)
        .collect::<Result<Vec<_>, _>>()
        .and_then(|places| if places.iter().any(Vec::is_empty) { Err(EXPECTED) } else { Ok(places) })
}

fn options(value: &DeValue<'_>) -> Result<Vec<String>, &'static str> {
    let is_option = |word: &String| word.len() > 1 && word.starts_with('-');
    words(value)?
        .into_iter()
        .map(|word| Some(word).filter(is_option))
        .collect::<Option<_>>()
        .ok_or("a list of options in quotes, such as `-n` or `--format=`")
}

fn folders(value: &DeValue<'_>) -> Result<Vec<PathBuf>, &'static str> {
    let folder = |word: String| Some(PathBuf::from(word)).filter(|path: &PathBuf| Path::is_absolute(path));
    words(value)?.into_iter().map(folder).collect::<Option<_>>().ok_or("a list of absolute paths")
}

fn doors(value: &DeValue<'_>) -> Result<Vec<Door>, &'static str> {
    let door = |word: String| Door::ALL.iter().copied().find(|door| door.name() == word);
    words(value)?
        .into_iter()
        .map(door)
        .collect::<Option<_>>()
        .ok_or("some of `cli`, `library`, `mcp`, `flow`, `gateway`, `hook`")
}

/// Why a project's file may not bring this rule, if it may not.
pub(super) fn loosens(setting: &RuleSetting) -> Option<ConfigProblem> {
    (setting.rule.decision == Decision::Allow).then(|| {
        let (file, line) = match &setting.origin {
            ValueOrigin::File { file, line } => (file.clone(), Some(*line)),
            other => (other.to_string(), None),
        };
        let what = format!(
            "the rule `{}` allows; a project file may only bring rules that ask or deny",
            setting.rule.name
        );
        ConfigProblem { file, line, what }
    })
}
