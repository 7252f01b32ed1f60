//! Durations, sizes and counts as people type them. May not know what they limit beyond its range.

use runward::Wish;
use runward::config::{self, Range, ValueKind};
use runward::core::amount::{TIMES, scaled};
use std::time::Duration;

/// The longest limit on time that can be typed: a day. A configuration, which is for agents too, may say less.
const DAY_MS: u64 = 24 * 3_600_000;

/// A limit on time: `500ms`, `1.5s`, `2m`; `0` is no limit.
pub(crate) fn time_of(key: &'static str) -> impl Fn(&str) -> Result<Wish<Duration>, String> + Clone {
    time_within(move || range_of(key))
}

/// The same for a command that a person types, which may take as long as a day.
pub(crate) fn typed_time_of(key: &'static str) -> impl Fn(&str) -> Result<Wish<Duration>, String> + Clone {
    time_within(move || Range { most: DAY_MS, ..range_of(key) })
}

fn time_within(range: impl Fn() -> Range + Clone) -> impl Fn(&str) -> Result<Wish<Duration>, String> + Clone {
    move |text| {
        if text == "0" {
            return Ok(Wish::Off);
        }
        let millis = scaled(text, TIMES)
            .map_err(|why| format!("{why}; write it like `500ms`, `1.5s` or `2m`, or `0` for no limit"))?;
        let range = range();
        if range.holds(millis) {
            return Ok(Wish::At(Duration::from_millis(millis)));
        }
        Err(format!("{text} is not between {} and {}", in_time(range.least), in_time(range.most)))
    }
}

/// A limit on bytes: `4096`, `64k`, `1.5MiB`; `0` is no limit.
pub(crate) fn bytes_of(key: &'static str) -> impl Fn(&str) -> Result<Wish<u64>, String> + Clone {
    move |text| if text == "0" { Ok(Wish::Off) } else { size_of(key)(text).map(Wish::At) }
}

/// A size, which cannot be left out.
pub(crate) fn size_of(key: &'static str) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text| {
        let bytes =
            scaled(text, SIZES).map_err(|why| format!("{why}; write it like `4096`, `64k` or `1.5MiB`"))?;
        within(text, bytes, range_of(key))
    }
}

/// A limit on a count: a plain number; `0` is no limit.
pub(crate) fn count_of(key: &'static str) -> impl Fn(&str) -> Result<Wish<u64>, String> + Clone {
    move |text| {
        let count: u64 = text.parse().map_err(|_| format!("`{text}` is not a whole number"))?;
        if count == 0 { Ok(Wish::Off) } else { within(text, count, range_of(key)).map(Wish::At) }
    }
}

const SIZES: &[(&str, u64)] = &[
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("kB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("TB", 1_000_000_000_000),
    ("k", 1_000),
    ("K", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
    ("B", 1),
    ("", 1),
];

fn within(text: &str, number: u64, range: Range) -> Result<u64, String> {
    if range.holds(number) {
        return Ok(number);
    }
    Err(format!("{text} is not between {} and {}", range.least, range.most))
}

fn range_of(key: &str) -> Range {
    match config::key(key).map(|key| key.kind) {
        Some(ValueKind::Number(range)) => range,
        _ => Range { least: 0, most: u64::MAX },
    }
}

fn in_time(millis: u64) -> String {
    if millis.is_multiple_of(3_600_000) {
        return format!("{}h", millis / 3_600_000);
    }
    if millis.is_multiple_of(1000) { format!("{}s", millis / 1000) } else { format!("{millis}ms") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeout(text: &str) -> Result<Wish<Duration>, String> {
        typed_time_of("limits.timeout_ms")(text)
    }

    #[test]
    fn durations_need_a_unit() {
        assert_eq!(timeout("500ms"), Ok(Wish::At(Duration::from_millis(500))));
        assert_eq!(timeout("1.5s"), Ok(Wish::At(Duration::from_millis(1500))));
        assert_eq!(timeout("2m"), Ok(Wish::At(Duration::from_secs(120))));
        assert_eq!(timeout("0"), Ok(Wish::Off));
        assert!(timeout("5").unwrap_err().starts_with("`5` has no unit"));
        assert!(timeout("5 s").unwrap_err().starts_with("` s` is not a unit"));
    }

    #[test]
    fn durations_out_of_range_are_told_with_the_value() {
        assert_eq!(timeout("25h").unwrap_err(), "25h is not between 1ms and 24h");
        assert_eq!(timeout("0s").unwrap_err(), "0s is not between 1ms and 24h");
        assert_eq!(timeout("24h"), Ok(Wish::At(Duration::from_secs(86_400))));
        assert_eq!(time_of("limits.timeout_ms")("601s").unwrap_err(), "601s is not between 1ms and 600s");
        for text in ["", ".", "1.", ".5s", "-1s", "1e3s", "0.0001s", "99999999999999999999999m"] {
            assert!(timeout(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_take_both_kinds_of_thousand() {
        let output = bytes_of("limits.output_bytes");
        let read: Vec<_> = ["4096", "64k", "1.5MiB", "2G", "0"].map(&output).into();
        assert_eq!(
            read,
            [Wish::At(4096), Wish::At(64_000), Wish::At(1_572_864), Wish::At(2_000_000_000), Wish::Off]
                .map(Ok)
        );
        assert!(output("5 apples").is_err());
        assert!(output("0.5").unwrap_err().contains("too fine"));
    }

    #[test]
    fn counts_are_plain_numbers_in_range() {
        let files = count_of("limits.open_files");
        assert_eq!(files("64"), Ok(Wish::At(64)));
        assert_eq!(files("2").unwrap_err(), "2 is not between 3 and 1048576");
        assert!(files("many").is_err());
    }
}
