//! `assign` and `capture`: names that a template makes itself, as far as there is room. May not read a name.

use super::budget::Budget;
use super::budget::{Capped, Trouble, spend_bytes, weight};
use liquid_core::model::KString;
use liquid_core::parser::FilterChain;
use liquid_core::{
    BlockReflection, Error, Language, ParseBlock, ParseTag, Renderable, Result, Runtime, TagBlock,
    TagReflection, TagTokenIter, Template, Value,
};
use std::io::Write;

#[derive(Clone)]
pub(super) struct AssignTag;

impl TagReflection for AssignTag {
    fn tag(&self) -> &'static str {
        "assign"
    }

    fn description(&self) -> &'static str {
        "Gives a name a value."
    }
}

impl ParseTag for AssignTag {
    fn parse(&self, mut tokens: TagTokenIter<'_>, language: &Language) -> Result<Box<dyn Renderable>> {
        let name = tokens.expect_next("a name is missing")?.expect_identifier().into_result()?.to_owned();
        tokens.expect_next("`=` is missing")?.expect_str("=").into_result()?;
        let value = tokens.expect_next("a value is missing")?.expect_filter_chain(language);
        let value = value.into_result_custom_msg("a filter was given what it does not take")?;
        tokens.expect_nothing()?;
        Ok(Box::new(Assign { name: name.into(), value }))
    }

    fn reflection(&self) -> &dyn TagReflection {
        self
    }
}

#[derive(Debug)]
struct Assign {
    name: KString,
    value: FilterChain,
}

impl Renderable for Assign {
    fn render_to(&self, _writer: &mut dyn Write, runtime: &dyn Runtime) -> Result<()> {
        let value = self.value.evaluate(runtime)?.into_owned();
        spend_bytes(runtime, weight(&value))?;
        runtime.set_global(self.name.clone(), value);
        Ok(())
    }
}

#[derive(Clone)]
pub(super) struct CaptureBlock;

impl BlockReflection for CaptureBlock {
    fn start_tag(&self) -> &'static str {
        "capture"
    }

    fn end_tag(&self) -> &'static str {
        "endcapture"
    }

    fn description(&self) -> &'static str {
        "Gives a name the text inside."
    }
}

impl ParseBlock for CaptureBlock {
    fn parse(
        &self,
        mut tokens: TagTokenIter<'_>,
        mut block: TagBlock<'_, '_>,
        language: &Language,
    ) -> Result<Box<dyn Renderable>> {
        let name = tokens.expect_next("a name is missing")?.expect_identifier().into_result()?.to_owned();
        tokens.expect_nothing()?;
        let body = Template::new(block.parse_all(language)?);
        block.assert_empty();
        Ok(Box::new(Capture { name: name.into(), body }))
    }

    fn reflection(&self) -> &dyn BlockReflection {
        self
    }
}

#[derive(Debug)]
struct Capture {
    name: KString,
    body: Template,
}

impl Renderable for Capture {
    fn render_to(&self, _writer: &mut dyn Write, runtime: &dyn Runtime) -> Result<()> {
        let mut inside = Capped::default();
        let filled = self.body.render_to(&mut inside, runtime);
        if inside.is_full {
            return Err(runtime.registers().get_mut::<Budget>().stop(Trouble::TooLarge));
        }
        filled?;
        spend_bytes(runtime, inside.bytes.len())?;
        let text = String::from_utf8(inside.bytes)
            .map_err(|_| Error::with_msg("a filter cut a character in half"))?;
        runtime.set_global(self.name.clone(), Value::scalar(text));
        Ok(())
    }
}
