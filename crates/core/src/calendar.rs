//! Days and dates of the Gregorian calendar. May not know what time it is.

/// Names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Names of the days of the week, as they are numbered from Sunday.
pub const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A date of the Gregorian calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CivilDate {
    /// The year.
    pub year: i64,
    /// From 1.
    pub month: i64,
    /// From 1.
    pub day: i64,
}

/// The days of 400 years.
const ERA: i64 = 146_097;

impl CivilDate {
    /// A date that exists.
    pub fn new(year: i64, month: i64, day: i64) -> Option<Self> {
        let date = Self { year, month, day };
        let exists = (1..=12).contains(&month) && (1..=31).contains(&day) && Self::of(date.days()) == date;
        exists.then_some(date)
    }

    /// The date of a day counted from 1970-01-01. The year begins in March here, so that the leap day is its last.
    pub fn of(days: i64) -> Self {
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let in_month = day - (153 * month + 2) / 5 + 1;
        let calendar = if month < 10 { month + 3 } else { month - 9 };
        Self { year: era * 400 + year + i64::from(calendar <= 2), month: calendar, day: in_month }
    }

    /// The day, counted from 1970-01-01.
    pub fn days(self) -> i64 {
        let year = self.year - i64::from(self.month <= 2);
        let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
        let month = (self.month + 9) % 12;
        let day = (153 * month + 2) / 5 + self.day - 1;
        era * ERA + year * 365 + year / 4 - year / 100 + day - 719_468
    }

    /// The day of the year, from 1.
    pub fn ordinal(self) -> i64 {
        self.days() - Self { month: 1, day: 1, ..self }.days() + 1
    }

    /// The day of the week, Sunday being 0.
    pub fn weekday(self) -> usize {
        usize::try_from((self.days() + 4).rem_euclid(7)).unwrap_or(0)
    }

    /// The day of the week, Monday being 1 and Sunday 7.
    pub fn iso_weekday(self) -> i64 {
        (self.days() + 3).rem_euclid(7) + 1
    }

    /// The year and the week of ISO 8601: a week belongs to the year that has its Thursday.
    pub fn iso_week(self) -> (i64, i64) {
        let thursday = Self::of(self.days() + 4 - self.iso_weekday());
        (thursday.year, (thursday.ordinal() - 1) / 7 + 1)
    }
}

/// A moment as RFC 3339 in UTC: `2026-11-16T08:30:05.123Z`, from milliseconds since 1970.
pub fn timestamp(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let CivilDate { year, month, day } = CivilDate::of(days);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn days_are_counted_from_1970() {
        for (date, days, weekday) in [
            ((1970, 1, 1), 0, "Thursday"),
            ((2000, 2, 29), 11_016, "Tuesday"),
            ((1969, 12, 31), -1, "Wednesday"),
        ] {
            let date = CivilDate::new(date.0, date.1, date.2).unwrap();
            assert_eq!((date.days(), WEEKDAYS[date.weekday()]), (days, weekday));
        }
        for (year, month, day) in [(2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1)] {
            assert_eq!(CivilDate::new(year, month, day), None);
        }
    }

    proptest! {
        #[test]
        fn a_day_and_its_date_lead_to_each_other(days in -4_000_000_i64..4_000_000) {
            prop_assert_eq!(CivilDate::of(days).days(), days);
        }
    }
}
