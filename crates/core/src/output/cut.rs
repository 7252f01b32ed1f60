//! Shorter views of a stream: its head by characters, or both its ends by bytes (truncation).
//!
//! May not hide that something is missing: every cut is told, and counted where its marker stands.

use super::text::{trim_end, trim_start};
use super::{Encoding, KeptOutput, StreamText};

/// The first characters (Unicode scalar values) of a stream, and whether that is less than all of it.
///
/// What was kept must reach that far: four bytes for each character, at the head.
pub fn head(kept: &KeptOutput, letters: usize) -> (StreamText, bool) {
    let mut text = match kept.missing() {
        0 => StreamText::whole(&kept.bytes()),
        _ => StreamText::whole(trim_end(&kept.head)),
    };
    let Some((mut end, _)) = text.text.char_indices().nth(letters) else {
        return (text, kept.missing() > 0);
    };
    if text.encoding == Encoding::Binary {
        end = before_half_an_escape(&text.text[..end]);
    }
    text.text.truncate(end);
    (text, true)
}

/// Where to cut so that no `\xNN` loses its end. In escaped text every backslash begins one.
fn before_half_an_escape(text: &str) -> usize {
    text.rfind('\\').filter(|at| text.len() - at < "\\xNN".len()).unwrap_or(text.len())
}

/// A stream with its middle left out where it is too long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Middle {
    /// The text; nothing where the bytes are not UTF-8.
    pub text: Option<String>,
    /// Bytes that were left out.
    pub left_out: u64,
}

/// Room for the marker, whatever it counts.
const MARKER: usize = 48;

/// At most this many bytes of a stream: its start, its end, and between them how many bytes are missing.
pub fn middle(kept: &KeptOutput, budget: usize) -> Middle {
    let whole = kept.bytes();
    if kept.missing() == 0 && whole.len() <= budget {
        return Middle { text: String::from_utf8(whole).ok(), left_out: 0 };
    }
    let half = budget.saturating_sub(MARKER) / 2;
    let (head, tail) = if kept.missing() == 0 { (&whole, &whole) } else { (&kept.head, &kept.tail) };
    let first = trim_end(&head[..half.min(head.len())]);
    let last = trim_start(&tail[tail.len() - half.min(tail.len())..]);
    let left_out = kept.total - (first.len() + last.len()) as u64;
    let text = std::str::from_utf8(first).ok().zip(std::str::from_utf8(last).ok());
    let text = text.map(|(first, last)| format!("{first}\n[{left_out} bytes left out]\n{last}"));
    Middle { text, left_out }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Window;
    use proptest::prelude::*;

    fn kept(bytes: &[u8], budget: u64) -> KeptOutput {
        let mut window = Window::new(budget);
        window.append(bytes);
        window.kept()
    }

    fn cut(text: &str, letters: usize) -> (String, bool) {
        let (text, truncated) = head(&kept(text.as_bytes(), 1 << 20), letters);
        (text.text, truncated)
    }

    #[test]
    fn letters_are_counted_not_bytes() {
        assert_eq!(cut("äöü€😀", 5), ("äöü€😀".to_owned(), false));
        assert_eq!(cut("äöü€😀", 4), ("äöü€".to_owned(), true));
        assert_eq!(cut("", 4), (String::new(), false));
    }

    #[test]
    fn what_was_never_kept_counts_as_cut() {
        let (text, truncated) = head(&kept("😀".repeat(100).as_bytes(), 80), 10);
        assert_eq!((text.text, truncated), ("😀".repeat(10), true));
    }

    #[test]
    fn no_escape_is_cut_in_two() {
        let kept = kept(b"ab\xff\xff", 100);
        for (letters, expected) in
            [(3, "ab"), (5, "ab"), (6, "ab\\xff"), (9, "ab\\xff"), (10, "ab\\xff\\xff")]
        {
            assert_eq!(head(&kept, letters).0.text, expected, "{letters}");
        }
    }

    #[test]
    fn the_middle_is_counted_to_the_byte() {
        let text = format!("{}{}", "a".repeat(500), "z".repeat(500));
        let cut = middle(&kept(text.as_bytes(), 400), 148);
        assert_eq!(cut.left_out, 900);
        assert_eq!(
            cut.text.unwrap(),
            format!("{}\n[900 bytes left out]\n{}", "a".repeat(50), "z".repeat(50))
        );
        assert_eq!(middle(&kept(b"short", 400), 148), Middle { text: Some("short".to_owned()), left_out: 0 });
        assert_eq!(middle(&kept(b"\xff", 400), 148).text, None);
    }

    proptest! {
        #[test]
        fn a_cut_middle_stays_in_its_budget_and_loses_nothing_unnoticed(text in "[a-zäöü😀\\n]{0,400}", keep in 200..400u64) {
            let budget = usize::try_from(keep).unwrap();
            let cut = middle(&kept(text.as_bytes(), keep), budget);
            let shown = cut.text.unwrap();
            prop_assert!(shown.len() <= budget);
            if cut.left_out == 0 {
                prop_assert_eq!(shown, text);
            } else {
                let marker = format!("\n[{} bytes left out]\n", cut.left_out);
                prop_assert_eq!(shown.len() - marker.len() + usize::try_from(cut.left_out).unwrap(), text.len());
            }
        }

        #[test]
        fn a_head_is_a_head(text in "\\PC{0,60}", letters in 0..60usize) {
            let (shown, truncated) = cut(&text, letters);
            prop_assert_eq!(&shown, &text.chars().take(letters).collect::<String>());
            prop_assert_eq!(truncated, text.chars().count() > letters);
        }
    }
}
