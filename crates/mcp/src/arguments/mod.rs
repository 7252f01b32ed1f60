//! A call's arguments: read by a tool's own table, with errors that name the field and the value.
//!
//! May not guess: where a value can mean two things, where it is unknown or out of range, it is an error.
//! Read first: [`ArgumentTable`].

mod given;
mod table;

pub(crate) use given::{GivenArguments, wrong};
pub(crate) use table::{ArgumentKind, ArgumentTable, field};

use crate::answer::CallFailure;
use regex::Regex;
use runward_engine::registry::OutputPattern;
use runward_engine::{Code, ErrorView};
use std::fmt::Display;
use std::ops::RangeInclusive;

/// A number that must lie in a range; it is never clamped.
pub(crate) fn within<N>(name: &str, value: N, range: &RangeInclusive<N>) -> Result<N, CallFailure>
where
    N: PartialOrd + Copy + Display,
{
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = (range.start(), range.end());
    Err(CallFailure(ErrorView {
        code: Code::SpecBadLimit,
        message: format!("`{name}` is {value}, which is not between {least} and {most}"),
        hint: Some(format!("Use a value from {least} to {most}.")),
    }))
}

/// A regular expression, or an error that says what is wrong with it.
pub(crate) fn regex(name: &str, text: &str) -> Result<Regex, CallFailure> {
    Regex::new(text).map_err(|error| no_regex(name, &error))
}

/// The same for a pattern that output is searched for.
pub(crate) fn pattern(name: &str, text: &str) -> Result<OutputPattern, CallFailure> {
    OutputPattern::new(text).map_err(|error| no_regex(name, &error))
}

fn no_regex(name: &str, error: &regex::Error) -> CallFailure {
    let message = format!("`{name}` is not a regular expression: {error}");
    CallFailure::bad_value(message, "Escape what is meant as it is, such as `\\(`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_range_names_value_and_range() {
        assert_eq!(within("timeout_ms", 5, &(1..=9)).unwrap(), 5);
        let failure = within("timeout_ms", 0, &(1..=600_000)).unwrap_err().sentence();
        assert_eq!(
            failure,
            "`timeout_ms` is 0, which is not between 1 and 600000. Use a value from 1 to 600000."
        );
    }
}
