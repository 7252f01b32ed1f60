//! What a template finds when it reads a name: what it made itself, what its loops hold, what it was given.
//!
//! A name as the crate sees it is `t3` (text 3), `n5` (name 5, being made) or `r17-n5` (read 17, of name 5), with `-o` behind
//! it where a missing part is nil. May not look anywhere else.

use super::budget::{Budget, Trouble};
use super::{Datum, Scope};
use crate::template::compose::FORLOOP;
use liquid_core::model::{KString, KStringCow, KStringRef, ScalarCow, try_find};
use liquid_core::runtime::{PartialStore, Registers, RuntimeCore};
use liquid_core::{Error, Result, Runtime, Value, ValueCow, ValueView};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

static NIL: Datum = Datum::Nil;

/// Which read it is, of which name.
#[derive(Debug, Clone, Copy)]
struct Alias {
    spot: usize,
    name: usize,
    is_nil_when_missing: bool,
}

impl Alias {
    fn of(key: &str) -> Option<Self> {
        let (spot, rest) = key.strip_prefix('r')?.split_once("-n")?;
        let (name, lenient) = rest.strip_suffix("-o").map_or((rest, false), |name| (name, true));
        Some(Self { spot: spot.parse().ok()?, name: name.parse().ok()?, is_nil_when_missing: lenient })
    }

    /// A part of a value, or the reason why there is none.
    fn part<'v>(
        self,
        value: &'v dyn ValueView,
        path: &[ScalarCow<'_>],
        registers: &Registers,
    ) -> Result<ValueCow<'v>> {
        match try_find(value, path) {
            // Only sizes are made on the way.
            Some(ValueCow::Owned(found)) => Ok(ValueCow::Owned(in_characters(value, path).unwrap_or(found))),
            Some(found) => Ok(found),
            None if self.is_nil_when_missing => Ok(ValueCow::Borrowed(&NIL)),
            None => Err(registers.get_mut::<Budget>().stop(self.missing(value, path))),
        }
    }

    fn missing(self, value: &dyn ValueView, path: &[ScalarCow<'_>]) -> Trouble {
        let there =
            (0..path.len()).rev().find_map(|length| try_find(value, &path[..length]).map(|at| (length, at)));
        let (length, parent) = there.unwrap_or((0, ValueCow::Borrowed(value)));
        let part = path.get(length).map(|part| part.to_kstr().to_string()).unwrap_or_default();
        let known =
            parent.as_object().map(|map| map.keys().map(|key| key.to_string()).collect()).unwrap_or_default();
        Trouble::NoPart { spot: self.spot, part, known }
    }
}

/// The size at the end of a path, if it is the size of a text.
fn in_characters(value: &dyn ValueView, path: &[ScalarCow<'_>]) -> Option<Value> {
    let (_, path) = path.split_last()?;
    try_find(value, path).filter(|parent| parent.is_scalar()).map(|parent| size(parent.as_view()))
}

/// How many characters a text has. The crate counts bytes.
pub(super) fn size(text: &dyn ValueView) -> Value {
    Value::scalar(i64::try_from(text.to_kstr().chars().count()).unwrap_or(i64::MAX))
}

/// The ground: what was given, and what the template keeps under names of its own.
pub(super) struct World<'w> {
    names: &'w [String],
    scope: &'w Scope,
    texts: Vec<&'w str>,
    made: RefCell<BTreeMap<usize, Value>>,
    core: RuntimeCore<'static>,
}

impl<'w> World<'w> {
    pub(super) fn new(names: &'w [String], texts: Vec<&'w str>, scope: &'w Scope) -> Self {
        Self { names, scope, texts, made: RefCell::default(), core: RuntimeCore::new() }
    }

    pub(super) fn trouble(&self) -> Option<Trouble> {
        self.core.registers().get_mut::<Budget>().trouble.take()
    }
}

fn unknown(key: &str) -> Error {
    Error::with_msg(format!("`{key}` is no name of this template"))
}

