//! A tree is filled in: its outputs written, its tags carried out, within the budget. May not look anything up but in
//! what it was given.

use super::budget::{FillBudget, FillTrouble};
use super::compare::{contains, equal, order};
use super::expression::FORLOOP;
use super::filters::FilterCall;
use super::output::{FilledPart, FilledStretch, FilledText};
use super::rounds::LoopItems;
use super::tree::{
    ComparisonSign, FilterChain, LoopSource, LoopTag, MissingPart, Operand, TagComparison, TagCondition,
    TemplateNode,
};
use super::value::LiquidValue;
use crate::Mark;
use crate::imports::EmbeddedCommand;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::SystemTime;

/// Why filling stopped, and at which tag.
pub(super) struct FillStop {
    pub(super) trouble: FillTrouble,
    pub(super) range: Range<usize>,
}

/// Whether what follows is filled too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GoesOn {
    On,
    Continue,
    Break,
}

/// One round of a loop.
struct LoopRound {
    name: usize,
    item: LiquidValue,
    at: usize,
    length: usize,
}

/// A template while it is filled.
pub(super) struct Filling<'f> {
    text: &'f str,
    /// What was given, by the number of the name.
    given: Vec<LiquidValue>,
    /// What the template keeps under names of its own.
    made: BTreeMap<usize, LiquidValue>,
    /// The loops around, the innermost last.
    loops: Vec<LoopRound>,
    /// How far each group of `cycle` has come.
    cycles: BTreeMap<&'f str, usize>,
    now: Option<SystemTime>,
    budget: FillBudget,
    out: FilledText,
}

type Filled<T> = Result<T, FillTrouble>;

impl<'f> Filling<'f> {
    pub(super) fn new(text: &'f str, given: Vec<LiquidValue>, now: Option<SystemTime>) -> Self {
        let (made, loops, cycles) = (BTreeMap::new(), Vec::new(), BTreeMap::new());
        let budget = FillBudget::default();
        Self { text, given, made, loops, cycles, now, budget, out: FilledText::default() }
    }

    /// Fills all of a tree.
    pub(super) fn fill(mut self, nodes: &'f [TemplateNode]) -> Result<Vec<FilledPart>, FillStop> {
        self.nodes(nodes)?;
        Ok(self.out.into_parts())
    }

    fn nodes(&mut self, nodes: &'f [TemplateNode]) -> Result<GoesOn, FillStop> {
        for node in nodes {
            let goes_on = self.node(node)?;
            if goes_on != GoesOn::On {
                return Ok(goes_on);
            }
        }
        Ok(GoesOn::On)
    }

    fn node(&mut self, node: &'f TemplateNode) -> Result<GoesOn, FillStop> {
        match node {
            TemplateNode::Text(range) => self.out.write(&self.text[range.clone()]).map_err(at(range))?,
            TemplateNode::Data(data, range) => {
                self.out.push(&FilledStretch::Data(Arc::clone(data))).map_err(at(range))?;
            }
            TemplateNode::Command { kind, mark, body, range } => {
                let text = self.command(mark, body)?;
                let command = EmbeddedCommand { kind: *kind, text, mark: mark.clone() };
                self.out.push(&FilledStretch::Command(command)).map_err(at(range))?;
            }
            TemplateNode::Output { value, range } => self.output(value).map_err(at(range))?,
            TemplateNode::Assign { name, value, range } => self.assign(*name, value).map_err(at(range))?,
            TemplateNode::Capture { name, body, range } => return self.capture(*name, body, range),
            TemplateNode::Branch { arms, otherwise, range } => {
                for arm in arms {
                    if self.holds(&arm.condition).map_err(at(range))? == arm.wanted {
                        return self.nodes(&arm.body);
                    }
                }
                return self.nodes(otherwise);
            }
            TemplateNode::Case { value, arms, otherwise, range } => {
                let value = self.value(value).map_err(at(range))?;
                for arm in arms {
                    if self.is_one_of(&value, &arm.values).map_err(at(range))? {
                        return self.nodes(&arm.body);
                    }
                }
                return self.nodes(otherwise);
            }
            TemplateNode::Loop(tag) => return self.repeat(tag),
            TemplateNode::Cycle { group, values, range } => self.cycle(group, values).map_err(at(range))?,
            TemplateNode::Break => return Ok(GoesOn::Break),
            TemplateNode::Continue => return Ok(GoesOn::Continue),
        }
        Ok(GoesOn::On)
    }

