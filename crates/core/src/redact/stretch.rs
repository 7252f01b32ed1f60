//! A stretch of text of one kind, measured once however many places of it are asked about. May not know kinds.
//!
//! Hazard: hostile output has a beginning at every few bytes (`sk-sk-sk-…`, `token=token=…`). Where each of them is
//! followed to the end of its stretch anew, time is quadratic: 1 MiB takes a minute. A stretch has one end, from
//! wherever in it one looks, so remembering the last one gives the same answers.

use std::ops::Range;

/// The stretch that was measured last.
#[derive(Debug, Default)]
pub(super) struct Stretch(Range<usize>);

impl Stretch {
    /// Where the stretch ends that this place lies in; `measure` says it for a place that was not measured.
    pub(super) fn end(&mut self, at: usize, measure: impl FnOnce() -> usize) -> usize {
        if !self.0.contains(&at) {
            self.0 = at..measure();
        }
        self.0.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_looked_at_once_from_however_many_places() {
        let bytes = "sk-".repeat(1000) + " " + &"sk-".repeat(1000);
        let (mut stretch, mut looked) = (Stretch::default(), 0);
        for at in 0..bytes.len() {
            let end = stretch.end(at, || {
                let len = bytes[at..].find(' ').unwrap_or(bytes.len() - at);
                looked += len;
                at + len
            });
            assert_eq!(end, if at <= 3000 { 3000 } else { bytes.len() });
        }
        assert_eq!(looked, 6000);
    }
}
