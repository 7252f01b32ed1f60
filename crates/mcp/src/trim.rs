//! An answer's share of the output: so many characters of each stream, half from each end.
//!
//! Bytes stay bytes; a cut never falls into a character. May not turn bytes into text.

use runward::Receipt;
use runward::core::output::Kept;

/// Characters of each stream in one answer.
pub(crate) const CHARACTERS: usize = 200_000;

/// Bytes of each stream that must be kept so that an answer can have all its characters.
pub(crate) const KEEP_BYTES: u64 = 4 * CHARACTERS as u64;

/// The receipt with no more than an answer's share of output.
pub(crate) fn receipt(receipt: &Receipt) -> Receipt {
    let mut trimmed = receipt.clone();
    trimmed.stdout.kept = kept(&receipt.stdout.kept, CHARACTERS);
    trimmed.stderr.kept = kept(&receipt.stderr.kept, CHARACTERS);
    trimmed
}

/// At most so many characters: half from the head, half from the tail. A byte outside UTF-8 counts as one.
fn kept(kept: &Kept, characters: usize) -> Kept {
    let (head_share, tail_share) = (characters.div_ceil(2), characters / 2);
    if kept.missing() > 0 {
        let head = kept.head[..end_of(&kept.head, head_share)].to_vec();
        let tail = kept.tail[start_of(&kept.tail, tail_share)..].to_vec();
        return Kept { head, tail, total: kept.total };
    }
    let all = kept.bytes();
    if all.len() <= characters || count(&all) <= characters {
        return Kept { head: all, tail: Vec::new(), total: kept.total };
    }
    let head = all[..end_of(&all, head_share)].to_vec();
    let tail = all[start_of(&all, tail_share)..].to_vec();
    Kept { head, tail, total: kept.total }
}

fn count(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// Where the first so many characters end.
fn end_of(bytes: &[u8], mut characters: usize) -> usize {
    let mut end = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if characters == 0 {
                return end;
            }
            characters -= 1;
            end += c.len_utf8();
        }
        let bytes = chunk.invalid().len().min(characters);
        characters -= bytes;
        end += bytes;
    }
    end
}

/// Where the last so many characters begin.
fn start_of(bytes: &[u8], characters: usize) -> usize {
    end_of(bytes, count(bytes).saturating_sub(characters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &[u8]) -> Kept {
        Kept { head: text.to_vec(), tail: Vec::new(), total: text.len() as u64 }
    }

    #[test]
    fn what_fits_is_left_alone() {
        assert_eq!(kept(&whole("äöü😀".as_bytes()), 4), whole("äöü😀".as_bytes()));
    }

    #[test]
    fn head_and_tail_are_counted_in_characters() {
        let cut = kept(&whole("äöüßé😀".as_bytes()), 3);
        assert_eq!((cut.head.as_slice(), cut.tail.as_slice()), ("äö".as_bytes(), "😀".as_bytes()));
        assert_eq!(cut.missing(), 6);
    }

    #[test]
    fn a_byte_outside_utf8_counts_as_one() {
        let cut = kept(&whole(b"\xff\xfe\xfdabc\xfc"), 4);
        assert_eq!((cut.head.as_slice(), cut.tail.as_slice()), (&b"\xff\xfe"[..], &b"c\xfc"[..]));
    }

    #[test]
    fn a_window_that_was_cut_before_is_cut_on_both_sides() {
        let window = Kept { head: b"abcdef".to_vec(), tail: b"uvwxyz".to_vec(), total: 100 };
        let cut = kept(&window, 4);
        assert_eq!((cut.head.as_slice(), cut.tail.as_slice(), cut.total), (&b"ab"[..], &b"yz"[..], 100));
    }
}
