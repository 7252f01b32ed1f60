//! The tables of presets as rows for the documentation.
//!
//! May not say more than the data does.

use super::grammar::{Leads, Node, Operands, Style, Takes};

/// One program or subcommand of a preset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresetEntry {
    /// Its names, such as `git log`.
    pub names: String,
    /// Options without a value.
    pub flags: Vec<String>,
    /// Options with a value.
    pub values: Vec<String>,
    /// What it may work on.
    pub operands: String,
    /// What else holds.
    pub notes: Vec<String>,
}

pub(super) fn entries(node: &Node, above: &str) -> Vec<PresetEntry> {
    let names = format!("{above}{}", node.names.join(", "));
    let mut all = vec![one(node, names.clone())];
    // A group that only leads to others and allows nothing itself would be an empty row.
    all.retain(|entry| {
        node.grammar.style != Style::Group || !entry.flags.is_empty() || !entry.notes.is_empty()
    });
    all.extend(node.children.iter().flat_map(|child| entries(child, &format!("{names} "))));
    all
}

fn one(node: &Node, names: String) -> PresetEntry {
    let grammar = &node.grammar;
    let mut flags: Vec<String> = grammar.flags.iter().map(|flag| (*flag).to_owned()).collect();
    if grammar.numbers {
        flags.push("-NUMBER".to_owned());
    }
    let values = grammar.takers.iter().map(|taker| {
        let value = taker.check.shown();
        match taker.takes {
            Takes::One => format!("{} {value}", taker.name),
            Takes::Two => format!("{} {value} {value}", taker.name),
            Takes::Maybe if taker.name.starts_with("--") => format!("{}[={value}]", taker.name),
            Takes::Maybe => format!("{}[{value}]", taker.name),
        }
    });
    PresetEntry { names, flags, values: values.collect(), operands: operands(node), notes: notes(node) }
}

fn operands(node: &Node) -> String {
    match &node.grammar.operands {
        _ if node.grammar.style == Style::Group => match &node.grammar.alone {
            None => "a subcommand".to_owned(),
            Some(alone) if alone.is_empty() => "a subcommand, or none".to_owned(),
            Some(alone) => format!("a subcommand, or {}", listed(alone)),
        },
        Operands::Any => "any".to_owned(),
        Operands::None { unless } if unless.is_empty() => "none".to_owned(),
        Operands::None { unless } => format!("none, unless {} is given", listed(unless)),
        Operands::UpTo { most, unless } if unless.is_empty() => format!("at most {most}"),
        Operands::UpTo { most, unless } => format!("at most {most}, unless {} is given", listed(unless)),
        Operands::Each(check) => check.shown(),
        Operands::Script { check, .. } => format!("{}, then any", check.shown()),
        Operands::Code { check, unless } => {
            format!("{} unless {} is given, then any", check.shown(), listed(unless))
        }
        Operands::Test => "an expression".to_owned(),
    }
}

fn notes(node: &Node) -> Vec<String> {
    let grammar = &node.grammar;
    let rows = &grammar.terms;
    let mut notes: Vec<String> = grammar.notes.iter().map(|note| (*note).to_owned()).collect();
    if !grammar.local.is_empty() {
        let folders: Vec<String> = grammar.local.iter().map(|folder| format!("`{folder}`")).collect();
        notes.push(format!("also the project's own in {}", folders.join(" or ")));
    }
    match &grammar.leads {
        Leads::No => {}
        Leads::Operand => notes.push("then a command of this table".to_owned()),
        Leads::Installed(folder) => {
            notes.push(format!("then a command of this table that the project has in `{folder}`"));
        }
        Leads::Module(modules) => notes.push(format!("`-m` with {}", modules.join(", "))),
    }
    if !grammar.needs.is_empty() {
        notes.push(format!("needs {}", listed(&grammar.needs)));
    }
    let set = rows.env.iter().map(|(name, value)| format!("sets `{name}={value}`"));
    let config = rows.config.iter().map(|(name, value)| format!("sets git's `{name}={value}`"));
    let unset = rows.unset.iter().map(|name| format!("removes `{name}`"));
    let add = rows.add.iter().map(|arg| format!("adds `{arg}`"));
    notes.extend(set.chain(config).chain(unset).chain(add));
    notes
}

fn listed(options: &[&str]) -> String {
    options.iter().map(|option| format!("`{option}`")).collect::<Vec<_>>().join(" or ")
}
