//! Where in the raw stream each place of a shown text comes from. May not look at the bytes themselves.

/// How long `\xNN` is.
const ESCAPE: usize = 4;

/// How places of a text behind an anchor go on in the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceStep {
    /// Byte by byte.
    Same,
    /// Every `\xNN` stands for one byte.
    Escaped,
    /// All of it comes from this one place: what was written over, or masked.
    Fixed,
}

/// A place of the text, and its place in the stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawAnchor {
    pub(super) text: usize,
    pub(super) raw: u64,
    pub(super) step: PlaceStep,
}

/// The places of a whole text: an anchor wherever text and stream go apart.
#[derive(Debug, Default)]
pub(super) struct RawPlaces(Vec<RawAnchor>);

impl RawPlaces {
    /// From here on, up to the next anchor. Nothing is remembered where it goes on as before.
    pub(super) fn anchor(&mut self, text: usize, raw: u64, step: PlaceStep) {
        if let Some(last) = self.0.last_mut() {
            let goes_on = raw.checked_sub(last.raw) == Some((text - last.text) as u64);
            if goes_on && last.step == PlaceStep::Same && step == PlaceStep::Same {
                return;
            }
            if last.text == text {
                *last = RawAnchor { text, raw, step };
                return;
            }
        }
        self.0.push(RawAnchor { text, raw, step });
    }

    /// The offset in the stream of what stands at this place. `text` is what the anchors were made for.
    pub(super) fn raw(&self, text: &str, at: usize) -> u64 {
        let Some(index) = self.0.partition_point(|anchor| anchor.text <= at).checked_sub(1) else { return 0 };
        self.raw_after(&self.0[index], text, at)
    }

    /// The offset in the stream of the line that begins at this place, with the escapes that stand before its first
    /// character.
    pub(super) fn raw_line(&self, text: &str, at: usize) -> u64 {
        let follows_a_line = at > 0 && text.as_bytes()[at - 1] == b'\n' && self.fixed(text, at - 1).is_none();
        if follows_a_line { self.raw(text, at - 1) + 1 } else { self.raw(text, at) }
    }

    /// The stretch around this place that comes from one place of the stream, if there is one.
    pub(super) fn fixed(&self, text: &str, at: usize) -> Option<std::ops::Range<usize>> {
        let next = self.0.partition_point(|anchor| anchor.text <= at);
        let anchor = self.0[..next].last().filter(|anchor| anchor.step == PlaceStep::Fixed)?;
        Some(anchor.text..self.0.get(next).map_or(text.len(), |next| next.text))
    }

    fn raw_after(&self, anchor: &RawAnchor, text: &str, at: usize) -> u64 {
        match anchor.step {
            PlaceStep::Fixed => anchor.raw,
            PlaceStep::Same => anchor.raw + (at - anchor.text) as u64,
            PlaceStep::Escaped => {
                // A place inside an escape is that of its byte.
                let bytes = &text.as_bytes()[anchor.text..at];
                let last = memchr::memrchr(b'\\', bytes).filter(|last| bytes.len() - last < ESCAPE);
                let between = &bytes[..last.unwrap_or(bytes.len())];
                let escapes = memchr::memchr_iter(b'\\', between).count();
                anchor.raw + (between.len() - escapes * (ESCAPE - 1)) as u64
            }
        }
    }

    /// Adds the anchors of a text that stands behind this one.
    pub(super) fn append(&mut self, other: &Self, base: usize) {
        for RawAnchor { text, raw, step } in &other.0 {
            self.anchor(base + text, *raw, *step);
        }
    }

    /// The anchors of a text in which parts were replaced. Each edit: where the part was, and how long what stands
    /// there now is.
    pub(super) fn edited(&self, text: &str, edits: &[(std::ops::Range<usize>, usize)]) -> Self {
        let (mut new, mut next, mut grown, mut shrunk) = (Self::default(), 0, 0_usize, 0_usize);
        for (part, length) in edits {
            next = self.copy(&mut new, next, part.start, (grown, shrunk));
            let at = part.start + grown - shrunk;
            new.anchor(at, self.raw(text, part.start), PlaceStep::Fixed);
            grown += length;
            shrunk += part.len();
            while self.0.get(next).is_some_and(|anchor| anchor.text <= part.end) {
                next += 1;
            }
            let step = next.checked_sub(1).map_or(PlaceStep::Same, |last| self.0[last].step);
            new.anchor(at + length, self.raw(text, part.end), step);
        }
        self.copy(&mut new, next, usize::MAX, (grown, shrunk));
        new
    }

    fn copy(&self, new: &mut Self, from: usize, before: usize, (grown, shrunk): (usize, usize)) -> usize {
        let until = from + self.0[from..].partition_point(|anchor| anchor.text <= before);
        for anchor in &self.0[from..until] {
            new.anchor(anchor.text + grown - shrunk, anchor.raw, anchor.step);
        }
        until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_behind_what_was_taken_out_are_right() {
        let mut places = RawPlaces::default();
        places.anchor(0, 10, PlaceStep::Same);
        places.anchor(3, 18, PlaceStep::Same);
        places.anchor(5, 20, PlaceStep::Same);
        assert_eq!(places.0.len(), 2);
        assert_eq!([0, 2, 3, 9].map(|at| places.raw("abcdefghij", at)), [10, 12, 18, 24]);
    }

    #[test]
    fn an_escape_is_one_byte() {
        let mut places = RawPlaces::default();
        places.anchor(0, 0, PlaceStep::Escaped);
        assert_eq!([0, 1, 2, 4, 5, 6].map(|at| places.raw("a\\xffb", at)), [0, 1, 1, 1, 2, 3]);
    }

    #[test]
    fn what_was_masked_comes_from_where_the_secret_began() {
        let mut places = RawPlaces::default();
        places.anchor(0, 100, PlaceStep::Same);
        let edited = places.edited("a secret z", &[(2..8, 10)]);
        let text = "a [redacted] z";
        assert_eq!([0, 2, 7, 12, 13].map(|at| edited.raw(text, at)), [100, 102, 102, 108, 109]);
    }
}
