//! How a date is written: `%Y-%m-%d` and its like, as Ruby has them. May not read a date.

use super::LocalMoment;
use runward_engine::core::calendar::{MONTHS, WEEKDAYS};

/// The widest that one part may be made.
const WIDEST: usize = 1024;

/// A part of a format: text, or something about the moment.
pub(super) enum FormatPart<'f> {
    Text(&'f str),
    Directive { sign: char, flags: FormatFlags },
}

/// What stands between `%` and its letter.
#[derive(Clone, Copy, Default)]
pub(super) struct FormatFlags {
    /// `-`: nothing is filled up.
    unpadded: bool,
    /// `_` or `0`: what is filled up with.
    filler: Option<char>,
    /// `^`: in capitals.
    upper: bool,
    /// `#`: in the other case.
    change: bool,
    width: Option<usize>,
    /// Colons before `z`.
    colons: usize,
}

/// The parts of a format. One that is not whole is none.
pub(super) fn parts(format: &str) -> impl Iterator<Item = Option<FormatPart<'_>>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let text = rest.find('%').unwrap_or(rest.len());
        if text > 0 {
            let (before, after) = rest.split_at(text);
            rest = after;
            return Some(Some(FormatPart::Text(before)));
        }
        let part = directive(rest);
        // Nothing is read behind a part that is not whole.
        rest = part.as_ref().map_or("", |(_, after)| after);
        Some(part.map(|(part, _)| part))
    })
}

/// Reads what begins with a `%`, and says what follows. What nobody knows is text.
fn directive(text: &str) -> Option<(FormatPart<'_>, &str)> {
    let mut flags = FormatFlags::default();
    let mut rest = &text[1..];
    loop {
        match rest.chars().next()? {
            '-' => flags.unpadded = true,
            '_' => flags.filler = Some(' '),
            '0' => flags.filler = Some('0'),
            '^' => (flags.upper, flags.change) = (true, false),
            '#' => (flags.upper, flags.change) = (false, true),
            _ => break,
        }
        rest = &rest[1..];
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        flags.width = Some(rest[..digits].parse().ok().filter(|width| *width <= WIDEST)?);
        rest = &rest[digits..];
    }
    // Modifiers that mean nothing here.
    if rest.starts_with(['E', 'O']) {
        rest = &rest[1..];
    }
    let mut chars = rest.chars();
    let mut sign = chars.next()?;
    while sign == ':' && flags.colons < 2 {
        flags.colons += 1;
        // Whatever stands there is taken, also where it is no `z`.
        sign = chars.next().unwrap_or('?');
    }
    let is_known = if flags.colons > 0 { sign == 'z' } else { KNOWN.contains(sign) };
    let after = chars.as_str();
    let part = match is_known {
        true => FormatPart::Directive { sign, flags },
        false => FormatPart::Text(&text[..text.len() - after.len()]),
    };
    Some((part, after))
}

/// All letters that say something.
const KNOWN: &str = "YCymdewuUWGgVjHkIlMSsbhBaAPpFvRDxTXrc%ntLNzZ";

impl FormatPart<'_> {
    pub(super) fn write(&self, moment: &LocalMoment, out: &mut String) {
        match *self {
            FormatPart::Text(text) => out.push_str(text),
            FormatPart::Directive { sign, flags } => match sign {
                'L' | 'N' => {
                    out.push_str(&fraction(moment, flags.width.unwrap_or(if sign == 'L' { 3 } else { 9 })));
                }
                'z' | 'Z' => out.push_str(&zone(moment, sign, flags)),
                '%' => flags.word("%", out),
                'n' => flags.word("\n", out),
                't' => flags.word("\t", out),
                'a' | 'A' | 'b' | 'h' | 'B' | 'p' | 'P' => flags.name(moment, sign, out),
                _ => match number(moment, sign) {
                    Some((number, width)) => flags.number(sign, number, width, out),
                    None => flags.whole(moment, sign, out),
                },
            },
        }
    }
}

