//! Secrets out of text, before it is written or told: by name, by value, by shape, and by the owner's own patterns.
//!
//! May not look anything up: which variables there are is an argument. It masks too much rather than too little, and it
//! knows only what looks like a secret: a password that looks like any other word is not found.
//! Read first: [`Redactor`].

mod assigned;
mod names;
mod shapes;
mod stretch;

pub use names::looks_secret;

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// What stands where a secret stood.
pub const MASK: &str = "[redacted]";

/// Values shorter than this are words that stand everywhere.
const SHORTEST_VALUE: usize = 6;

/// What a person typed where nobody may look is one, however short; but for what would mask every other word.
const SHORTEST_TYPED: usize = 3;

/// A pattern of the owner's: where in a text it matches.
pub trait Pattern: Send + Sync + fmt::Debug {
    /// Every match, from left to right.
    fn matches(&self, text: &str) -> Vec<Range<usize>>;
}

/// Knows what must not be written down.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Values of variables with secret-looking names.
    values: Vec<String>,
    patterns: Arc<[Arc<dyn Pattern>]>,
    /// What was typed as a secret meanwhile. All clones know it.
    typed: Arc<RwLock<Vec<String>>>,
}

impl Redactor {
    /// Knows the values of those of these variables that have a secret-looking name.
    pub fn of<'a>(env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>) -> Self {
        Self { values: values(env).collect(), ..Self::default() }
    }

    /// The same with the owner's patterns.
    #[must_use]
    pub fn with_patterns(mut self, patterns: Vec<Arc<dyn Pattern>>) -> Self {
        self.patterns = patterns.into();
        self
    }

    /// Learns what somebody typed as a secret, and so do all clones.
    pub fn learn(&self, secret: &str) {
        let mut typed = self.typed.write().unwrap_or_else(PoisonError::into_inner);
        if secret.len() >= SHORTEST_TYPED && !typed.iter().any(|known| known == secret) {
            typed.push(secret.to_owned());
        }
    }

    /// The same with further variables; `None` if none of them has a secret-looking name.
    #[must_use]
    pub fn also<'a>(&self, env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>) -> Option<Self> {
        let new: Vec<String> = values(env).filter(|value| !self.values.contains(value)).collect();
        if new.is_empty() {
            return None;
        }
        let values = self.values.iter().cloned().chain(new).collect();
        Some(Self { values, ..self.clone() })
    }

    /// The text with every secret masked.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut spans = Vec::new();
        shapes::find(text, &mut spans);
        assigned::find(text, &mut spans);
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        for value in self.values.iter().chain(typed.iter()) {
            spans.extend(text.match_indices(value.as_str()).map(|(at, _)| at..at + value.len()));
        }
        spans.extend(self.patterns.iter().flat_map(|pattern| pattern.matches(text)));
        without(text, spans)
    }

    /// Words of a command line, each masked; what follows an option with a secret-looking name goes whole.
    pub fn mask_words<'a>(&self, words: &[Cow<'a, str>]) -> Vec<Cow<'a, str>> {
        let mut after_option = false;
        let mask = |word: &Cow<'a, str>| {
            let whole = after_option && !word.starts_with('-') && !word.is_empty();
            after_option = word.starts_with('-') && !word.contains('=') && looks_secret(word);
            if whole {
                return Cow::Borrowed(MASK);
            }
            match self.mask(word) {
                Cow::Borrowed(_) => word.clone(),
                Cow::Owned(masked) => Cow::Owned(masked),
            }
        };
        words.iter().map(mask).collect()
    }

    /// Bytes with every secret masked; what is not text stays as it is.
    pub fn mask_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = Vec::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            masked.extend_from_slice(self.mask(chunk.valid()).as_bytes());
            masked.extend_from_slice(chunk.invalid());
        }
        masked
    }
}

fn values<'a>(env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>) -> impl Iterator<Item = String> {
    env.into_iter().filter_map(|(name, value)| {
        let (name, value) = (name.to_str()?, value.to_str()?);
        (value.len() >= SHORTEST_VALUE && looks_secret(name)).then(|| value.to_owned())
    })
}

/// The text without these parts of it, which may overlap.
fn without(text: &str, mut spans: Vec<Range<usize>>) -> Cow<'_, str> {
    spans.retain(|span| span.start < span.end);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|span| span.start);
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for span in spans {
        if span.start >= done {
            masked.push_str(&text[done..span.start]);
            masked.push_str(MASK);
        }
        done = done.max(span.end);
    }
    masked.push_str(&text[done..]);
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests;
