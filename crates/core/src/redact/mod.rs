//! Redaction: secrets are masked in text before it is written or told, by name, value, shape, and the owner's patterns.
//!
//! May not look anything up: which variables there are is an argument. It masks too much rather than too little, and it
//! knows only what looks like a secret: a password that looks like any other word is not found.
//! Read first: [`Redactor`].

mod assigned;
mod known;
mod names;
mod shapes;
mod stretch;
mod tools;

pub use names::looks_secret;
pub(crate) use shapes::may_span_lines;

use assigned::ValueLook;
use known::{KnownSecret, Masked};
use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

/// What stands where a secret stood.
pub const MASK: &str = "[redacted]";

/// Values shorter than this are words that stand everywhere.
const SHORTEST_VALUE: usize = 6;

/// What a person typed without echo is one, however short; but for what would mask every other word.
const SHORTEST_TYPED: usize = 3;

/// A pattern of the owner's: where in a text it matches.
pub trait SecretPattern: Send + Sync + fmt::Debug {
    /// Every match, from left to right.
    fn matches(&self, text: &str) -> Vec<Range<usize>>;
}

/// Knows what must not be written down.
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    /// Values of variables with secret-looking names.
    values: Arc<[KnownSecret]>,
    patterns: Arc<[Arc<dyn SecretPattern>]>,
    /// What was typed as a secret meanwhile. All clones know it.
    typed: Arc<RwLock<Vec<KnownSecret>>>,
}

