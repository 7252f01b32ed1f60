//! The one text format of all tables about programs: presets, wrappers, interpreters and their kin, in `crates/core/presets`.
//!
//! `[NAME|ALIAS]` opens a program, then come lines `key: words`; `#` begins a comment. May not know what a key means: each
//! table's reader does, and a test of it holds that no line is passed over.

use std::collections::HashMap;

/// One program of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableSection {
    /// What stands between the brackets. Nothing for what comes before the first heading.
    pub(super) heading: &'static str,
    body: &'static str,
    /// The number of its first line below the heading.
    first: usize,
}

/// A line of a section.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableLine {
    pub(super) number: usize,
    /// All of it, for errors.
    pub(super) text: &'static str,
    /// Nothing where there is no colon.
    pub(super) key: Option<&'static str>,
    pub(super) rest: &'static str,
}

/// The sections of a table, in order.
pub(super) fn sections(text: &'static str) -> impl Iterator<Item = TableSection> {
    let mut rest = Some(("", text, 1));
    std::iter::from_fn(move || {
        let (heading, from, first) = rest.take()?;
        let (mut at, mut number) = (0, first);
        for line in from.split_inclusive('\n') {
            if let Some(next) = line.trim().strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                rest = Some((next, &from[at + line.len()..], number + 1));
                break;
            }
            at += line.len();
            number += 1;
        }
        Some(TableSection { heading, body: &from[..at], first })
    })
}

impl TableSection {
    /// Its lines, without comments.
    pub(super) fn lines(self) -> impl Iterator<Item = TableLine> {
        let numbered = self.body.lines().map(str::trim).zip(self.first..);
        numbered.filter(|(text, _)| !text.is_empty() && !text.starts_with('#')).map(|(text, number)| {
            let (key, rest) =
                text.split_once(':').map_or((None, text), |(key, rest)| (Some(key), rest.trim()));
            TableLine { number, text, key, rest }
        })
    }

    /// The names of its program.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        self.heading.split('|')
    }

    /// Every word behind a key.
    pub(super) fn words(self, key: &'static str) -> impl Iterator<Item = &'static str> {
        self.lines().filter(move |line| line.key == Some(key)).flat_map(|line| line.rest.split_whitespace())
    }

    /// What stands behind a key; nothing where there is no such line.
    pub(super) fn value(self, key: &str) -> Option<&'static str> {
        self.lines().find(|line| line.key == Some(key)).map(|line| line.rest)
    }
}

/// A table whose programs are found by their names. Every command is held against every table, so the names are taken apart
/// once.
#[derive(Debug)]
pub(super) struct ProgramTable {
    rows: Vec<TableSection>,
    by_name: HashMap<&'static str, usize>,
}

impl ProgramTable {
    /// Reads a table. Where two sections have a name, it means the first.
    pub(super) fn read(text: &'static str) -> Self {
        let rows: Vec<TableSection> = sections(text).skip(1).collect();
        let mut by_name = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            for name in row.names() {
                by_name.entry(name).or_insert(at);
            }
        }
        Self { rows, by_name }
    }

    /// Every program, in the order of the table.
    #[cfg(test)]
    pub(super) fn rows(&self) -> &[TableSection] {
        &self.rows
    }

    /// The program of exactly this name.
    pub(super) fn exactly(&self, name: &str) -> Option<TableSection> {
        self.by_name.get(name).map(|at| self.rows[*at])
    }

    /// The first program that has the name, with or without its version.
    pub(super) fn find(&self, name: &str, unversioned: &str) -> Option<TableSection> {
        let versioned = if unversioned.len() == name.len() { None } else { self.by_name.get(name) };
        versioned.into_iter().chain(self.by_name.get(unversioned)).min().map(|at| self.rows[*at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# about\nasks: --help\n\n[a|b c]\nflags: -x -y\n# why\nflags: -z\nnote\n[d]\n";

    #[test]
    fn a_table_is_read_section_by_section() {
        let all: Vec<_> = sections(TEXT).collect();
        assert_eq!(all.iter().map(|section| section.heading).collect::<Vec<_>>(), ["", "a|b c", "d"]);
        assert_eq!(all[0].words("asks").collect::<Vec<_>>(), ["--help"]);
        assert_eq!(all[1].names().collect::<Vec<_>>(), ["a", "b c"]);
        assert_eq!(all[1].words("flags").collect::<Vec<_>>(), ["-x", "-y", "-z"]);
        let lines: Vec<_> = all[1].lines().map(|line| (line.number, line.key)).collect();
        assert_eq!(lines, [(5, Some("flags")), (7, Some("flags")), (8, None)]);
        assert_eq!(all[2].lines().count(), 0);
    }

    #[test]
    fn a_program_is_found_by_each_of_its_names_and_the_first_section_counts() {
        let table = ProgramTable::read("[lua|luajit]\none: 1\n[lua5|lua]\none: 2\n");
        let one = |name, bare| table.find(name, bare).and_then(|row| row.value("one"));
        assert_eq!(
            (one("luajit", "luajit"), one("lua5", "lua"), one("perl", "perl")),
            (Some("1"), Some("1"), None)
        );
        assert_eq!(table.exactly("lua5").and_then(|row| row.value("one")), Some("2"));
    }
}
