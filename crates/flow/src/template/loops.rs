//! `for`: the crate's own loop writes out a range of a billion numbers before its first round. May not run longer than
//! the budget.

use super::budget::{Budget, MOST_ROUNDS, Trouble, spend_rounds};
use super::world::LoopFrame;
use liquid_core::model::{ObjectView, ValueView};
use liquid_core::parser::{BlockElement, TryMatchToken};
use liquid_core::runtime::{Interrupt, InterruptRegister};
use liquid_core::{
    BlockReflection, Error, Expression, Language, ParseBlock, Renderable, Result, Runtime, TagBlock,
    TagTokenIter, Template, Value, ValueCow,
};
use std::io::Write;

#[derive(Clone)]
pub(super) struct ForBlock;

impl BlockReflection for ForBlock {
    fn start_tag(&self) -> &'static str {
        "for"
    }

    fn end_tag(&self) -> &'static str {
        "endfor"
    }

    fn description(&self) -> &'static str {
        "Repeats what is inside."
    }
}

impl ParseBlock for ForBlock {
    fn parse(
        &self,
        mut tokens: TagTokenIter<'_>,
        mut block: TagBlock<'_, '_>,
        language: &Language,
    ) -> Result<Box<dyn Renderable>> {
        let mut all = For::head(&mut tokens)?;
        let mut body = Vec::new();
        while let Some(element) = block.next()? {
            match element {
                BlockElement::Tag(tag) if tag.name() == "else" => {
                    all.otherwise = Some(Template::new(block.parse_all(language)?));
                    break;
                }
                element => body.push(element.parse(&mut block, language)?),
            }
        }
        all.body = Template::new(body);
        block.assert_empty();
        Ok(Box::new(all))
    }

    fn reflection(&self) -> &dyn BlockReflection {
        self
    }
}

/// What a loop goes through.
#[derive(Debug)]
enum Source {
    Value(Expression),
    Range(Expression, Expression),
}

#[derive(Debug)]
struct For {
    name: String,
    source: Source,
    limit: Option<Expression>,
    offset: Option<Expression>,
    reversed: bool,
    body: Template,
    otherwise: Option<Template>,
}

impl For {
    /// `name in source limit: 1 offset: 1 reversed`.
    fn head(tokens: &mut TagTokenIter<'_>) -> Result<Self> {
        let name = tokens.expect_next("a name is missing")?.expect_identifier().into_result()?.to_owned();
        tokens.expect_next("`in` is missing")?.expect_str("in").into_result()?;
        let source = match tokens.expect_next("a list is missing")?.expect_value() {
            TryMatchToken::Matches(value) => Source::Value(value),
            TryMatchToken::Fails(token) => {
                let (first, last) = token.expect_range().into_result()?;
                Source::Range(first, last)
            }
        };
        let (mut limit, mut offset, mut reversed) = (None, None, false);
        while let Some(token) = tokens.next() {
            match token.as_str() {
                "reversed" => reversed = true,
                "limit" => limit = Some(argument(tokens)?),
                _ => offset = Some(argument(tokens)?),
            }
        }
        let body = Template::new(Vec::new());
        Ok(Self { name, source, limit, offset, reversed, body, otherwise: None })
    }

    /// The items of this loop, cut and turned round.
    fn items<'r>(&'r self, runtime: &'r dyn Runtime) -> Result<Vec<ValueCow<'r>>> {
        let items = match &self.source {
            Source::Range(first, last) => range(whole(first, runtime)?, whole(last, runtime)?, runtime)?,
            Source::Value(value) => list(value.evaluate(runtime)?),
        };
        let count = |wish: &Option<Expression>, other: usize| match wish {
            Some(value) => whole(value, runtime).map(|count| usize::try_from(count).unwrap_or(0)),
            None => Ok(other),
        };
        let (offset, limit) = (count(&self.offset, 0)?, count(&self.limit, usize::MAX)?);
        let mut items: Vec<_> = items.into_iter().skip(offset).take(limit).collect();
        if self.reversed {
            items.reverse();
        }
        Ok(items)
    }
}

