//! A template as a tree: what its tags say, and where each stands. May not fill anything in.

use super::filters::TemplateFilter;
use super::value::LiquidValue;
use crate::Mark;
use crate::imports::EmbeddedKind;
use std::ops::Range;
use std::sync::Arc;

/// A piece of a template.
#[derive(Debug)]
pub(super) enum TemplateNode {
    /// Text, to be written as it is.
    Text(Range<usize>),
    /// Data, likewise.
    Data(Arc<str>, Range<usize>),
    /// A command, whose text is a template too.
    Command { kind: EmbeddedKind, mark: Mark, body: Vec<TemplateNode>, range: Range<usize> },
    /// `{{ … }}` or `echo`.
    Output { value: FilterChain, range: Range<usize> },
    /// `assign`.
    Assign { name: usize, value: FilterChain, range: Range<usize> },
    /// `capture`.
    Capture { name: usize, body: Vec<TemplateNode>, range: Range<usize> },
    /// `if` and `unless`.
    Branch { arms: Vec<BranchArm>, otherwise: Vec<TemplateNode>, range: Range<usize> },
    /// `case`.
    Case { value: Operand, arms: Vec<CaseArm>, otherwise: Vec<TemplateNode>, range: Range<usize> },
    /// `for`.
    Loop(Box<LoopTag>),
    /// `cycle`: what is shared by all that go round together, and the values.
    Cycle { group: String, values: Vec<Operand>, range: Range<usize> },
    /// `break`.
    Break,
    /// `continue`.
    Continue,
}

/// `if`, `elsif` or `unless`, up to the next.
#[derive(Debug)]
pub(super) struct BranchArm {
    pub(super) condition: TagCondition,
    /// What the condition must be: `unless` wants it to fail.
    pub(super) wanted: bool,
    pub(super) body: Vec<TemplateNode>,
}

/// `when`, up to the next.
#[derive(Debug)]
pub(super) struct CaseArm {
    pub(super) values: Vec<Operand>,
    pub(super) body: Vec<TemplateNode>,
}

#[derive(Debug)]
pub(super) struct LoopTag {
    pub(super) name: usize,
    pub(super) source: LoopSource,
    pub(super) limit: Option<Operand>,
    pub(super) offset: Option<Operand>,
    pub(super) reversed: bool,
    pub(super) body: Vec<TemplateNode>,
    pub(super) otherwise: Vec<TemplateNode>,
    pub(super) range: Range<usize>,
}

/// What a loop goes through.
#[derive(Debug)]
pub(super) enum LoopSource {
    Value(Operand),
    /// `(first..last)`.
    Numbers(Operand, Operand),
}

/// A value with its filters.
#[derive(Debug)]
pub(super) struct FilterChain {
    pub(super) value: Operand,
    pub(super) filters: Vec<(&'static TemplateFilter, Vec<Operand>)>,
}

/// A literal, or a name with what is taken from it.
#[derive(Debug)]
pub(super) enum Operand {
    Literal(LiquidValue),
    Read {
        /// The number of this read, which knows its place.
        spot: usize,
        /// The number of the name.
        name: usize,
        missing: MissingPart,
        path: Vec<Operand>,
    },
}

/// What happens where a part of a value is missing (`b` in `a.b`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MissingPart {
    Fails,
    IsNil,
}

/// Parts joined by `or`, each of parts joined by `and`.
#[derive(Debug)]
pub(super) struct TagCondition(pub(super) Vec<Vec<TagComparison>>);

/// A value alone, or beside another.
#[derive(Debug)]
pub(super) struct TagComparison {
    pub(super) left: Operand,
    pub(super) right: Option<(ComparisonSign, Operand)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ComparisonSign {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Contains,
}

impl ComparisonSign {
    /// All of them as they are written.
    pub(super) const WRITTEN: [(&str, Self); 7] = [
        ("==", Self::Equal),
        ("!=", Self::Unequal),
        ("<>", Self::Unequal),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::More),
    ];
}
