//! Formats durations and sizes, short. May round: for people only.

use std::time::Duration;

/// A duration in the unit that reads best: `250ms`, `3.2s`, `2m05s`.
pub fn duration(time: Duration) -> String {
    let millis = time.as_millis();
    match millis {
        0..1000 => format!("{millis}ms"),
        1000..60_000 if millis.is_multiple_of(1000) => format!("{}s", millis / 1000),
        1000..60_000 => format!("{}.{}s", millis / 1000, millis % 1000 / 100),
        _ => format!("{}m{:02}s", millis / 60_000, millis % 60_000 / 1000),
    }
}

/// A number of bytes in the unit that reads best: `812 B`, `1.5 KiB`, `64 MiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut tenths = count.saturating_mul(10);
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    if unit == 0 || tenths.is_multiple_of(10) {
        format!("{} {}", tenths / 10, UNITS[unit])
    } else {
        format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let shown: Vec<_> = [0, 250, 1000, 3250, 125_000].map(Duration::from_millis).map(duration).into();
        assert_eq!(shown, ["0ms", "250ms", "1s", "3.2s", "2m05s"]);
    }

    #[test]
    fn sizes() {
        let shown: Vec<_> = [0, 812, 1536, 64 << 20, 5_000_000_000].map(bytes).into();
        assert_eq!(shown, ["0 B", "812 B", "1.5 KiB", "64 MiB", "4.6 GiB"]);
    }
}