fn argument(tokens: &mut TagTokenIter<'_>) -> Result<Expression> {
    tokens.expect_next("`:` is missing")?.expect_str(":").into_result()?;
    tokens.expect_next("a value is missing")?.expect_value().into_result()
}

fn whole(value: &Expression, runtime: &dyn Runtime) -> Result<i64> {
    let value = value.evaluate(runtime)?;
    let number = value.as_scalar().and_then(|scalar| scalar.to_integer());
    number.ok_or_else(|| {
        Error::with_msg(format!("a loop counts in whole numbers, not in `{}`", value.render()))
    })
}

fn range<'r>(first: i64, last: i64, runtime: &dyn Runtime) -> Result<Vec<ValueCow<'r>>> {
    if i128::from(last) - i128::from(first) >= MOST_ROUNDS as i128 {
        return Err(runtime.registers().get_mut::<Budget>().stop(Trouble::TooManyRounds));
    }
    Ok((first..=last).map(|number| ValueCow::Owned(Value::scalar(number))).collect())
}

/// The items of a value: of a list its items, of a map pairs, of nothing none; anything else is one item.
fn list(value: ValueCow<'_>) -> Vec<ValueCow<'_>> {
    match value {
        ValueCow::Borrowed(view) => match (view.as_array(), view.as_object()) {
            (Some(list), _) => list.values().map(ValueCow::Borrowed).collect(),
            (_, Some(map)) => map.iter().map(|(key, value)| pair(&key, value)).collect(),
            _ if view.is_nil() || view.to_kstr().is_empty() => Vec::new(),
            _ => vec![ValueCow::Borrowed(view)],
        },
        ValueCow::Owned(Value::Array(items)) => items.into_iter().map(ValueCow::Owned).collect(),
        ValueCow::Owned(Value::Object(map)) => map.iter().map(|(key, value)| pair(key, value)).collect(),
        ValueCow::Owned(value) if value.is_nil() || value.to_kstr().is_empty() => Vec::new(),
        ValueCow::Owned(value) => vec![ValueCow::Owned(value)],
    }
}

fn pair<'r>(key: &str, value: &dyn ValueView) -> ValueCow<'r> {
    ValueCow::Owned(Value::Array(vec![Value::scalar(key.to_owned()), value.to_value()]))
}

/// What `forloop` says about one round.
#[derive(Debug, Clone, ValueView, ObjectView)]
struct Round {
    length: i64,
    index: i64,
    index0: i64,
    rindex: i64,
    rindex0: i64,
    first: bool,
    last: bool,
}

impl Round {
    fn new(at: usize, length: usize) -> Self {
        // No loop is longer than the budget.
        let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let (index0, length) = (number(at), number(length));
        let rindex = length - index0;
        Self {
            length,
            index: index0 + 1,
            index0,
            rindex,
            rindex0: rindex - 1,
            first: index0 == 0,
            last: rindex == 1,
        }
    }
}

impl Renderable for For {
    fn render_to(&self, writer: &mut dyn Write, runtime: &dyn Runtime) -> Result<()> {
        let items = self.items(runtime)?;
        if items.is_empty() {
            return self.otherwise.as_ref().map_or(Ok(()), |otherwise| otherwise.render_to(writer, runtime));
        }
        for (at, item) in items.iter().enumerate() {
            spend_rounds(runtime, 1)?;
            let round = Round::new(at, items.len());
            let frame = LoopFrame::new(runtime, &self.name, item.as_view(), &round);
            self.body.render_to(writer, &frame)?;
            let interrupt = runtime.registers().get_mut::<InterruptRegister>().reset();
            if matches!(interrupt, Some(Interrupt::Break)) {
                break;
            }
        }
        Ok(())
    }
}