    /// Fills the text of a command. Nothing but text may be in it: the rest would reach a shell that nobody quoted it for.
    fn command(&mut self, mark: &Mark, body: &'f [TemplateNode]) -> Result<String, FillStop> {
        let outside = std::mem::take(&mut self.out);
        self.nodes(body)?;
        let inside = std::mem::replace(&mut self.out, outside);
        let stop = || FillStop { trouble: FillTrouble::InCommand(Box::new(mark.clone())), range: 0..0 };
        inside.into_text().ok_or_else(stop)
    }

    fn output(&mut self, chain: &FilterChain) -> Filled<()> {
        let value = self.chain(chain)?;
        self.out.value(&value)
    }

    fn assign(&mut self, name: usize, chain: &FilterChain) -> Filled<()> {
        let value = self.chain(chain)?;
        self.budget.keep(value.weight())?;
        self.made.insert(name, value);
        Ok(())
    }

    fn capture(
        &mut self,
        name: usize,
        body: &'f [TemplateNode],
        range: &Range<usize>,
    ) -> Result<GoesOn, FillStop> {
        let outside = std::mem::take(&mut self.out);
        let goes_on = self.nodes(body)?;
        let inside = std::mem::replace(&mut self.out, outside);
        let inside = inside.into_value();
        self.budget.keep(inside.weight()).map_err(at(range))?;
        self.made.insert(name, inside);
        Ok(goes_on)
    }

    /// The next value of a group; the group starts again after its last.
    fn cycle(&mut self, group: &'f str, values: &[Operand]) -> Filled<()> {
        let next = self.cycles.entry(group).or_insert(0);
        let value = values.get(*next).or(values.first());
        *next = if *next + 1 < values.len() { *next + 1 } else { 0 };
        let value = value.map_or(Ok(LiquidValue::Nil), |value| self.value(value))?;
        self.out.value(&value)
    }

    fn repeat(&mut self, tag: &'f LoopTag) -> Result<GoesOn, FillStop> {
        let items = self.items(tag).map_err(at(&tag.range))?;
        let length = items.len();
        if length == 0 {
            return self.nodes(&tag.otherwise);
        }
        for at_item in 0..length {
            self.budget.round().map_err(at(&tag.range))?;
            let item = items.get(if tag.reversed { length - 1 - at_item } else { at_item });
            self.loops.push(LoopRound { name: tag.name, item, at: at_item, length });
            let goes_on = self.nodes(&tag.body);
            self.loops.pop();
            if goes_on? == GoesOn::Break {
                break;
            }
        }
        Ok(GoesOn::On)
    }

    /// What a loop goes through, cut by `offset` and `limit`.
    fn items(&mut self, tag: &LoopTag) -> Filled<LoopItems> {
        let mut items = match &tag.source {
            LoopSource::Numbers(first, last) => LoopItems::numbers(self.whole(first)?, self.whole(last)?)?,
            LoopSource::Value(value) => {
                let value = self.value(value)?;
                // Its pairs are made anew; the items of a list are not.
                if matches!(value, LiquidValue::Map(_)) {
                    self.budget.go_through(&value)?;
                }
                LoopItems::of(value)
            }
        };
        let count = |wish: i64| usize::try_from(wish).unwrap_or(0);
        let offset = tag.offset.as_ref().map_or(Ok(0), |wish| self.whole(wish).map(count))?;
        let limit = tag.limit.as_ref().map_or(Ok(usize::MAX), |wish| self.whole(wish).map(count))?;
        items.cut(offset, limit);
        Ok(items)
    }

    fn whole(&self, operand: &Operand) -> Filled<i64> {
        let value = self.value(operand)?;
        let number = value.scalar().and_then(|scalar| scalar.integer());
        number.ok_or_else(|| {
            FillTrouble::Unfit(format!("a loop counts in whole numbers, not in `{}`", value.shown()))
        })
    }

