//! Variables in `.env` files. May not read a file or the environment.

use crate::Mark;

/// The files beside a markdown agent, in the order in which they are laid over each other.
pub fn file_names(node_env: Option<&str>) -> Vec<String> {
    let mut names = vec![".env".to_owned(), ".env.local".to_owned()];
    // The name of a folder would lead elsewhere.
    if let Some(mode) = node_env.filter(|mode| !mode.is_empty() && !mode.contains(['/', '\\', '\0'])) {
        names.extend([format!(".env.{mode}"), format!(".env.{mode}.local")]);
    }
    names
}

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvFile {
    /// Names with their values; each name once, the last value counts.
    pub variables: Vec<(String, String)>,
    /// Lines that say nothing that can be understood: they are left out, and somebody should be told.
    pub ignored: Vec<Mark>,
}

/// Reads a file's text. Nothing in a value is filled in: a `$` is a `$`.
pub fn parse(file: &str, text: &str) -> EnvFile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut read = EnvFile::default();
    let mut at = 0;
    while at < text.len() {
        let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = &text[at..end];
        let next = end + 1;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            at = next;
            continue;
        }
        match assignment(&text[at..]) {
            Some((name, value, length)) => {
                set(&mut read.variables, name, value);
                at += length;
            }
            None => {
                let start = at + line.len() - line.trim_start().len();
                read.ignored.push(Mark::of(file, text, 1, start..at + line.trim_end().len()));
                at = next;
            }
        }
    }
    read
}

/// Lays files over each other: the value of a later one counts.
pub fn lay(files: impl IntoIterator<Item = Vec<(String, String)>>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for (name, value) in files.into_iter().flatten() {
        set(&mut all, &name, value);
    }
    all
}

fn set(variables: &mut Vec<(String, String)>, name: &str, value: String) {
    match variables.iter_mut().find(|(known, _)| known == name) {
        Some((_, held)) => *held = value,
        None => variables.push((name.to_owned(), value)),
    }
}

/// The assignment at the start of a text: name, value, and how many bytes it takes with the end of its line.
fn assignment(text: &str) -> Option<(&str, String, usize)> {
    let blank = |c: char| c == ' ' || c == '\t';
    let rest = text.trim_start_matches(blank);
    let rest = match rest.strip_prefix("export") {
        Some(after) if after.starts_with(blank) => after.trim_start_matches(blank),
        _ => rest,
    };
    let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_.-".contains(c))).unwrap_or(rest.len());
    let (name, rest) = rest.split_at(length);
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
        return None;
    }
    let rest = rest.trim_start_matches(blank).strip_prefix('=')?.trim_start_matches(blank);
    let (value, rest) = match rest.chars().next() {
        Some('\'') => {
            let (value, rest) = rest[1..].split_once('\'')?;
            (value.to_owned(), end_of_line(rest)?)
        }
        Some('"') => {
            let (value, rest) = double_quoted(&rest[1..])?;
            (value, end_of_line(rest)?)
        }
        _ => {
            let (line, rest) = rest.split_once('\n').unwrap_or((rest, ""));
            (without_comment(line).trim().to_owned(), rest)
        }
    };
    (!value.contains('\0')).then(|| (name, value, text.len() - rest.len()))
}

/// What follows the line, if only a comment is left of it.
fn end_of_line(rest: &str) -> Option<&str> {
    let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
    let line = line.trim();
    (line.is_empty() || line.starts_with('#')).then_some(after)
}

/// A line up to a `#` that follows a blank.
fn without_comment(line: &str) -> &str {
    let comment = line.match_indices('#').find(|(at, _)| line[..*at].ends_with([' ', '\t']) || *at == 0);
    comment.map_or(line, |(at, _)| &line[..at])
}

/// A text in double quotes, whose first one has been taken: its value, and what follows the last one.
fn double_quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                known @ ('"' | '\\' | '$') => value.push(known),
                other => value.extend(['\\', other]),
            },
            // A file with both ends of line means the same text as one with one.
            '\r' if text[at + 1..].starts_with('\n') => {}
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_files_depend_on_the_mode() {
        assert_eq!(file_names(None), [".env", ".env.local"]);
        assert_eq!(file_names(Some("test")), [".env", ".env.local", ".env.test", ".env.test.local"]);
        assert_eq!(file_names(Some("")).len(), 2);
        assert_eq!(file_names(Some("x/../../etc")).len(), 2);
    }

    #[test]
    fn every_way_to_write_a_value_is_read() {
        let cases = [
            ("A=1", "1"),
            ("  A = 1 2  ", "1 2"),
            ("export A=1", "1"),
            ("export\tA=1", "1"),
            ("A=", ""),
            ("A=# none", ""),
            ("A=x # why", "x"),
            ("A=x#y", "x#y"),
            ("A='x # y' # why", "x # y"),
            ("A='a\\n$B'", "a\\n$B"),
            ("A=\"a\\n\\t\\\"b\\\" \\\\ \\$C \\d\"", "a\n\t\"b\" \\ $C \\d"),
            ("A=\"one\ntwo\r\nthree\" # end", "one\ntwo\nthree"),
            ("A='one\ntwo'", "one\ntwo"),
            ("A=$B", "$B"),
            ("A=it's", "it's"),
            ("A=é=ü", "é=ü"),
            ("A=1\r\n", "1"),
            ("\u{feff}A=1", "1"),
            ("A=1\nA=2", "2"),
            ("# x\n\n A=1", "1"),
        ];
        for (text, value) in cases {
            let read = parse(".env", text);
            assert_eq!(read.variables, [("A".to_owned(), value.to_owned())], "{text:?}");
            assert!(read.ignored.is_empty(), "{text:?}");
        }
    }

    #[test]
    fn what_is_read_after_several_lines_is_read_on() {
        let read = parse(".env", "A=\"x\ny\"\nexport=1\nB.c-d=2\n\n#E=3\nF=4");
        let names: Vec<&str> = read.variables.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["A", "export", "B.c-d", "F"]);
    }

    #[test]
    fn lines_that_say_nothing_are_told_with_their_place() {
        let read = parse(".env", "A=1\n  just words\n=x\n9=x\nB=\"open\nC='open\nD=\"x\" y\nE=5\n");
        let ignored: Vec<String> =
            read.ignored.iter().map(|mark| format!("{} {}", mark.place(), mark.text)).collect();
        assert_eq!(
            ignored,
            [
                ".env:2:3   just words",
                ".env:3:1 =x",
                ".env:4:1 9=x",
                ".env:5:1 B=\"open",
                ".env:6:1 C='open",
                ".env:7:1 D=\"x\" y"
            ]
        );
        assert_eq!(read.variables.len(), 2);
    }

    #[test]
    fn later_files_are_laid_over_earlier_ones() {
        let of = |text: &str| parse(".env", text).variables;
        assert_eq!(lay([of("A=1\nB=2"), of("B=3\nC=4")]), of("A=1\nB=3\nC=4"));
    }

    proptest! {
        #[test]
        fn a_quoted_value_comes_back_whatever_it_is(value in "[ -~é\n\t]{0,20}") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let read = parse(".env", &format!("A=\"{quoted}\"\nB=1"));
            prop_assert_eq!(read.variables, [("A".to_owned(), value), ("B".to_owned(), "1".to_owned())]);
        }

        #[test]
        fn no_text_makes_the_reader_fall_over(text in "[A-C='\"#\\\\ \né]{0,40}") {
            parse(".env", &text);
        }
    }
}
