//! How many characters a text takes once it is written: as a JSON string or as YAML, whichever is longer. May not shorten
//! anything.

use crate::render::is_shown;

/// How a text stands in YAML. What holds a character that a block cannot carry is quoted, and each of its lines costs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WrittenForm {
    /// A literal block: two blanks before each line.
    Block,
    /// In quotes, with an escaped end of each line.
    Quoted,
}

impl WrittenForm {
    /// The form of a text, or of anything cut from it: a part may do with less, never with more.
    pub(super) fn of(text: &str) -> Self {
        let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
        let strange = text.bytes().position(|byte| !plain(&byte));
        // Nothing but blanks is quoted, however few they are.
        let has_ink = !text.bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\t'));
        let is_block = has_ink && strange.is_none_or(|at| text[at..].chars().all(is_shown));
        if is_block { Self::Block } else { Self::Quoted }
    }

    /// What a text costs in this form.
    pub(super) fn cost(self, text: &str) -> usize {
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let lines = ends + usize::from(!text.is_empty() && !text.ends_with('\n'));
        // An end of a line is two characters in JSON; in a block one, and the two blanks.
        self.letters(text) + lines * if self == Self::Block { 1 } else { 5 }
    }

    /// What its characters cost, without what each of its lines costs.
    pub(super) fn letters(self, text: &str) -> usize {
        let letters = text.bytes().map(|byte| usize::from(BYTE_COST[usize::from(byte)])).sum::<usize>();
        letters + if self == Self::Block { 0 } else { strange_cost(text) }
    }
}

/// An upper bound of what a text takes in an answer, in characters, without its key.
pub fn written_cost(text: &str) -> usize {
    WrittenForm::of(text).cost(text)
}

/// What characters outside ASCII cost above the one that they are.
fn strange_cost(text: &str) -> usize {
    if text.is_ascii() {
        return 0;
    }
    text.chars().filter(|c| !c.is_ascii() && !is_shown(*c)).count() * 9
}

/// What a byte costs, as the larger of JSON's and YAML's escapes. Of a longer character only the first byte counts.
const BYTE_COST: [u8; 256] = {
    let mut cost = [1; 256];
    let mut byte = 0;
    while byte < 256 {
        cost[byte] = match byte {
            0x22 | 0x5c | 0x09 | 0x0a | 0x0d => 2,
            0x00..0x20 => 6,
            0x7f => 4,
            0x80..0xc0 => 0,
            _ => 1,
        };
        byte += 1;
    }
    cost
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Yaml;
    use proptest::prelude::*;

    fn yaml(text: &str) -> usize {
        let mut yaml = Yaml::default();
        yaml.text("k", text);
        yaml.finish().chars().count() - "k: ".len()
    }

    proptest! {
        #[test]
        fn neither_form_is_longer_than_the_cost_says(text in "([ -~]|\\n|\\n |[\\x00-\\x1f]|\u{7f}|é|\u{2028}|\u{feff}|\u{ffff}|😀|\"|\\\\){0,60}") {
            let cost = written_cost(&text);
            let json = serde_json::to_string(&text).unwrap().chars().count() - 2;
            prop_assert!(json <= cost, "{json} > {cost}");
            // The bar or quotes and the last line's end are not the text's.
            prop_assert!(yaml(&text) <= cost + 6, "{} > {cost}", yaml(&text));
        }
    }
}