    fn chain(&mut self, chain: &FilterChain) -> Filled<LiquidValue> {
        let mut value = self.value(&chain.value)?;
        for (filter, arguments) in &chain.filters {
            let arguments = arguments.iter().map(|argument| self.value(argument));
            let arguments = arguments.collect::<Filled<Vec<_>>>()?;
            self.budget.go_through(&value)?;
            let call = FilterCall { input: &value, arguments: &arguments, now: self.now };
            value = filter.apply(&call)?;
        }
        Ok(value)
    }

    /// What an operand is now.
    fn value(&self, operand: &Operand) -> Filled<LiquidValue> {
        let (spot, name, missing, path) = match operand {
            Operand::Literal(literal) => return Ok(literal.clone()),
            Operand::Read { spot, name, missing, path } => (*spot, *name, *missing, path),
        };
        let Some(mut value) = self.held(name) else { return Ok(LiquidValue::Nil) };
        for part in path {
            let key = self.value(part)?;
            let Some(scalar) = key.scalar() else {
                return Err(FillTrouble::Unfit(format!("`{}` is no name of a part", key.to_json())));
            };
            value = match value.part(scalar) {
                Some(part) => part,
                None if missing == MissingPart::IsNil => return Ok(LiquidValue::Nil),
                None => {
                    let known = value.entries().unwrap_or_default();
                    let known = known.iter().map(|(key, _)| key.to_string()).collect();
                    return Err(FillTrouble::NoPart { spot, part: key.shown().into_owned(), known });
                }
            };
        }
        Ok(value)
    }

    /// What a name holds: in the loops around, of the template's own making, or given.
    fn held(&self, name: usize) -> Option<LiquidValue> {
        if name == FORLOOP
            && let Some(round) = self.loops.last()
        {
            return Some(round.describe());
        }
        if let Some(round) = self.loops.iter().rfind(|round| round.name == name) {
            return Some(round.item.clone());
        }
        let given = self.given.get(name).filter(|value| !matches!(value, LiquidValue::Nil));
        self.made.get(&name).or(given).cloned()
    }

    fn holds(&mut self, condition: &TagCondition) -> Filled<bool> {
        for all in &condition.0 {
            let mut holds = true;
            for comparison in all {
                holds = holds && self.compares(comparison)?;
            }
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn compares(&mut self, comparison: &TagComparison) -> Filled<bool> {
        let Some((sign, right)) = &comparison.right else {
            // What cannot be read is not there.
            return Ok(self.value(&comparison.left).is_ok_and(|value| value.is_truthy()));
        };
        let (left, right) = (self.value(&comparison.left)?, self.value(right)?);
        self.budget.go_through(&left)?;
        Ok(match sign {
            ComparisonSign::Equal => equal(&left, &right),
            ComparisonSign::Unequal => !equal(&left, &right),
            ComparisonSign::Contains => contains(&left, &right),
            ComparisonSign::Less => order(&left, &right) == Some(Ordering::Less),
            ComparisonSign::More => order(&left, &right) == Some(Ordering::Greater),
            ComparisonSign::AtMost => order(&left, &right).is_some_and(Ordering::is_le),
            ComparisonSign::AtLeast => order(&left, &right).is_some_and(Ordering::is_ge),
        })
    }

    fn is_one_of(&mut self, value: &LiquidValue, operands: &[Operand]) -> Filled<bool> {
        for operand in operands {
            self.budget.go_through(value)?;
            if equal(&self.value(operand)?, value) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn at(range: &Range<usize>) -> impl FnOnce(FillTrouble) -> FillStop {
    |trouble| FillStop { trouble, range: range.clone() }
}

impl LoopRound {
    /// What `forloop` says.
    fn describe(&self) -> LiquidValue {
        let rest = self.length - self.at;
        let entries = [
            ("length", LiquidValue::count(self.length)),
            ("index", LiquidValue::count(self.at + 1)),
            ("index0", LiquidValue::count(self.at)),
            ("rindex", LiquidValue::count(rest)),
            ("rindex0", LiquidValue::count(rest - 1)),
            ("first", LiquidValue::Bool(self.at == 0)),
            ("last", LiquidValue::Bool(rest == 1)),
        ];
        LiquidValue::Map(entries.map(|(key, value)| (key.into(), value)).into())
    }
}
