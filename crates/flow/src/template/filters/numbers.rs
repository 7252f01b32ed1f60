//! Filters that count. May not overflow: a number that is too large is an error.

use super::{FilterCall, FilterResult, unfit};
use crate::template::budget::FillTrouble;
use crate::template::value::{LiquidValue, ScalarView};

fn scalar(value: &LiquidValue) -> Result<ScalarView<'_>, FillTrouble> {
    value.scalar().ok_or_else(|| no_number(value))
}

fn float(value: &LiquidValue) -> Result<f64, FillTrouble> {
    scalar(value)?.float().ok_or_else(|| no_number(value))
}

fn no_number(value: &LiquidValue) -> FillTrouble {
    unfit(format!("takes a number, not `{}`", value.shown()))
}

/// Counts in whole numbers where both are, and in others where one is.
pub(super) fn count(
    call: &FilterCall<'_>,
    whole: fn(i64, i64) -> Option<i64>,
    other: fn(f64, f64) -> f64,
) -> FilterResult {
    let operand = call.argument(0);
    let (left, right) = (scalar(call.input)?, scalar(operand)?);
    match (left.integer(), right.integer()) {
        (Some(left), Some(right)) => {
            whole(left, right).map(LiquidValue::Integer).ok_or_else(|| unfit("gives too large a number"))
        }
        _ => Ok(LiquidValue::Float(other(float(call.input)?, float(operand)?))),
    }
}

/// The same, but not by zero.
pub(super) fn divided(
    call: &FilterCall<'_>,
    whole: fn(i64, i64) -> Option<i64>,
    other: fn(f64, f64) -> f64,
) -> FilterResult {
    if float(call.argument(0))? == 0.0 {
        return Err(unfit("cannot divide by zero"));
    }
    count(call, whole, other)
}

/// A whole number near this one.
pub(super) fn whole(call: &FilterCall<'_>, near: fn(f64) -> f64) -> FilterResult {
    Ok(LiquidValue::Integer(near(float(call.input)?) as i64))
}

pub(super) fn abs(call: &FilterCall<'_>) -> FilterResult {
    match scalar(call.input)?.integer() {
        Some(number) => {
            number.checked_abs().map(LiquidValue::Integer).ok_or_else(|| unfit("gives too large a number"))
        }
        None => Ok(LiquidValue::Float(float(call.input)?.abs())),
    }
}

/// To so many places behind the point, or to a whole number.
pub(super) fn round(call: &FilterCall<'_>) -> FilterResult {
    let places = call.whole(0)?.unwrap_or(0);
    let number = float(call.input)?;
    if places <= 0 {
        return Ok(LiquidValue::Integer(number.round() as i64));
    }
    let places = i32::try_from(places).map_err(|_| unfit("takes a smaller number of places"))?;
    let factor = 10.0_f64.powi(places);
    Ok(LiquidValue::Float((number * factor).round() / factor))
}
