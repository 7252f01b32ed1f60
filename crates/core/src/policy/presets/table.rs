//! Reading the tables of presets, which have the form of all [`tables`](super::super::tables).
//!
//! `[NAME|ALIAS SUBCOMMAND]` opens a program or a subcommand, `[@SET]` a set of options for others to `use`. What is not
//! understood is an error, never passed over.

use super::super::tables::sections;
use super::check::ValueCheck;
use super::grammar::{Leads, Node, Operands, OptionGrammar, Style, Taker, Takes};

/// A table, read.
#[derive(Debug, Default)]
pub(super) struct PresetTable {
    /// Options that every program may be given alone, to be asked about itself.
    pub(super) asks: Vec<&'static str>,
    pub(super) programs: Vec<Node>,
}

/// Reads a table.
pub(super) fn read(text: &'static str) -> Result<PresetTable, String> {
    let mut table = PresetTable::default();
    let mut sets: Vec<(&'static str, OptionGrammar)> = Vec::new();
    for section in sections(text) {
        let mut grammar = OptionGrammar::default();
        for line in section.lines() {
            let wrong = |what: &str| format!("line {}: {what}: {}", line.number, line.text);
            match line.key.ok_or_else(|| wrong("no key"))? {
                "asks" if section.heading.is_empty() => table.asks.extend(line.rest.split_whitespace()),
                _ if section.heading.is_empty() => return Err(wrong("nothing is open")),
                "use" => {
                    let set = sets.iter().find(|(name, _)| *name == line.rest);
                    grammar.add(&set.ok_or_else(|| wrong("no such set"))?.1);
                }
                key => line_of(&mut grammar, key, line.rest).map_err(|what| wrong(&what))?,
            }
        }
        match section.heading.strip_prefix('@') {
            Some(set) => sets.push((set, grammar)),
            None if section.heading.is_empty() => {}
            None => {
                let place = place(&mut table.programs, section.heading);
                place.map_err(|what| format!("[{}]: {what}", section.heading))?.grammar = grammar;
            }
        }
    }
    Ok(table)
}

/// The place of a heading: a new program, or a new subcommand of the program opened last.
fn place<'a>(roots: &'a mut Vec<Node>, head: &'static str) -> Result<&'a mut Node, String> {
    let mut parts: Vec<&'static str> = head.split_whitespace().collect();
    let name = parts.pop().ok_or("an empty heading")?;
    let mut level = roots;
    for part in parts {
        let above = level.iter_mut().find(|node| node.names.contains(&part));
        level = &mut above.ok_or("a subcommand of nothing")?.children;
    }
    level.push(Node { names: name.split('|').collect(), ..Node::default() });
    level.last_mut().ok_or_else(|| "no place".to_owned())
}

fn line_of(grammar: &mut OptionGrammar, key: &str, rest: &'static str) -> Result<(), String> {
    let words = || rest.split_whitespace();
    match key {
        "style" => grammar.style = style(rest)?,
        "flags" => grammar.flags.extend(words()),
        "takes" => takers(grammar, words(), Takes::One)?,
        "pairs" => takers(grammar, words(), Takes::Two)?,
        "maybe" => takers(grammar, words(), Takes::Maybe)?,
        "numbers" => grammar.numbers = true,
        "local" => grammar.local.extend(words()),
        "leads" => grammar.leads = leads(rest)?,
        "reads" if rest == "always" => grammar.reads = true,
        "needs" => grammar.needs.extend(words()),
        "alone" => grammar.alone = Some(words().collect()),
        "operands" => grammar.operands = operands(rest)?,
        "note" => grammar.notes.push(rest),
        "unset" => grammar.terms.unset.extend(words()),
        "env" => grammar.terms.env.extend(settings(words())?),
        "config" => grammar.terms.config.extend(settings(words())?),
        "add" => grammar.terms.add.extend(words()),
        "external-diff-unless" => grammar.terms.external_diff_unless = Some(rest),
        "upload-pack-unless" => grammar.terms.upload_pack_unless = Some(rest),
        "submodules-unless" => grammar.terms.submodules_unless = Some(rest),
        _ => return Err("an unknown key".to_owned()),
    }
    Ok(())
}

fn leads(rest: &'static str) -> Result<Leads, String> {
    let words: Vec<&'static str> = rest.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["operand"] => Leads::Operand,
        ["installed", folder] => Leads::Installed(folder),
        ["module", modules @ ..] => Leads::Module(modules.to_vec()),
        _ => return Err("unknown way to lead".to_owned()),
    })
}

fn style(word: &str) -> Result<Style, String> {
    Ok(match word {
        "gnu" => Style::Gnu,
        "first" => Style::First,
        "dashes" => Style::Dashes,
        "dashes first" => Style::DashesFirst,
        "find" => Style::Find,
        "tar" => Style::Tar,
        "plain" => Style::Plain,
        "group" => Style::Group,
        _ => return Err("an unknown style".to_owned()),
    })
}

fn takers(
    grammar: &mut OptionGrammar,
    words: impl Iterator<Item = &'static str>,
    takes: Takes,
) -> Result<(), String> {
    for word in words {
        let (name, check) = match word.split_once(['=', ':']) {
            Some((name, check)) => (name, ValueCheck::named(check)?),
            None => (word, ValueCheck::Value),
        };
        grammar.takers.push(Taker { name, takes, check });
    }
    Ok(())
}

fn settings(words: impl Iterator<Item = &'static str>) -> Result<Vec<(&'static str, &'static str)>, String> {
    words.map(|word| word.split_once('=').ok_or_else(|| "a setting without `=`".to_owned())).collect()
}

fn operands(rest: &'static str) -> Result<Operands, String> {
    let words: Vec<&'static str> = rest.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["any"] => Operands::Any,
        ["none"] => Operands::None { unless: Vec::new() },
        ["none", "unless", options @ ..] => Operands::None { unless: options.to_vec() },
        ["up-to", most] => up_to(most, &[])?,
        ["up-to", most, "unless", options @ ..] => up_to(most, options)?,
        ["each", check] => Operands::Each(ValueCheck::named(check)?),
        ["script", check] => script(check, Vec::new(), "any")?,
        ["script", check, "then", others] => script(check, Vec::new(), others)?,
        ["script", check, "unless", options @ ..] => script(check, options.to_vec(), "any")?,
        ["code", check, "unless", options @ ..] => {
            Operands::Code { check: ValueCheck::named(check)?, unless: options.to_vec() }
        }
        ["test"] => Operands::Test,
        _ => return Err("unknown operands".to_owned()),
    })
}

fn up_to(most: &str, unless: &[&'static str]) -> Result<Operands, String> {
    let most = most.parse().map_err(|_| "no number".to_owned())?;
    Ok(Operands::UpTo { most, unless: unless.to_vec() })
}

fn script(check: &'static str, unless: Vec<&'static str>, others: &'static str) -> Result<Operands, String> {
    Ok(Operands::Script { check: ValueCheck::named(check)?, unless, others: ValueCheck::named(others)? })
}
