//! Moments, as people write and read them: `2h` ago, `2026-11-16T08:30`, always UTC. Pure: now is an argument.

use runward::core::amount::scaled;
use runward::core::calendar::{CivilDate, timestamp};
use runward::journal::Millis;

/// Spans of time that people look back by.
const SPANS: &[(&str, u64)] =
    &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("w", 604_800_000)];

const A_DAY: u64 = 86_400_000;

/// The moment that was written: a span before now, a date, or a date and a time.
pub(crate) fn moment(text: &str, now: Millis) -> Result<Millis, String> {
    let wrong = || format!("`{text}` is neither a time such as `2h` nor a date such as `2026-11-16`");
    if let Ok(span) = scaled(text, SPANS) {
        return Ok(now.saturating_sub(span));
    }
    let text = text.strip_suffix('Z').unwrap_or(text);
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00"));
    let numbers = |text: &str, sign: char| {
        text.split(sign).map(|part| part.parse::<u64>().ok()).collect::<Option<Vec<_>>>()
    };
    let (Some(date), Some(time)) = (numbers(date, '-'), numbers(time, ':')) else { return Err(wrong()) };
    let (&[year, month, day], &[hour, minute, ref seconds @ ..]) = (&date[..], &time[..]) else {
        return Err(wrong());
    };
    let second = match seconds {
        [] => 0,
        [second] => *second,
        _ => return Err(wrong()),
    };
    let date = (year <= 9999).then(|| CivilDate::new(signed(year), signed(month), signed(day))).flatten();
    let days = date.and_then(|date| u64::try_from(date.days()).ok());
    match days {
        Some(days) if hour <= 23 && minute <= 59 && second <= 60 => {
            Ok(days * A_DAY + ((hour * 60 + minute) * 60 + second) * 1000)
        }
        _ => Err(wrong()),
    }
}

/// A moment in full: `2026-11-16T08:30:05.123Z`.
pub(crate) fn written(at: Millis) -> String {
    timestamp(signed(at))
}

/// How long ago: `12s`, `5m`, `3h`, `2d`.
pub(crate) fn ago(at: Millis, now: Millis) -> String {
    let seconds = now.saturating_sub(at) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Millis = 1_794_818_400_123;

    #[test]
    fn a_moment_is_a_span_before_now_or_a_date() {
        assert_eq!(moment("2h", NOW), Ok(NOW - 7_200_000));
        assert_eq!(moment("1.5d", NOW), Ok(NOW - 129_600_000));
        assert_eq!(moment("1970-01-02", NOW), Ok(A_DAY));
        assert_eq!(moment("2024-02-29T12:30:05Z", NOW), Ok(1_709_209_805_000));
        assert_eq!(moment("2024-02-29 12:30", NOW), Ok(1_709_209_800_000));
        for text in
            ["", "yesterday", "2026-13-01", "2026-02-30", "2026-11-16T25:00", "2026-11", "1969-12-31", "5x"]
        {
            assert!(moment(text, NOW).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        assert_eq!(written(NOW), "2026-11-16T08:40:00.123Z");
        for at in [0, A_DAY - 1, 951_782_400_000, 1_709_164_800_000, NOW / 1000 * 1000] {
            let text = written(at);
            assert_eq!(moment(&text[..19], NOW), Ok(at / 1000 * 1000), "{text}");
        }
    }

    #[test]
    fn ages_are_short() {
        let shown: Vec<_> =
            [500, 59_000, 61_000, 7_300_000, 200_000_000].map(|age| ago(NOW - age, NOW)).into();
        assert_eq!(shown, ["0s", "59s", "1m", "2h", "2d"]);
    }
}