/// Parts that are numbers, and how wide each is by itself.
fn number(moment: &LocalMoment, sign: char) -> Option<(i64, usize)> {
    let date = moment.date;
    let hour = moment.seconds / 3600;
    // Weeks that begin on this day; days before the first are in week 0.
    let week = |days_since: i64| (date.ordinal() - days_since + 6) / 7;
    Some(match sign {
        'Y' => (date.year, 4),
        'C' => (date.year / 100, 2),
        'y' => (date.year % 100, 2),
        'm' => (date.month, 2),
        'd' | 'e' => (date.day, 2),
        'w' => (date.iso_weekday() % 7, 0),
        'u' => (date.iso_weekday(), 0),
        'U' => (week(date.iso_weekday() % 7), 2),
        'W' => (week(date.iso_weekday() - 1), 2),
        'G' => (date.iso_week().0, 4),
        'g' => (date.iso_week().0 % 100, 2),
        'V' => (date.iso_week().1, 2),
        'j' => (date.ordinal(), 3),
        'H' | 'k' => (hour, 2),
        'I' | 'l' => ((hour + 11) % 12 + 1, 2),
        'M' => (moment.seconds / 60 % 60, 2),
        'S' => (moment.seconds % 60, 2),
        's' => (moment.unix(), 0),
        _ => return None,
    })
}

/// So many digits of the part of a second; there are nine.
fn fraction(moment: &LocalMoment, digits: usize) -> String {
    let mut all = format!("{:09}{}", moment.nanos, "0".repeat(digits.saturating_sub(9)));
    all.truncate(digits.max(1));
    all
}

/// The offset from UTC. A width counts all of it, though only the hours are filled up.
fn zone(moment: &LocalMoment, sign: char, flags: FormatFlags) -> String {
    let colon = if sign == 'Z' || flags.colons > 0 { ":" } else { "" };
    let seconds = if flags.colons == 2 { ":00" } else { "" };
    let size = 5 + colon.len() + seconds.len();
    let width = flags.width.unwrap_or(0).saturating_sub(size) + 2;
    let (hours, minutes) = (moment.offset / 3600, moment.offset.abs() / 60 % 60);
    let hours = match flags.filler {
        Some(' ') => format!("{hours:>+width$}"),
        _ => format!("{}{:0>width$}", if moment.offset < 0 { '-' } else { '+' }, hours.abs()),
    };
    format!("{hours}{colon}{minutes:02}{seconds}")
}

impl FormatFlags {
    fn number(self, sign: char, number: i64, width: usize, out: &mut String) {
        let filler = self.filler.unwrap_or(if matches!(sign, 'e' | 'k' | 'l') { ' ' } else { '0' });
        let minus = if number < 0 { "-" } else { "" };
        let digits = number.unsigned_abs().to_string();
        let width = self.width.unwrap_or(width + minus.len());
        let missing = width.saturating_sub(digits.len() + minus.len());
        let fill = if self.unpadded { String::new() } else { filler.to_string().repeat(missing) };
        let parts = if filler == ' ' { [fill.as_str(), minus] } else { [minus, fill.as_str()] };
        out.extend(parts);
        out.push_str(&digits);
    }

    /// A text, filled up to the width.
    fn word(self, text: &str, out: &mut String) {
        let width = if self.unpadded { 0 } else { self.width.unwrap_or(0) };
        self.fill(text, width, out);
    }

    fn fill(self, text: &str, width: usize, out: &mut String) {
        let filler = self.filler.unwrap_or(' ');
        out.extend(std::iter::repeat_n(filler, width.saturating_sub(text.len())));
        out.push_str(text);
    }

    fn name(self, moment: &LocalMoment, sign: char, out: &mut String) {
        let month = usize::try_from(moment.date.month - 1).unwrap_or(0);
        let (month, weekday) = (MONTHS.get(month), WEEKDAYS.get(moment.date.weekday()));
        let name = *match sign {
            'a' | 'A' => weekday,
            _ => month,
        }
        .unwrap_or(&"");
        let half = if moment.seconds < 43_200 { "am" } else { "pm" };
        let (text, upper) = match sign {
            'p' => (half, !self.change),
            'P' => (half, self.upper || self.change),
            'a' | 'b' | 'h' => (name.get(..3).unwrap_or(name), self.upper || self.change),
            _ => (name, self.upper || self.change),
        };
        let text = if upper { text.to_ascii_uppercase() } else { text.to_owned() };
        self.word(&text, out);
    }

    /// Several parts at once.
    fn whole(self, moment: &LocalMoment, sign: char, out: &mut String) {
        let format = match sign {
            'F' => "%Y-%m-%d",
            'v' => "%e-%b-%Y",
            'R' => "%H:%M",
            'D' | 'x' => "%m/%d/%y",
            'T' | 'X' => "%H:%M:%S",
            'r' => "%I:%M:%S %p",
            _ => "%a %b %e %H:%M:%S %Y",
        };
        let mut text = String::new();
        parts(format).flatten().for_each(|part| part.write(moment, &mut text));
        if self.upper || self.change || sign == 'v' {
            text.make_ascii_uppercase();
        }
        self.fill(&text, self.width.unwrap_or(0), out);
    }
}
