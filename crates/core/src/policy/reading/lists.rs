//! A second reader for the texts that agents send most: plain commands with `|`, `&&`, `||` or `;` between them.
//!
//! In such a text no character begins an expansion, an escape, a redirection, a group, a pattern or a comment, so there
//! is little to get wrong, and it need not be parsed by the large second reader. Anything else is left to that one. May
//! not add to a reading.

use super::reader::FoundCommand;

/// Words that are not names of commands where a command begins.
const RESERVED: &[&str] = &[
    "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "function", "select", "time", "coproc",
];

/// Marks that stand for themselves in a word.
const MARKS: &[u8] = b"%+,-./:@_=";

/// Every command of the text, in order; nothing for a text that is more than plain commands.
pub(super) fn commands(text: &str) -> Option<Vec<FoundCommand>> {
    let mut scan = ListScan { text: text.as_bytes(), at: 0 };
    let mut found = Vec::new();
    loop {
        found.push(scan.command()?);
        if !scan.separator()? {
            return Some(found);
        }
    }
}

struct ListScan<'a> {
    text: &'a [u8],
    at: usize,
}

impl ListScan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
    }

    /// A command of at least one word.
    fn command(&mut self) -> Option<FoundCommand> {
        self.blanks();
        let at = self.at;
        self.word()?;
        let name = &self.text[at..self.at];
        if name.contains(&b'=') || RESERVED.iter().any(|word| word.as_bytes() == name) {
            return None;
        }
        let mut words = 1;
        loop {
            let before = self.at;
            self.blanks();
            match self.peek() {
                None | Some(b'|' | b'&' | b';') => return Some(FoundCommand { at, words }),
                Some(_) if self.at == before => return None,
                Some(_) => self.word()?,
            }
            words += 1;
        }
    }

    /// One word, which has at least one character or quote.
    fn word(&mut self) -> Option<()> {
        let begun = self.at;
        while let Some(letter) = self.peek() {
            match letter {
                b'\'' => self.quoted(b'\'', b"")?,
                b'"' => self.quoted(b'"', b"$`\\!")?,
                letter if letter.is_ascii_alphanumeric() || MARKS.contains(&letter) => self.at += 1,
                _ => break,
            }
        }
        (self.at > begun).then_some(())
    }

    /// What stands in quotes, without any of these characters.
    fn quoted(&mut self, mark: u8, without: &[u8]) -> Option<()> {
        let inside = &self.text[self.at + 1..];
        let len = inside.iter().position(|letter| *letter == mark)?;
        let strange =
            inside[..len].iter().any(|letter| without.contains(letter) || letter.is_ascii_control());
        self.at += len + 2;
        (!strange).then_some(())
    }

    /// Moves past what stands between two commands; `false` at the end.
    fn separator(&mut self) -> Option<bool> {
        let rest = &self.text[self.at..];
        let len = match rest {
            [] => return Some(false),
            [b'&', b'&', ..] | [b'|', b'|', ..] => 2,
            [b'|' | b';', ..] => 1,
            _ => return None,
        };
        self.at += len;
        let ends = rest[0] == b';';
        self.blanks();
        match self.peek() {
            None => ends.then_some(false),
            Some(b'|' | b'&' | b';') => None,
            Some(_) => Some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::second;
    use super::*;
    use proptest::prelude::*;

    fn counts(text: &str) -> Option<Vec<(usize, usize)>> {
        commands(text).map(|found| found.iter().map(|found| (found.at, found.words)).collect())
    }

    #[test]
    fn plain_commands_are_found_where_they_stand() {
        assert_eq!(counts("ls -la"), Some(vec![(0, 2)]));
        assert_eq!(counts(" git log -5 | head -3;"), Some(vec![(1, 3), (14, 2)]));
        assert_eq!(counts("a&&b||c"), Some(vec![(0, 1), (3, 1), (6, 1)]));
        assert_eq!(counts("grep -rn 'fn $(x)' \"a b\"'c' | wc"), Some(vec![(0, 4), (30, 1)]));
    }

    #[test]
    fn anything_more_is_left_to_the_other() {
        for text in [
            "",
            " ",
            ";",
            "a;;b",
            "a|&b",
            "a &",
            "a & b",
            "a && ",
            "| a",
            "a\nb",
            "a $b",
            "a `b`",
            "a \"$b\"",
            "a \\b",
            "a > b",
            "a < b",
            "(a)",
            "{ a; }",
            "x=1",
            "x=1 a",
            "if a; then b; fi",
            "time a",
            "a *",
            "a ?",
            "a [b]",
            "a ~",
            "a #b",
            "! a",
            "a 'b",
            "a {b,c}",
            "a \"!b\"",
            "a 'b\nc'",
            "a ^b",
            "a; do",
            "ä",
        ] {
            assert_eq!(counts(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn both_second_readers_find_the_same(text in "([abx=1;|& '\"/-]|if |do |time |&& ){0,14}") {
            if let Some(found) = commands(&text) {
                prop_assert_eq!(second::commands(&text), Some(found));
            }
        }
    }
}
