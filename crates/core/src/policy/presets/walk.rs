//! One command against the table: down to its subcommand, gathering the terms on the way.
//!
//! May not allow a word that nothing in the table stands for.

use super::grammar::{Leads, Node, OptionGrammar, Style};
use super::options::{GivenOptions, find, given};
use super::table::PresetTable;
use super::{AddedArg, CommandForm, PresetTerms};
use crate::policy::Word;
use crate::policy::git_front::{self, GitFront};

/// Why a command does not fit.
#[derive(Debug)]
pub(super) enum No {
    /// This option is not in the table.
    Option { of: String, option: String },
    /// This subcommand is not in the table.
    Subcommand { of: String, name: String },
    /// Something else, as a whole fragment.
    Because(String),
}

impl No {
    pub(super) fn told(&self, preset: &str) -> String {
        match self {
            No::Option { of, option } => {
                format!("`{of} {option}` is not among the options that `{preset}` allows")
            }
            No::Subcommand { of, name } => {
                format!("`{of} {name}` is not among the subcommands that `{preset}` allows")
            }
            No::Because(why) => why.clone(),
        }
    }
}

/// What a command needs, or why it does not fit. `words` are those after the name.
pub(super) fn walk(
    table: &PresetTable,
    program: &Node,
    name: &str,
    words: &[Word],
    form: CommandForm,
) -> Result<PresetTerms, No> {
    let mut terms = PresetTerms::default();
    let mut node = program;
    let mut path = name.to_owned();
    let mut at = 0;
    loop {
        terms.add(&node.grammar.terms);
        let Some(next) = child(node, &path, words, at)?.filter(|_| node.grammar.leads == Leads::No) else {
            break;
        };
        path = format!("{path} {}", words[next.at].text().unwrap_or_default());
        (node, at) = (next.node, next.at + 1);
    }
    if node.grammar.leads != Leads::No {
        let led = led(table, node, &path, &words[at..])?;
        terms.join(led);
        return Ok(terms);
    }
    let given = leaf(&node.grammar, &path, &words[at..])?;
    finish(&mut terms, &node.grammar, &given, at + 1, form);
    Ok(terms)
}

/// What the command needs that the words of another go on with.
fn led(table: &PresetTable, node: &Node, path: &str, words: &[Word]) -> Result<PresetTerms, No> {
    let (name, rest, module) = match &node.grammar.leads {
        Leads::Module(modules) => {
            let at = words.iter().position(|word| word.text() == Some("-m"));
            let Some(at) = at.filter(|at| given(&node.grammar, path, &words[..*at], Style::First).is_ok())
            else {
                leaf(&node.grammar, path, words)?;
                return Ok(PresetTerms::default());
            };
            let name = words.get(at + 1).and_then(Word::text).filter(|name| modules.contains(name));
            let why = || No::Because(format!("`{path} -m` is allowed with {}", modules.join(", ")));
            (name.ok_or_else(why)?, &words[at + 2..], true)
        }
        _ => {
            let given = given(&node.grammar, path, words, Style::First)?;
            let at = words.len() - given.operands.len();
            let name = words.get(at).and_then(Word::text);
            (name.ok_or_else(|| No::Because(format!("`{path}` needs a command")))?, &words[at + 1..], false)
        }
    };
    let fits = |node: &&Node| node.names.contains(&name);
    let own = node.children.iter().find(fits).filter(|_| module);
    let next = own.or_else(|| table.programs.iter().find(fits));
    let next = next.ok_or_else(|| No::Subcommand { of: path.to_owned(), name: name.to_owned() })?;
    // Behind another command no argument can be added.
    let mut terms = walk(table, next, name, rest, CommandForm::Text)?;
    if let Leads::Installed(folder) = &node.grammar.leads {
        terms.installed.push(format!("{folder}/{name}"));
    }
    Ok(terms)
}

/// What a command of a group needs, whatever its options. Nothing, where its subcommand is not known to only read: to
/// write without a repository's filters would spoil its files.
pub(super) fn terms(program: &Node, words: &[Word]) -> Option<PresetTerms> {
    if program.grammar.style != Style::Group {
        return None;
    }
    let GitFront::Command { at, .. } = git_front::read(words) else { return None };
    let command = words[at].text()?;
    let next = program.children.iter().find(|child| child.names.contains(&command))?;
    if !next.grammar.reads {
        return None;
    }
    let mut terms = PresetTerms::default();
    terms.add(&program.grammar.terms);
    terms.add(&next.grammar.terms);
    // As in a text, where no argument can be added.
    finish(&mut terms, &next.grammar, &GivenOptions::default(), at + 1, CommandForm::Text);
    Some(terms)
}

struct SubcommandStep<'a> {
    node: &'a Node,
    at: usize,
}

/// The subcommand that the words name, if the program has any.
fn child<'a>(
    node: &'a Node,
    path: &str,
    words: &[Word],
    at: usize,
) -> Result<Option<SubcommandStep<'a>>, No> {
    let named =
        |word: &Word| word.text().and_then(|text| node.children.iter().find(|c| c.names.contains(&text)));
    if node.grammar.style != Style::Group {
        // Its own options would stand behind the subcommand: only the very next word can be one.
        return Ok(words.get(at).and_then(named).map(|node| SubcommandStep { node, at }));
    }
    let here = given(&node.grammar, path, &words[at..], Style::First)?;
    let Some(first) = here.operands.first() else {
        let alone = node.grammar.alone.as_ref().is_some_and(|one| one.is_empty() || here.has(one));
        let why = || No::Because(format!("`{path}` needs a subcommand"));
        return if alone { Ok(None) } else { Err(why()) };
    };
    let at = words.len() - here.operands.len();
    match named(first) {
        Some(node) => Ok(Some(SubcommandStep { node, at })),
        None => Err(No::Subcommand { of: path.to_owned(), name: shown(first) }),
    }
}

fn leaf<'a>(grammar: &OptionGrammar, path: &str, words: &'a [Word]) -> Result<GivenOptions<'a>, No> {
    let given = match grammar.style {
        Style::Find => find(grammar, path, words)?,
        Style::Group => given(grammar, path, words, Style::First)?,
        style => given(grammar, path, words, style)?,
    };
    if !grammar.needs.is_empty() && !given.has(&grammar.needs) {
        return Err(No::Because(format!("`{path}` needs {}", grammar.needs.join(" or "))));
    }
    grammar.operands.hold(path, &given)?;
    Ok(given)
}

fn finish(
    terms: &mut PresetTerms,
    grammar: &OptionGrammar,
    given: &GivenOptions<'_>,
    before: usize,
    form: CommandForm,
) {
    let rows = &grammar.terms;
    if form == CommandForm::Argv {
        terms.args.extend(rows.add.iter().map(|text| AddedArg { before, text }));
    }
    if let Some(git) = &mut terms.git {
        let open = |unless: Option<&str>| {
            unless.is_some_and(|flag| form == CommandForm::Text && !given.has(&[flag]))
        };
        git.external_diff_would_run = open(rows.external_diff_unless);
        git.upload_pack_would_run = open(rows.upload_pack_unless);
        git.submodules_would_be_entered = open(rows.submodules_unless);
    }
}

/// A word for a message, in one line and not too long.
pub(super) fn shown(word: &Word) -> String {
    match word {
        Word::Known(text) => {
            let text = crate::render::one_line(&crate::render::word(text));
            if text.chars().count() > 60 {
                text.chars().take(57).chain("...".chars()).collect()
            } else {
                text
            }
        }
        Word::Open { .. } => "…".to_owned(),
    }
}
