//! `date`: a text that names a moment, written another way. May not look at a clock: `now` is given.

use super::{FilterCall, FilterResult, room_for, told, unfit};
use crate::template::value::ScalarView;
use runward_engine::core::calendar::{CivilDate, MONTHS, WEEKDAYS};
use std::time::{SystemTime, UNIX_EPOCH};

mod strftime;

/// A moment, as it is read where its clock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocalMoment {
    date: CivilDate,
    /// Seconds of the day.
    seconds: i64,
    nanos: u32,
    /// Seconds by which this clock is ahead of UTC.
    offset: i64,
}

/// What is no moment stays as it is; so does everything without a format.
pub(super) fn date(call: &FilterCall<'_>) -> FilterResult {
    let format = call.word(0).unwrap_or_default();
    let moment = match call.input.scalar() {
        Some(ScalarView::Text(text)) if !format.is_empty() => LocalMoment::read(text, call.now),
        _ => None,
    };
    let Some(moment) = moment else { return Ok(call.input.clone()) };
    let mut out = String::new();
    for part in strftime::parts(&format) {
        let part = part.ok_or_else(|| unfit(format!("cannot write a date as `{format}`")))?;
        part.write(&moment, &mut out);
        room_for(out.len())?;
    }
    told(out)
}

/// How moments are written, one sign for each part: `B` is a whole month's name, `b` its beginning, `a` a day's, `e` a day
/// of one or two digits, `f` a part of a second, `z` an offset.
const FORMATS: &[&str] = &[
    "Y-m-d H:M:S z",
    "Y-m-d H:M:S.f z",
    "d B Y H:M:S z",
    "d b Y H:M:S z",
    "m/d/Y H:M:S z",
    "a b e H:M:S Y z",
];

impl LocalMoment {
    /// Reads `now`, seconds since 1970, or one of the formats, in UTC unless it says otherwise.
    fn read(text: &str, now: Option<SystemTime>) -> Option<Self> {
        if let "now" | "today" = text.to_lowercase().trim() {
            let since = now?.duration_since(UNIX_EPOCH).ok()?;
            let moment = Self::of_unix(i64::try_from(since.as_secs()).ok()?)?;
            return Some(Self { nanos: since.subsec_nanos(), ..moment });
        }
        if let Ok(seconds) = text.parse() {
            return Self::of_unix(seconds);
        }
        let whole = if ends_in_offset(text) { text.to_owned() } else { format!("{text} +0000") };
        FORMATS.iter().find_map(|format| Self::written(&whole, format))
    }

    fn of_unix(seconds: i64) -> Option<Self> {
        let date = CivilDate::of(seconds.div_euclid(86_400));
        let moment = Self { date, seconds: seconds.rem_euclid(86_400), nanos: 0, offset: 0 };
        (-9999..=9999).contains(&date.year).then_some(moment)
    }

    fn written(text: &str, format: &str) -> Option<Self> {
        let (mut rest, mut nanos, mut offset) = (text, 0, 0);
        let (mut year, mut month, mut day) = (0, 0, 0);
        let mut clock = [0; 3];
        for sign in format.chars() {
            match sign {
                'Y' => year = digits(&mut rest, 4, 4)?,
                'm' => month = digits(&mut rest, 2, 2)?,
                'd' => day = digits(&mut rest, 2, 2)?,
                'e' => day = digits(&mut rest, 1, 2)?,
                'B' => month = name(&mut rest, &MONTHS, usize::MAX)?,
                'b' => month = name(&mut rest, &MONTHS, 3)?,
                'a' => {
                    name(&mut rest, &WEEKDAYS, 3)?;
                }
                'H' => clock[0] = digits(&mut rest, 2, 2).filter(|hour| *hour < 24)?,
                'M' => clock[1] = digits(&mut rest, 2, 2).filter(|minute| *minute < 60)?,
                'S' => clock[2] = digits(&mut rest, 2, 2).filter(|second| *second < 60)?,
                'f' => nanos = fraction(&mut rest)?,
                'z' => offset = offset_of(&mut rest)?,
                literal => rest = rest.strip_prefix(literal)?,
            }
        }
        let seconds = clock[0] * 3600 + clock[1] * 60 + clock[2];
        let date = CivilDate::new(year, month, day)?;
        rest.is_empty().then_some(Self { date, seconds, nanos, offset })
    }

    /// Seconds since 1970 in UTC.
    fn unix(&self) -> i64 {
        self.date.days() * 86_400 + self.seconds - self.offset
    }
}

/// Whether a text ends in an offset such as `+0100`.
fn ends_in_offset(text: &str) -> bool {
    let Some(end) = text.len().checked_sub(5).and_then(|at| text.as_bytes().get(at..)) else { return false };
    matches!(end[0], b'+' | b'-') && matches!(end[1], b'0' | b'1') && end[2..].iter().all(u8::is_ascii_digit)
}

/// A number of so many digits.
fn digits(rest: &mut &str, least: usize, most: usize) -> Option<i64> {
    let count = rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, after) = rest.split_at_checked(count).filter(|_| count >= least)?;
    *rest = after;
    number.parse().ok()
}

/// The number of a name, from 1. Only this many of its letters are there.
fn name(rest: &mut &str, names: &[&str], letters: usize) -> Option<i64> {
    names.iter().zip(1..).find_map(|(name, number)| {
        *rest = rest.strip_prefix(name.get(..letters).unwrap_or(name))?;
        Some(number)
    })
}

/// Billionths of a second, of which any number of digits may stand there.
fn fraction(rest: &mut &str) -> Option<u32> {
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (shown, after) = rest.split_at_checked(count).filter(|_| count > 0)?;
    *rest = after;
    format!("{shown:0<9}").get(..9)?.parse().ok()
}

fn offset_of(rest: &mut &str) -> Option<i64> {
    let sign = if rest.starts_with('-') { -1 } else { 1 };
    *rest = rest.strip_prefix(['+', '-'])?;
    let (hours, minutes) = (digits(rest, 2, 2)?, digits(rest, 2, 2)?);
    (minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}
