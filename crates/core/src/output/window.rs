//! Head and tail of a stream in bounded memory (a ring buffer). May not grow beyond its budget.

/// Keeps the first and the last bytes of a stream, and counts the rest.
///
/// Memory grows with what was printed and stops at the budget.
#[derive(Debug)]
pub struct Window {
    head: Vec<u8>,
    tail: Vec<u8>,
    /// Where the oldest byte of a full tail is.
    start: usize,
    head_budget: usize,
    tail_budget: usize,
    total: u64,
}

/// A part of a stream, as far as it is kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StreamPart {
    /// Where the bytes begin. Later than was asked for if what lies before is not kept.
    pub offset: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl StreamPart {
    /// Where the next part begins.
    pub fn next(&self) -> u64 {
        self.offset + self.bytes.len() as u64
    }
}

/// What a window kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptOutput {
    /// The first bytes.
    pub head: Vec<u8>,
    /// The last bytes that are not in the head.
    pub tail: Vec<u8>,
    /// How many bytes there were in all.
    pub total: u64,
}

impl KeptOutput {
    /// How many bytes lie between head and tail.
    pub fn missing(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// Everything kept, in one piece.
    pub fn bytes(&self) -> Vec<u8> {
        [self.head.as_slice(), self.tail.as_slice()].concat()
    }

    /// At most `max` bytes from `offset` on. What is not kept is passed over; head and tail never come in one part
    /// unless nothing is missing between them.
    pub fn part(&self, offset: u64, max: usize) -> StreamPart {
        part_of(&self.head, (&self.tail, &[]), self.total, offset, max)
    }

    /// Where the tail begins in the stream.
    pub fn tail_offset(&self) -> u64 {
        self.total - self.tail.len() as u64
    }
}

impl Window {
    /// A window that keeps at most this many bytes, half of them at each end.
    pub fn new(budget: u64) -> Self {
        let budget = usize::try_from(budget).unwrap_or(usize::MAX);
        let head_budget = budget.div_ceil(2);
        Self {
            head: Vec::new(),
            tail: Vec::new(),
            start: 0,
            head_budget,
            tail_budget: budget - head_budget,
            total: 0,
        }
    }

    /// Appends what was read.
    pub fn append(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let to_head = bytes.len().min(self.head_budget - self.head.len());
        let (head, rest) = bytes.split_at(to_head);
        self.head.extend_from_slice(head);
        if !rest.is_empty() && self.tail_budget > 0 {
            self.append_tail(rest);
        }
    }

    fn append_tail(&mut self, bytes: &[u8]) {
        if bytes.len() >= self.tail_budget {
            self.tail.clear();
            self.tail.extend_from_slice(&bytes[bytes.len() - self.tail_budget..]);
            self.start = 0;
            return;
        }
        let room = self.tail_budget - self.tail.len();
        let (fits, wraps) = bytes.split_at(bytes.len().min(room));
        self.tail.extend_from_slice(fits);
        self.overwrite(wraps);
    }

    /// The tail is full: the newest bytes take the place of the oldest.
    fn overwrite(&mut self, bytes: &[u8]) {
        let (first, second) = bytes.split_at(bytes.len().min(self.tail.len() - self.start));
        self.tail[self.start..self.start + first.len()].copy_from_slice(first);
        self.tail[..second.len()].copy_from_slice(second);
        if !bytes.is_empty() {
            self.start = (self.start + bytes.len()) % self.tail.len();
        }
    }

    /// How many bytes were appended.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// At most `max` bytes from `offset` on, as [`KeptOutput::part`] gives them.
    pub fn part(&self, offset: u64, max: usize) -> StreamPart {
        let (new, old) = self.tail.split_at(self.start);
        part_of(&self.head, (old, new), self.total, offset, max)
    }

    /// Whether a byte at this offset is kept, or is still to come.
    pub fn holds(&self, offset: u64) -> bool {
        offset < self.head.len() as u64 || offset >= self.total - self.tail.len() as u64
    }

    /// What is kept, as of now.
    pub fn kept(&self) -> KeptOutput {
        let (new, old) = self.tail.split_at(self.start);
        KeptOutput { head: self.head.clone(), tail: [old, new].concat(), total: self.total }
    }

