//! The status line: that a silent command still runs. A pure renderer; drawing is done elsewhere.

use runward::core::render;
use std::time::Duration;

/// What the line tells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StatusLine {
    /// How long it has run.
    pub(crate) elapsed: Duration,
    /// How much it has printed.
    pub(crate) bytes: u64,
    /// Its process.
    pub(crate) pid: u32,
}

/// The line for a terminal of this width; none where it would not fit.
pub(crate) fn line(progress: StatusLine, width: u16) -> Option<String> {
    let elapsed = render::duration(Duration::from_secs(progress.elapsed.as_secs()));
    let bytes = render::bytes(progress.bytes);
    let text = format!("running for {elapsed} · {bytes} so far · pid {}", progress.pid);
    // The last column is left free: some terminals wrap there.
    (text.chars().count() < usize::from(width)).then_some(text)
}

/// Takes the line away.
pub(crate) const ERASE: &str = "\r\x1b[K";

/// What shows the line.
pub(crate) fn drawn(line: &str, style: anstyle::Style) -> String {
    format!("\r{style}{line}{style:#}\x1b[K")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64, bytes: u64, width: u16) -> Option<String> {
        line(StatusLine { elapsed: Duration::from_millis(seconds * 1000 + 700), bytes, pid: 4242 }, width)
    }

    #[test]
    fn the_line_tells_time_bytes_and_process() {
        assert_eq!(at(3, 0, 80).as_deref(), Some("running for 3s · 0 B so far · pid 4242"));
        assert_eq!(at(125, 1536, 80).as_deref(), Some("running for 2m05s · 1.5 KiB so far · pid 4242"));
    }

    #[test]
    fn a_narrow_terminal_gets_no_line() {
        let width = u16::try_from(at(3, 0, 80).unwrap().chars().count()).unwrap();
        assert_eq!(at(3, 0, width), None);
        assert!(at(3, 0, width + 1).is_some());
        assert_eq!(at(3, 0, 0), None);
    }

    #[test]
    fn what_is_drawn_stays_on_one_line_and_can_be_taken_away() {
        let drawn = drawn("x", anstyle::Style::new());
        assert_eq!(drawn, "\rx\x1b[K");
        assert!(!drawn.contains('\n') && ERASE.starts_with('\r'));
    }
}