impl Runtime for World<'_> {
    fn partials(&self) -> &dyn PartialStore {
        self.core.partials()
    }

    fn name(&self) -> Option<KStringRef<'_>> {
        None
    }

    fn roots(&self) -> BTreeSet<KStringCow<'_>> {
        BTreeSet::new()
    }

    fn try_get(&self, path: &[ScalarCow<'_>]) -> Option<ValueCow<'_>> {
        self.get(path).ok()
    }

    fn get(&self, path: &[ScalarCow<'_>]) -> Result<ValueCow<'_>> {
        let (key, path) = path.split_first().ok_or_else(|| unknown(""))?;
        let key = key.to_kstr();
        let text = key.strip_prefix('t').and_then(|number| number.parse::<usize>().ok());
        if let Some(text) = text.and_then(|number| self.texts.get(number)) {
            return Ok(ValueCow::Borrowed(text));
        }
        let alias = Alias::of(&key).ok_or_else(|| unknown(&key))?;
        if let Some(made) = self.made.borrow().get(&alias.name) {
            return alias.part(made, path, self.registers()).map(|value| value.into_owned().into());
        }
        let given = self.names.get(alias.name).and_then(|name| self.scope.get(name));
        match given {
            Some(value) => alias.part(value, path, self.registers()),
            // A required name is there, or filling would not have begun.
            None => Ok(ValueCow::Borrowed(&NIL)),
        }
    }

    fn set_global(&self, name: KString, value: Value) -> Option<Value> {
        let number = name.strip_prefix('n')?.parse().ok()?;
        self.made.borrow_mut().insert(number, value)
    }

    // `increment` and `decrement` are no tags here.
    fn set_index(&self, _name: KString, _value: Value) -> Option<Value> {
        None
    }

    fn get_index<'a>(&'a self, _name: &str) -> Option<ValueCow<'a>> {
        None
    }

    fn registers(&self) -> &Registers {
        self.core.registers()
    }
}

/// One round of a loop, in front of everything outside of it.
pub(super) struct LoopFrame<'f> {
    parent: &'f dyn Runtime,
    name: Option<usize>,
    item: &'f dyn ValueView,
    round: &'f dyn ValueView,
}

impl<'f> LoopFrame<'f> {
    pub(super) fn new(
        parent: &'f dyn Runtime,
        name: &str,
        item: &'f dyn ValueView,
        round: &'f dyn ValueView,
    ) -> Self {
        let name = name.strip_prefix('n').and_then(|number| number.parse().ok());
        Self { parent, name, item, round }
    }
}

impl Runtime for LoopFrame<'_> {
    fn partials(&self) -> &dyn PartialStore {
        self.parent.partials()
    }

    fn name(&self) -> Option<KStringRef<'_>> {
        None
    }

    fn roots(&self) -> BTreeSet<KStringCow<'_>> {
        BTreeSet::new()
    }

    fn try_get(&self, path: &[ScalarCow<'_>]) -> Option<ValueCow<'_>> {
        self.get(path).ok()
    }

    fn get(&self, path: &[ScalarCow<'_>]) -> Result<ValueCow<'_>> {
        let alias = path.first().and_then(|key| Alias::of(&key.to_kstr()));
        let own = alias.and_then(|alias| match alias.name {
            FORLOOP => Some((alias, self.round)),
            name if Some(name) == self.name => Some((alias, self.item)),
            _ => None,
        });
        match own {
            Some((alias, value)) => alias.part(value, &path[1..], self.registers()),
            None => self.parent.get(path),
        }
    }

    fn set_global(&self, name: KString, value: Value) -> Option<Value> {
        self.parent.set_global(name, value)
    }

    fn set_index(&self, name: KString, value: Value) -> Option<Value> {
        self.parent.set_index(name, value)
    }

    fn get_index<'a>(&'a self, name: &str) -> Option<ValueCow<'a>> {
        self.parent.get_index(name)
    }

    fn registers(&self) -> &Registers {
        self.parent.registers()
    }
}
