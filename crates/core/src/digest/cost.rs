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
        // Nothing but blanks is quoted, however few they are.
        if text.bytes().all(|byte| matches!(byte, b' ' | b'\n' | b'\t')) {
            return Self::Quoted;
        }
        let mut from = 0;
        while let Some(strange) = first_strange(&text.as_bytes()[from..]) {
            from += strange;
            // Where one character is no plain one, the next ones seldom are.
            for c in text[from..].chars().take_while(|c| !is_plain(*c)) {
                if !is_shown(c) {
                    return Self::Quoted;
                }
                from += c.len_utf8();
            }
        }
        Self::Block
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
        byte_cost(text.as_bytes()) + if self == Self::Block { 0 } else { strange_cost(text) }
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

/// So many bytes are looked at together: compilers make one instruction of what is done to each alike.
const TOGETHER: usize = 64;

fn is_plain(c: char) -> bool {
    matches!(c, ' '..='~' | '\n' | '\t')
}

/// The first byte that is no plain character.
fn first_strange(bytes: &[u8]) -> Option<usize> {
    let is_strange = |byte: &u8| !(0x20..0x7f).contains(byte) & (*byte != b'\n') & (*byte != b'\t');
    let mut at = 0;
    for block in bytes.chunks(TOGETHER) {
        if block.iter().fold(false, |any, byte| any | is_strange(byte)) {
            return block.iter().position(is_strange).map(|within| at + within);
        }
        at += block.len();
    }
    None
}

/// What bytes cost, each as the larger of JSON's and YAML's escapes. Of a longer character only the first byte counts.
fn byte_cost(bytes: &[u8]) -> usize {
    let block_cost = |block: &[u8]| {
        let mut sums = [0_u8; 5];
        for &byte in block {
            sums[0] += u8::from(byte & 0xc0 == 0x80);
            sums[1] += u8::from((byte == b'"') | (byte == b'\\'));
            sums[2] += u8::from((byte == b'\t') | (byte == b'\n') | (byte == b'\r'));
            sums[3] += u8::from(byte < 0x20);
            sums[4] += u8::from(byte == 0x7f);
        }
        let [behind, quotes, blanks, controls, deletes] = sums.map(usize::from);
        block.len() - behind + quotes + blanks + (controls - blanks) * 5 + deletes * 3
    };
    bytes.chunks(TOGETHER).map(block_cost).sum()
}

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
        fn bytes_cost_the_same_together_as_one_by_one(text in "([ -~]|\\PC|[\\x00-\\x1f]|\u{7f}|\"){0,300}") {
            let one = |c: char| match c {
                '"' | '\\' | '\t' | '\n' | '\r' => 2,
                '\0'..' ' => 6,
                '\u{7f}' => 4,
                _ => 1,
            };
            prop_assert_eq!(byte_cost(text.as_bytes()), text.chars().map(one).sum::<usize>());
            let has_ink = text.contains(|c| c != ' ' && c != '\n' && c != '\t');
            let is_block = has_ink && text.chars().all(is_shown);
            let form = if is_block { WrittenForm::Block } else { WrittenForm::Quoted };
            prop_assert_eq!(WrittenForm::of(&text), form);
        }

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
