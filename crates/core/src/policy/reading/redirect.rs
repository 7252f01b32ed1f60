//! Redirections of a script: `>`, `<`, `2>&1`, `{name}>`.
//!
//! May not decide which files may be read or written.

use super::reader::{ReadResult, ScriptReader, is_border, is_name};
use super::word::Spelt;
use super::{Opaque, Redirect, Word, builtins};

/// Beginnings that are a folder which no text may set, and the spelling under which they are told.
const FOLDERS: &[(&str, &str)] = &[
    ("~/", "~/"),
    ("$HOME/", "$HOME/"),
    ("\"$HOME/", "$HOME/"),
    ("\"$HOME\"/", "$HOME/"),
    ("${HOME}/", "$HOME/"),
    ("$PWD/", "$PWD/"),
    ("\"$PWD/", "$PWD/"),
    ("\"$PWD\"/", "$PWD/"),
    ("${PWD}/", "$PWD/"),
];

impl ScriptReader<'_> {
    /// Every redirection from here on.
    pub(super) fn redirects(&mut self) -> ReadResult<Vec<Redirect>> {
        let mut all = Vec::new();
        loop {
            self.blanks();
            let one = match self.redirect()? {
                Some(one) => Some(one),
                None => self.numbered()?,
            };
            match one {
                Some(one) => all.push(one),
                None => return Ok(all),
            }
        }
    }

    /// `2>f` or `{name}>f`, if one begins here.
    pub(super) fn numbered(&mut self) -> ReadResult<Option<Redirect>> {
        let rest = self.rest();
        let length = rest.bytes().position(is_border).unwrap_or(0);
        let (raw, after) = rest.split_at(length);
        if length == 0 || !after.starts_with(['<', '>']) || after[1..].starts_with('(') {
            return Ok(None);
        }
        if raw.bytes().all(|byte| byte.is_ascii_digit()) {
            if length > 3 {
                return Err(Opaque::because("the number of a descriptor is too great"));
            }
            self.at += length;
            return self.redirect();
        }
        let Some(name) = raw.strip_prefix('{').and_then(|raw| raw.strip_suffix('}')) else { return Ok(None) };
        self.only_bash("`{name}>`")?;
        if !is_name(name) {
            return Err(Opaque::because("the variable of a descriptor is not a plain name"));
        }
        self.sets(name, builtins::anything(), false)?;
        self.at += length;
        self.redirect()
    }

    /// A redirection, if one begins here.
    pub(super) fn redirect(&mut self) -> ReadResult<Option<Redirect>> {
        if self.sees("<(") || self.sees(">(") {
            return Ok(None);
        }
        let marks = ["<<<", "<<-", "<<", "<&", "<>", "<", ">>", ">|", ">&", ">", "&>>", "&>"];
        let Some(mark) = marks.into_iter().find(|mark| self.takes(mark)) else { return Ok(None) };
        if matches!(mark, "<<" | "<<-") {
            self.here_document(mark == "<<-")?;
            return Ok(Some(Redirect::Text));
        }
        if matches!(mark, "<<<" | "&>" | "&>>") {
            self.only_bash(&format!("`{mark}`"))?;
        }
        self.blanks();
        // `>&-` is one mark, also with blanks in it: what follows would be the next word.
        if matches!(mark, "<&" | ">&") && self.peek() == Some(b'-') && !self.ahead(1).is_none_or(is_border) {
            return Err(Opaque::because(format!("`{mark}-` runs into a word")));
        }
        if self.peek() == Some(b'#') {
            return Err(Opaque::because("a redirection leads nowhere"));
        }
        let pipe = self.sees("<(") || self.sees(">(");
        let folder = FOLDERS.iter().find(|(folder, _)| self.sees(folder)).map(|(_, told)| *told);
        let spelt = self.word()?;
        if matches!(mark, "<&" | ">&") {
            return self.copy(mark, spelt).map(Some);
        }
        // Where these are is not known here, but they are folders.
        let word = match spelt.word {
            Word::Open { start, spread } if start.is_empty() => {
                Word::Open { start: folder.unwrap_or_default().to_owned(), spread }
            }
            // The name of a pipe that the shell makes, which is no connection wherever it lies.
            Word::Open { spread, .. } if pipe => Word::Open { start: "/dev/fd/".to_owned(), spread },
            word => word,
        };
        Ok(Some(match mark {
            "<<<" => Redirect::Text,
            "<" => Redirect::Reads(word),
            _ => Redirect::Writes(word),
        }))
    }

    /// `>&` and `<&`: a descriptor, or in bash a file.
    ///
    /// Hazard: bash expands the name of such a file twice, and would run `$(rm x)` in what a variable holds.
    fn copy(&self, mark: &str, spelt: Spelt) -> ReadResult<Redirect> {
        let is_descriptor = |text: &str| {
            let digits = text.strip_suffix('-').unwrap_or(text);
            !text.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if spelt.number || spelt.word.text().is_some_and(is_descriptor) {
            return Ok(Redirect::Copies);
        }
        self.only_bash(&format!("`{mark}` with a name"))?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./,+:@%=".contains(&byte);
        if !spelt.word.text().is_some_and(|name| name.bytes().all(plain)) {
            return Err(Opaque::because(format!("bash expands the word after `{mark}` twice")));
        }
        Ok(if mark == ">&" { Redirect::Writes(spelt.word) } else { Redirect::Reads(spelt.word) })
    }
}
