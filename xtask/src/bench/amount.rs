//! Numbers with their units, as people read them.

use super::measured::{Bound, CurveRow, MeasuredRow};

/// A measured number, to three digits.
pub(crate) fn amount(value: f64, unit: &str) -> String {
    let (number, name) = scaled(value, unit);
    format!("{}{name}", three_digits(number))
}

/// A number that was chosen: no digit that was not chosen.
pub(crate) fn chosen(value: f64, unit: &str) -> String {
    let (number, name) = scaled(value, unit);
    format!("{}{name}", (number * 100.0).round() / 100.0)
}

/// A ratio.
pub(crate) fn times(ratio: f64) -> String {
    format!("{} ×", two_places(ratio))
}

/// Two places behind the point, and three where two would leave one digit or none.
pub(crate) fn two_places(ratio: f64) -> String {
    if ratio < 0.0995 { format!("{ratio:.3}") } else { format!("{ratio:.2}") }
}

/// The number in the unit that suits its size, and that unit's name.
fn scaled(value: f64, unit: &str) -> (f64, String) {
    const TIMES: [(f64, &str); 4] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs"), (0.0, " ns")];
    const SIZES: [(f64, &str); 4] =
        [(1_073_741_824.0, " GiB"), (1_048_576.0, " MiB"), (1024.0, " KiB"), (0.0, " B")];
    let fitting = |value: f64, units: [(f64, &str); 4]| {
        let (size, name) = units.into_iter().find(|(size, _)| value.abs() >= *size).unwrap_or(units[3]);
        (value / if size == 0.0 { 1.0 } else { size }, name.to_owned())
    };
    match unit {
        "us" => fitting(value * 1e3, TIMES),
        "ns" => fitting(value, TIMES),
        "bytes" => fitting(value, SIZES),
        "per_second" => (value, "/s".to_owned()),
        "number" => (value, String::new()),
        other => (value, format!(" {other}")),
    }
}

fn three_digits(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        large if large >= 99.95 => format!("{number:.0}"),
        middle if middle >= 9.995 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// The target of a row in words.
pub(crate) fn target(row: &MeasuredRow) -> String {
    match (row.bound, row.target) {
        (Bound::AtMost, Some(most)) => format!("≤ {most} ×"),
        (Bound::AtLeast, Some(least)) => format!("≥ {least} ×"),
        (Bound::Within, Some(most)) => format!("≤ {}", chosen(most, &row.unit)),
        _ => "–".to_owned(),
    }
}

/// The target of a curve in words.
pub(crate) fn flat(curve: &CurveRow) -> String {
    match (curve.bound, curve.target) {
        (Bound::None, _) | (_, None) => "–".to_owned(),
        (_, Some(most)) => format!("grows ≤ {most} ×"),
    }
}

/// The spread of a row in words.
pub(crate) fn spread(row: &MeasuredRow) -> String {
    let [low, high] = row.spread;
    match row.ratio {
        Some(_) => format!("{} … {}", two_places(low), two_places(high)),
        None => format!("{} … {}", amount(low, &row.unit), amount(high, &row.unit)),
    }
}

/// The points of a curve in words.
pub(crate) fn points(curve: &CurveRow) -> String {
    let words = curve.points.iter().map(|[at, value]| format!("{at}: {}", amount(*value, &curve.unit)));
    format!("{} → {}", curve.over, words.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_number_comes_in_the_unit_that_suits_its_size() {
        assert_eq!(amount(229.94, "us"), "230 µs");
        assert_eq!(amount(0.0583, "us"), "58.3 ns");
        assert_eq!(amount(1_289_000.0, "us"), "1.29 s");
        assert_eq!(amount(250.0, "ns"), "250 ns");
        assert_eq!(amount(13_002_342.0, "bytes"), "12.4 MiB");
        assert_eq!(amount(-4096.0, "bytes"), "-4.00 KiB");
        assert_eq!(amount(0.0, "per_second"), "0/s");
        assert_eq!(amount(3.0, "calls"), "3.00 calls");
    }

    #[test]
    fn a_small_ratio_is_not_rounded_to_nothing() {
        assert_eq!([times(0.00476), times(0.0996), times(1.2)], ["0.005 ×", "0.10 ×", "1.20 ×"]);
    }

    #[test]
    fn a_target_has_no_digits_that_nobody_chose() {
        let words: Vec<_> = sample::document().rows.iter().map(target).collect();
        assert_eq!(words[0], "≤ 2.5 ×");
        assert_eq!(words[2], "≥ 0.8 ×");
        assert_eq!(words[5], "≤ 50 µs");
        assert_eq!(words[8], "–");
        assert_eq!(words[10], "≤ 16 MiB");
        assert_eq!(words[13], "≤ 0/s");
    }

    #[test]
    fn a_curve_is_told_point_by_point() {
        let curve = &sample::document().curves[0];
        assert_eq!(points(curve), "sessions → 1: 48.0 KiB, 10: 46.5 KiB, 100: 46.0 KiB, 1000: 45.8 KiB");
        assert_eq!(flat(curve), "grows ≤ 1.5 ×");
    }
}
