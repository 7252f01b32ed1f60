//! What a word without quotes means, by the core schema of YAML 1.2. May not read anything older: `yes` is a text.

use super::Value;

/// What a plain word means.
pub(super) fn plain(word: &str) -> Value {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ if is_number(word) => Value::Number(word.to_owned()),
        _ => Value::Text(word.to_owned()),
    }
}

/// The number that a word spells.
pub(super) fn number(word: &str) -> Option<f64> {
    let whole = |digits: &str, radix| u64::from_str_radix(digits, radix).ok();
    if let Some(digits) = word.strip_prefix("0x") {
        return whole(digits, 16).and_then(exact);
    }
    if let Some(digits) = word.strip_prefix("0o") {
        return whole(digits, 8).and_then(exact);
    }
    // `.inf` and `.nan` are numbers nobody can count with.
    if is_number(word) { word.parse().ok().filter(|number: &f64| number.is_finite()) } else { None }
}

/// The same number with a fraction, through its spelling, as long as nothing is lost.
fn exact(number: u64) -> Option<f64> {
    if number <= 1 << 53 { number.to_string().parse().ok() } else { None }
}

fn is_number(word: &str) -> bool {
    let all = |digits: &str, fine: fn(&u8) -> bool| !digits.is_empty() && digits.bytes().all(|b| fine(&b));
    if let Some(digits) = word.strip_prefix("0x") {
        return all(digits, u8::is_ascii_hexdigit);
    }
    if let Some(digits) = word.strip_prefix("0o") {
        return all(digits, |byte| (b'0'..=b'7').contains(byte));
    }
    let unsigned = word.strip_prefix(['-', '+']).unwrap_or(word);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(word, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_fits =
        exponent.is_none_or(|text| all(text.strip_prefix(['-', '+']).unwrap_or(text), u8::is_ascii_digit));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    exponent_fits && digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty())
}