    /// What is kept, giving the memory away.
    pub fn into_kept(mut self) -> KeptOutput {
        self.tail.rotate_left(self.start);
        KeptOutput { head: self.head, tail: self.tail, total: self.total }
    }
}

/// Cuts a part out of a head and a tail that may stand in two pieces.
fn part_of(head: &[u8], (old, new): (&[u8], &[u8]), total: u64, offset: u64, max: usize) -> StreamPart {
    let tail_at = total - (old.len() + new.len()) as u64;
    let split = tail_at + old.len() as u64;
    let mut part = StreamPart { offset: offset.min(total), bytes: Vec::new() };
    for (base, bytes) in [(0, head), (tail_at, old), (split, new)] {
        let end = base + bytes.len() as u64;
        if part.next() >= end || part.bytes.len() == max {
            continue;
        }
        if part.next() < base {
            if !part.bytes.is_empty() {
                break;
            }
            part.offset = base;
        }
        let from = usize::try_from(part.next() - base).unwrap_or(bytes.len());
        let len = (max - part.bytes.len()).min(bytes.len() - from);
        part.bytes.extend_from_slice(&bytes[from..from + len]);
    }
    part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn little_is_kept_whole() {
        let mut window = Window::new(10);
        window.append(b"hello");
        assert_eq!(window.kept().bytes(), b"hello");
        assert_eq!(window.kept().missing(), 0);
    }

    #[test]
    fn much_keeps_both_ends() {
        let mut window = Window::new(6);
        window.append(b"abcdefghij");
        assert_eq!(
            window.into_kept(),
            KeptOutput { head: b"abc".to_vec(), tail: b"hij".to_vec(), total: 10 }
        );
    }

    #[test]
    fn a_budget_of_nothing_still_counts() {
        let mut window = Window::new(0);
        window.append(b"abc");
        assert_eq!(window.into_kept(), KeptOutput { head: vec![], tail: vec![], total: 3 });
    }

    #[test]
    fn parts_pass_over_what_is_missing() {
        let mut window = Window::new(6);
        window.append(b"abcdefghij");
        window.append(b"k");
        let part = |offset, max| {
            let part = window.part(offset, max);
            assert_eq!(part, window.kept().part(offset, max));
            (part.offset, String::from_utf8(part.bytes).unwrap())
        };
        assert_eq!(part(0, 100), (0, "abc".to_owned()));
        assert_eq!(part(1, 1), (1, "b".to_owned()));
        assert_eq!(part(3, 100), (8, "ijk".to_owned()));
        assert_eq!(part(9, 1), (9, "j".to_owned()));
        assert_eq!(part(11, 5), (11, String::new()));
        assert_eq!(part(99, 5), (11, String::new()));
        assert!(window.holds(2) && !window.holds(3) && window.holds(8) && window.holds(11));
    }

    proptest! {
        #[test]
        fn parts_put_together_are_the_stream(
            text in prop::collection::vec(any::<u8>(), 0..60), budget in 60_u64..80, max in 1_usize..9,
        ) {
            let mut window = Window::new(budget);
            window.append(&text);
            let (mut all, mut at) = (Vec::new(), 0);
            while at < text.len() as u64 {
                let part = window.part(at, max);
                prop_assert_eq!(part.offset, at);
                prop_assert!(!part.bytes.is_empty() && part.bytes.len() <= max);
                at = part.next();
                all.extend(part.bytes);
            }
            prop_assert_eq!(all, text);
        }

        #[test]
        fn however_it_is_cut_the_ends_are_right(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20),
            budget in 0_u64..64,
        ) {
            let all = chunks.concat();
            let mut window = Window::new(budget);
            for chunk in &chunks {
                window.append(chunk);
            }
            let kept = window.kept();
            let head = all.len().min(usize::try_from(budget.div_ceil(2)).unwrap());
            let tail = (all.len() - head).min(usize::try_from(budget / 2).unwrap());
            prop_assert_eq!(&kept.head, &all[..head]);
            prop_assert_eq!(&kept.tail, &all[all.len() - tail..]);
            prop_assert_eq!(kept.missing(), (all.len() - head - tail) as u64);
            prop_assert_eq!(window.into_kept(), kept);
        }
    }
}
