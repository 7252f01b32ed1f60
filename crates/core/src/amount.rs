//! Parses numbers with a unit, as people write them: `1.5s`, `64MiB`. May not round, and may not know what they limit.

/// Units of time, in milliseconds.
pub const TIMES: &[(&str, u64)] = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// A number with at most one point, and a unit. The first unit that fits the ending is taken; what is wrong is said in
/// words.
///
/// ```
/// use runward_core::amount::{TIMES, scaled};
/// assert_eq!(scaled("1.5s", TIMES), Ok(1500));
/// assert_eq!(scaled("5", TIMES), Err("`5` has no unit".to_owned()));
/// ```
pub fn scaled(text: &str, units: &[(&str, u64)]) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if !plain(whole) || (number.contains('.') && !plain(part)) {
        return Err(format!("`{text}` is not a number with a unit"));
    }
    let scale = units.iter().find(|(known, _)| *known == unit).map(|(_, scale)| u128::from(*scale));
    let scale = scale.ok_or_else(|| match unit {
        "" => format!("`{text}` has no unit"),
        unit => format!("`{unit}` is not a unit"),
    })?;
    exactly(whole, part, scale).ok_or_else(|| format!("`{text}` is too large or too fine"))
}

/// The value in the smallest unit; nothing is rounded.
fn exactly(whole: &str, part: &str, scale: u128) -> Option<u64> {
    let ten = 10u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let all: u128 = format!("{whole}{part}").parse().ok()?;
    let scaled = all.checked_mul(scale)?;
    if !scaled.is_multiple_of(ten) {
        return None;
    }
    u64::try_from(scaled / ten).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_unit_and_nothing_is_rounded() {
        assert_eq!(scaled("2m", TIMES), Ok(120_000));
        assert_eq!(scaled("0.5ms", TIMES), Err("`0.5ms` is too large or too fine".to_owned()));
        assert_eq!(scaled("5 s", TIMES), Err("` s` is not a unit".to_owned()));
        for text in ["", ".", "1.", ".5s", "-1s", "1e3s", "99999999999999999999999m"] {
            assert!(scaled(text, TIMES).is_err(), "{text}");
        }
    }
}
