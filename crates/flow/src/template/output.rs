//! What a filled template consists of: text, data and commands, which stay apart. May not look into data.

use super::budget::{FillTrouble, MOST_BYTES};
use super::value::LiquidValue;
use crate::imports::EmbeddedCommand;
use std::sync::Arc;

/// A part of a filled text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilledPart {
    /// Text, which is final.
    Text(String),
    /// A command, whose output belongs here.
    Command(EmbeddedCommand),
}

/// A stretch of what has been filled so far.
#[derive(Debug, Clone)]
pub(super) enum FilledStretch {
    Text(String),
    /// Data: to the letter, and not for filters or commands.
    Data(Arc<str>),
    Command(EmbeddedCommand),
}

impl FilledStretch {
    /// About how many bytes it takes.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Data(data) => data.len(),
            Self::Command(command) => command.text.len(),
        }
    }
}

/// What has been filled so far.
#[derive(Debug, Default)]
pub(super) struct FilledText {
    stretches: Vec<FilledStretch>,
    bytes: usize,
}

impl FilledText {
    /// Adds text.
    pub(super) fn write(&mut self, text: &str) -> Result<(), FillTrouble> {
        self.count(text.len())?;
        match self.stretches.last_mut() {
            Some(FilledStretch::Text(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.stretches.push(FilledStretch::Text(text.to_owned())),
        }
        Ok(())
    }

    /// Adds anything else.
    pub(super) fn push(&mut self, stretch: &FilledStretch) -> Result<(), FillTrouble> {
        if let FilledStretch::Text(text) = stretch {
            return self.write(text);
        }
        self.count(stretch.weight())?;
        self.stretches.push(stretch.clone());
        Ok(())
    }

    /// Adds a value as a template writes it.
    pub(super) fn value(&mut self, value: &LiquidValue) -> Result<(), FillTrouble> {
        match value {
            LiquidValue::Mixed(stretches) => stretches.iter().try_for_each(|stretch| self.push(stretch)),
            other => self.write(&other.shown()),
        }
    }

    fn count(&mut self, bytes: usize) -> Result<(), FillTrouble> {
        self.bytes += bytes;
        if self.bytes > MOST_BYTES { Err(FillTrouble::TooLarge) } else { Ok(()) }
    }

    /// The text, if there is nothing else.
    pub(super) fn into_text(mut self) -> Option<String> {
        match (self.stretches.pop(), self.stretches.is_empty()) {
            (None, _) => Some(String::new()),
            (Some(FilledStretch::Text(text)), true) => Some(text),
            _ => None,
        }
    }

    /// The value of what was captured.
    pub(super) fn into_value(self) -> LiquidValue {
        match self.stretches.as_slice() {
            [] => LiquidValue::text(""),
            [FilledStretch::Text(text)] => LiquidValue::text(text.as_str()),
            _ => LiquidValue::Mixed(self.stretches.into()),
        }
    }

    /// What a door or a shell is to see: data is text now.
    pub(super) fn into_parts(self) -> Vec<FilledPart> {
        let mut parts = Vec::new();
        for stretch in self.stretches {
            let text = match &stretch {
                FilledStretch::Command(command) => {
                    parts.push(FilledPart::Command(command.clone()));
                    continue;
                }
                FilledStretch::Text(text) => text.as_str(),
                FilledStretch::Data(data) => data,
            };
            match parts.last_mut() {
                Some(FilledPart::Text(last)) => last.push_str(text),
                // Data may be nothing.
                _ if text.is_empty() => {}
                _ => parts.push(FilledPart::Text(text.to_owned())),
            }
        }
        parts
    }
}
