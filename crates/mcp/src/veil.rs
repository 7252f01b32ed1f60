//! Masks secrets in answers.
//!
//! May not be switched on or off by a caller: the owner's configuration says whether secrets are masked.

use runward_engine::core::redact::Redactor;
use serde_json::Value;
use std::borrow::Cow;

/// Masks secrets in answers, unless the owner wants them shown.
#[derive(Debug, Clone, Default)]
pub(crate) struct Veil(Option<Redactor>);

impl Veil {
    /// Masks what this redactor knows.
    pub(crate) fn of(redactor: &Redactor) -> Self {
        Self(Some(redactor.clone()))
    }

    /// Masks nothing.
    pub(crate) fn off() -> Self {
        Self(None)
    }

    /// The redactor that knows the secrets.
    pub(crate) fn hiding(&self) -> Option<Redactor> {
        self.0.clone()
    }

    /// A text without its secrets.
    pub(crate) fn over<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.0.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask_answer(text))
    }

    /// A part of a longer text, which may begin or end within a secret.
    pub(crate) fn over_part<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.0.as_ref().map_or(Cow::Borrowed(text), |redactor| redactor.mask_part(text))
    }

    /// Fields without their secrets.
    pub(crate) fn over_fields(&self, mut fields: Value) -> Value {
        if self.0.is_some() {
            self.over_each(&mut fields);
        }
        fields
    }

    /// In place: a receipt has some forty texts, and most of them stay.
    fn over_each(&self, fields: &mut Value) {
        match fields {
            Value::String(text) => {
                if let Cow::Owned(masked) = self.over(text) {
                    *text = masked;
                }
            }
            Value::Array(all) => all.iter_mut().for_each(|one| self.over_each(one)),
            Value::Object(all) => all.values_mut().for_each(|one| self.over_each(one)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}
