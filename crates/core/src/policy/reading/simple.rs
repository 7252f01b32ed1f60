//! Simple commands: assignments, words and redirections, in any order that bash takes.
//!
//! May not know what builtins do: see [`super::builtins`].

use super::list::LastingEffects;
use super::reader::{ReadResult, ScriptReader};
use super::word::Spelt;
use super::{Assignment, Opaque, Redirect, Simple, Word, builtins};

/// Words that begin or part other commands when they stand first.
const KEYWORDS: &[&str] = &[
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "in",
    "select", "function", "time", "{", "}", "!", "[[", "]]", "coproc",
];

/// A simple command as it was read.
#[derive(Debug, Default)]
pub(super) struct SimpleCommandParts {
    /// Assignments in front.
    pub(super) assigns: Vec<Spelt>,
    /// Its words, the name first.
    pub(super) words: Vec<Spelt>,
    /// Its redirections.
    pub(super) redirects: Vec<Redirect>,
}

impl SimpleCommandParts {
    /// A word, where there is one and it is known.
    pub(super) fn text(&self, at: usize) -> Option<&str> {
        self.words.get(at).and_then(|spelt| spelt.word.text())
    }

    fn declares(&self) -> bool {
        let first = self.words.first().filter(|first| first.bare && self.assigns.is_empty());
        first.and_then(|first| first.word.text()).is_some_and(builtins::declares)
    }
}

impl ScriptReader<'_> {
    /// A simple command, or a function that is defined.
    pub(super) fn simple(&mut self) -> ReadResult<LastingEffects> {
        let mut parts = SimpleCommandParts::default();
        loop {
            self.blanks();
            self.comment();
            if let Some(redirect) = self.redirect()? {
                parts.redirects.push(redirect);
                continue;
            }
            match self.peek() {
                None | Some(b'\n' | b';' | b'&' | b'|' | b')') => break,
                Some(b'(') => return self.perhaps_function(&parts),
                Some(_) => {}
            }
            if let Some(redirect) = self.numbered()? {
                parts.redirects.push(redirect);
                continue;
            }
            let begins = parts.words.is_empty();
            let spelt = if begins || parts.declares() { self.setting()? } else { self.word()? };
            let list = if begins && spelt.sets.is_some() { &mut parts.assigns } else { &mut parts.words };
            list.push(spelt);
        }
        if parts.words.is_empty() { self.alone(parts) } else { self.named(parts) }
    }

    fn perhaps_function(&mut self, parts: &SimpleCommandParts) -> ReadResult<LastingEffects> {
        let lone = parts.words.len() == 1 && parts.assigns.is_empty() && parts.redirects.is_empty();
        let name = parts.words.first().filter(|name| lone && name.bare).and_then(|name| name.word.text());
        let Some(name) = name.filter(|name| !KEYWORDS.contains(name)) else {
            return Err(Opaque::because("`(` is out of place"));
        };
        let name = name.to_owned();
        self.at += 1;
        self.blanks();
        self.needs(")")?;
        self.inside(|reader| reader.function(name))
    }

    /// Assignments and redirections without a command.
    fn alone(&mut self, parts: SimpleCommandParts) -> ReadResult<LastingEffects> {
        if parts.assigns.is_empty() && parts.redirects.is_empty() {
            return Err(Opaque::because("a command is missing"));
        }
        let from = parts.assigns.first().map_or(self.at, |first| first.at);
        // A sum that divides, or a part of a value, may fail; then nothing behind it is set.
        let may_fail = ["/", "%", "**", "${"].iter().any(|mark| self.text[from..self.at].contains(mark));
        let mut lasting = LastingEffects::default();
        for spelt in parts.assigns {
            let number = self.lasting_assign(spelt)?;
            lasting.numbers.extend(number.filter(|_| !may_fail));
        }
        self.reading.redirects.extend(parts.redirects);
        Ok(lasting)
    }

    /// An assignment that holds beyond its command. The variable, where it is a number.
    pub(super) fn lasting_assign(&mut self, spelt: Spelt) -> ReadResult<Option<String>> {
        let Some(setting) = spelt.sets else { return Ok(None) };
        if setting.array {
            self.names.arrays.insert(setting.name.clone());
        }
        let value = if setting.appends { builtins::anything() } else { setting.value };
        if setting.name == "IFS" && !setting.array {
            // No command is given it, and what the shell parts by it is told as any number of words anyway.
            self.may_set("IFS", &value, false)?;
            return Ok(None);
        }
        self.sets(&setting.name, value, spelt.numeric)?;
        Ok(spelt.number.then_some(setting.name))
    }

    fn named(&mut self, parts: SimpleCommandParts) -> ReadResult<LastingEffects> {
        self.note(parts.words[0].at, parts.words.len())?;
        let name = known_name(&parts)?.to_owned();
        if parts.words[0].bare && KEYWORDS.contains(&name.as_str()) {
            return Err(Opaque::because(format!("`{name}` is out of place")));
        }
        if self.names.certain.contains(&name) {
            self.quiet(parts)?;
        } else {
            self.settle(parts)?;
        }
        Ok(LastingEffects { numbers: std::mem::take(&mut self.numbered), ..LastingEffects::default() })
    }

    /// Lists a command.
    pub(super) fn lists(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        known_name(&parts)?;
        let mut assigns = Vec::new();
        for spelt in parts.assigns {
            let Some(setting) = spelt.sets else { continue };
            let value = if setting.appends { builtins::anything() } else { setting.value };
            self.may_set(&setting.name, &value, spelt.numeric)?;
            assigns.push(Assignment { name: setting.name, value });
        }
        let at = parts.words[0].at;
        let words: Vec<Word> = parts.words.into_iter().map(|spelt| spelt.word).collect();
        self.commands.push((at, Simple { words, assigns, redirects: parts.redirects }));
        Ok(())
    }

    /// A command that runs nothing and needs no leave.
    pub(super) fn quiet(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        for spelt in parts.assigns {
            self.lasting_assign(spelt)?;
        }
        self.reading.redirects.extend(parts.redirects);
        Ok(())
    }
}

/// The name of a command, which must be known.
fn known_name(parts: &SimpleCommandParts) -> ReadResult<&str> {
    let name =
        parts.text(0).ok_or_else(|| Opaque::because("the name of a program is only known when it runs"))?;
    if name.is_empty() || name.contains('=') || name.starts_with('%') {
        return Err(Opaque::because("the name of a program is empty, or means something else"));
    }
    Ok(name)
}
