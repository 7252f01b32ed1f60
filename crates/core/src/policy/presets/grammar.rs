//! What a program may be asked: its options, its operands, and what must be so for that to be harmless.
//!
//! May not read words: see [`walk`](super::walk) and [`options`](super::options).

use super::check::ValueCheck;

/// A program or a subcommand, with what it may be asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// The names it goes by.
    pub(super) names: Vec<&'static str>,
    pub(super) grammar: OptionGrammar,
    pub(super) children: Vec<Node>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct OptionGrammar {
    pub(super) style: Style,
    /// Options without a value.
    pub(super) flags: Vec<&'static str>,
    /// Options with a value.
    pub(super) takers: Vec<Taker>,
    /// `-20` and the like, without a letter.
    pub(super) numbers: bool,
    /// At least one of these must be given.
    pub(super) needs: Vec<&'static str>,
    /// A group may stand without a subcommand where one of these is given; where none is named, always.
    pub(super) alone: Option<Vec<&'static str>>,
    pub(super) operands: Operands,
    /// Whether its words go on with another command of the table.
    pub(super) leads: Leads,
    /// Folders of a project in which it may lie, such as `node_modules/.bin`; `.` is any.
    pub(super) local: Vec<&'static str>,
    /// Whether it only ever reads, so that it can be disarmed whatever its options.
    pub(super) reads: bool,
    pub(super) terms: GrammarRows,
    /// What else its reader should know.
    pub(super) notes: Vec<&'static str>,
}

impl OptionGrammar {
    /// Takes over the options of a set.
    pub(super) fn add(&mut self, set: &Self) {
        self.flags.extend(&set.flags);
        self.takers.extend(set.takers.iter().cloned());
        self.numbers |= set.numbers;
    }
}

/// How a program reads its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Style {
    /// Options anywhere, short ones in bundles, `--` ends them.
    #[default]
    Gnu,
    /// The same, but the first operand ends the options.
    First,
    /// Long options with one dash or two, anywhere.
    Dashes,
    /// The same, but the first operand ends the options.
    DashesFirst,
    /// The expressions of `find`.
    Find,
    /// The first word may be a bundle without a dash.
    Tar,
    /// No option at all: every word is an operand.
    Plain,
    /// Options, then a subcommand.
    Group,
}

/// Whether a program's words go on with another command of the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Leads {
    /// They do not.
    #[default]
    No,
    /// The first operand begins it.
    Operand,
    /// The first operand begins it, and the project has a program of that name in this folder, or one above.
    Installed(&'static str),
    /// `-m` begins it, where it is one of these.
    Module(Vec<&'static str>),
}

/// An option with a value.
#[derive(Debug, Clone)]
pub(super) struct Taker {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    pub(super) check: ValueCheck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// One value: in the same word, or the next word.
    One,
    /// Two values: the next two words.
    Two,
    /// Perhaps a value, in the same word only.
    Maybe,
}

#[derive(Debug, Clone, Default)]
pub(super) enum Operands {
    /// Any.
    #[default]
    Any,
    /// None, or any where one of these options is given.
    None { unless: Vec<&'static str> },
    /// So many at most, or any where one of these options is given.
    UpTo { most: usize, unless: Vec<&'static str> },
    /// Each must pass.
    Each(ValueCheck),
    /// The first is a script unless one of these options gave it; the others must pass the second check.
    Script { check: ValueCheck, unless: Vec<&'static str>, others: ValueCheck },
    /// The first is a file of code and must be there, unless one of these options is given; the others are any.
    Code { check: ValueCheck, unless: Vec<&'static str> },
    /// All together are an expression of `test`.
    Test,
}

/// What must be so for the program to be harmless, as the table has it.
#[derive(Debug, Clone, Default)]
pub(super) struct GrammarRows {
    pub(super) env: Vec<(&'static str, &'static str)>,
    pub(super) unset: Vec<&'static str>,
    /// Settings of git.
    pub(super) config: Vec<(&'static str, &'static str)>,
    /// Arguments to add where they can be.
    pub(super) add: Vec<&'static str>,
    /// An external diff would be run unless this is given.
    pub(super) external_diff_unless: Option<&'static str>,
    /// The program that a remote names would be run unless this is given.
    pub(super) upload_pack_unless: Option<&'static str>,
    /// Submodules would be looked into, with their own settings, unless this is given.
    pub(super) submodules_unless: Option<&'static str>,
}