impl Redactor {
    /// Knows the values of those of these variables that have a secret-looking name.
    pub fn of<'a>(env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>) -> Self {
        Self { values: values(env).collect(), ..Self::default() }
    }

    /// The same with the owner's patterns.
    #[must_use]
    pub fn with_patterns(mut self, patterns: Vec<Arc<dyn SecretPattern>>) -> Self {
        self.patterns = patterns.into();
        self
    }

    /// Learns what a person typed as a secret, and so do all clones.
    pub fn learn(&self, secret: &str) {
        let mut typed = self.typed.write().unwrap_or_else(PoisonError::into_inner);
        if secret.len() >= SHORTEST_TYPED && !typed.iter().any(|known| known.value == secret) {
            typed.push(KnownSecret::of(None, secret));
        }
    }

    /// The same with further variables; `None` if none of them has a secret-looking name.
    #[must_use]
    pub fn also<'a>(&self, env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>) -> Option<Self> {
        let has = |new: &KnownSecret| self.values.iter().any(|known| known.value == new.value);
        let new: Vec<KnownSecret> = values(env).filter(|new| !has(new)).collect();
        if new.is_empty() {
            return None;
        }
        let values = self.values.iter().cloned().chain(new).collect();
        Some(Self { values, ..self.clone() })
    }

    /// The text with every secret masked, for what is written down: whatever a secret-looking name is given counts.
    pub fn mask<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.masked(text, ValueLook::Any)
    }

    /// The text with every secret masked, for a reader who goes on working with it: what a secret-looking name is given
    /// counts where it looks like a secret itself. `password: string` is a line of a program, and must be seen to be
    /// changed.
    pub fn mask_answer<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.masked(text, ValueLook::Secret)
    }

    /// The same for a part of a longer text: what may be the beginning or the end of a known value is hidden too.
    pub fn mask_part<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.without_edges(text) {
            Cow::Borrowed(text) => self.mask_answer(text),
            Cow::Owned(text) => Cow::Owned(self.mask_answer(&text).into_owned()),
        }
    }

    /// A part of a text without secrets, also those of which only a piece lies in it.
    pub fn mask_within(&self, text: &str, part: Range<usize>) -> String {
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Masked<'_>> =
            self.values.iter().chain(typed.iter()).flat_map(|known| known.at_the_edges(text)).collect();
        self.find(&typed, text, ValueLook::Secret, &mut found);
        let inside = found.into_iter().filter_map(|(span, mark)| {
            let (start, end) = (span.start.max(part.start), span.end.min(part.end));
            (start < end).then(|| (start - part.start..end - part.start, mark))
        });
        without(&text[part.clone()], inside.collect()).into_owned()
    }

    fn without_edges<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        without(
            text,
            self.values.iter().chain(typed.iter()).flat_map(|known| known.at_the_edges(text)).collect(),
        )
    }

    fn masked<'a>(&self, text: &'a str, look: ValueLook) -> Cow<'a, str> {
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Masked<'_>> = Vec::new();
        self.find(&typed, text, look, &mut found);
        without(text, found)
    }

    /// Adds every secret in a text.
    fn find<'s>(
        &'s self,
        typed: &'s [KnownSecret],
        text: &str,
        look: ValueLook,
        found: &mut Vec<Masked<'s>>,
    ) {
        // First, so that a value is told by the name that it is known by.
        known::find(self.values.iter().chain(typed), text, found);
        let mut spans = Vec::new();
        shapes::find(text, &mut spans);
        assigned::find(text, look, &mut spans);
        tools::find(text, &mut spans);
        spans.extend(self.patterns.iter().flat_map(|pattern| pattern.matches(text)));
        found.extend(spans.into_iter().map(|span| (span, MASK)));
    }

    /// How far before a place in a text something may begin that is a secret and reaches behind it; nothing where that
    /// cannot be said, because the owner has patterns. What is one by its shape is not counted: see
    /// [`shapes::may_span_lines`].
    pub(crate) fn reach(&self) -> Option<usize> {
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        let known = self.values.iter().chain(typed.iter()).map(KnownSecret::longest).max();
        self.patterns.is_empty().then(|| known.unwrap_or_default())
    }

    /// Every secret in an answer, and what stands in its place; at the edges of a text that is part of a longer one also
    /// what may be a piece of a known value. They may overlap.
    pub(crate) fn answer_spans(&self, text: &str, is_part: bool) -> Vec<(Range<usize>, Cow<'static, str>)> {
        let typed = self.typed.read().unwrap_or_else(PoisonError::into_inner);
        let mut found: Vec<Masked<'_>> = Vec::new();
        if is_part {
            found.extend(self.values.iter().chain(typed.iter()).flat_map(|known| known.at_the_edges(text)));
        }
        self.find(&typed, text, ValueLook::Secret, &mut found);
        found.retain(|(span, _)| span.start < span.end);
        let owned = |mark: &str| if mark == MASK { Cow::Borrowed(MASK) } else { Cow::Owned(mark.to_owned()) };
        found.into_iter().map(|(span, mark)| (span, owned(mark))).collect()
    }

    /// Words of a command line, each masked; what follows an option with a secret-looking name goes whole.
    pub fn mask_words<'a>(&self, words: &[Cow<'a, str>]) -> Vec<Cow<'a, str>> {
        let mut after_option = false;
        let mask = |(word, known): (&Cow<'a, str>, Option<Range<usize>>)| {
            let whole = after_option && !word.starts_with('-') && !word.is_empty();
            after_option = word.starts_with('-') && !word.contains('=') && looks_secret(word);
            if whole {
                return Cow::Borrowed(MASK);
            }
            let known = known.map(|part| format!("{}{MASK}{}", &word[..part.start], &word[part.end..]));
            let word: Cow<'a, str> = known.map_or_else(|| word.clone(), Cow::Owned);
            match self.mask(&word) {
                Cow::Borrowed(_) => word,
                Cow::Owned(masked) => Cow::Owned(masked),
            }
        };
        words.iter().zip(tools::in_words(words.iter().map(AsRef::as_ref))).map(mask).collect()
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

fn values<'a>(
    env: impl IntoIterator<Item = (&'a OsString, &'a OsString)>,
) -> impl Iterator<Item = KnownSecret> {
    env.into_iter().filter_map(|(name, value)| {
        let (name, value) = (name.to_str()?, value.to_str()?);
        (value.len() >= SHORTEST_VALUE && looks_secret(name)).then(|| KnownSecret::of(Some(name), value))
    })
}

/// The text without these parts of it, which may overlap: the one that begins first, and of those the first, says what
/// stands there.
fn without<'a>(text: &'a str, mut spans: Vec<Masked<'_>>) -> Cow<'a, str> {
    spans.retain(|(span, _)| span.start < span.end);
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    spans.sort_by_key(|(span, _)| span.start);
    let (mut masked, mut done) = (String::with_capacity(text.len()), 0);
    for (span, mark) in spans {
        if span.start >= done {
            masked.push_str(&text[done..span.start]);
            masked.push_str(mark);
        }
        done = done.max(span.end);
    }
    masked.push_str(&text[done..]);
    Cow::Owned(masked)
}

#[cfg(test)]
mod tests;
