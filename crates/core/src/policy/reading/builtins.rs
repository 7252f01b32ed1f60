//! What builtins of shells do to a reading: some count as commands, some run nothing, some could run anything.
//!
//! May not read text.

use super::reader::{ReadResult, ScriptReader, is_name};
use super::simple::SimpleCommandParts;
use super::{Assignment, Opaque, Spread, Word, arguments};
use crate::policy::means::decides_what_runs;

/// Builtins that run, load, redefine or evaluate, and those with an effect that is not understood.
const OPAQUE: &[&str] = &[
    ".", "alias", "bg", "bind", "caller", "compgen", "complete", "compopt", "coproc", "disown", "enable",
    "eval", "fc", "fg", "hash", "help", "history", "let", "logout", "source", "suspend", "unalias",
];

/// What other shells than bash have built in, and where that may evaluate its words.
const ELSEWHERE: &[&str] = &[
    "alarm",
    "autoload",
    "builtin",
    "compound",
    "declare",
    "enum",
    "float",
    "functions",
    "hist",
    "integer",
    "mapfile",
    "nameref",
    "print",
    "r",
    "readarray",
    "redirect",
    "shopt",
    "stop",
    "typeset",
    "ulimit",
    "whence",
];

/// Builtins that run nothing, whatever their words say.
const QUIET: &[&str] = &[":", "false", "times", "true", "type"];

/// Builtins that run nothing where their words are of the kind that they should be.
const CHECKED: &[&str] = &[
    "[",
    "break",
    "continue",
    "dirs",
    "exit",
    "getopts",
    "jobs",
    "mapfile",
    "read",
    "readarray",
    "return",
    "set",
    "shift",
    "shopt",
    "trap",
    "ulimit",
    "umask",
    "unset",
    "wait",
];

/// Builtins that start or become what their words say.
const LOWERED: &[&str] = &["builtin", "command", "exec"];

/// Builtins that set variables by words of the form of assignments.
const DECLARING: &[&str] = &["declare", "export", "local", "readonly", "typeset"];

/// Whether words after this name may have the form of assignments.
pub(super) fn declares(name: &str) -> bool {
    DECLARING.contains(&name)
}

/// Whether the meaning of a text depends on this name being the builtin.
pub(super) fn is_special(name: &str) -> bool {
    [OPAQUE, ELSEWHERE, QUIET, CHECKED, LOWERED, DECLARING].iter().any(|names| names.contains(&name))
}

/// A value that is only known when it runs.
pub(super) fn anything() -> Word {
    Word::Open { start: String::new(), spread: Spread::One }
}

/// Whether a file is read that puts programs of its own in front of PATH. Whether it is one is for the judge to say.
fn is_activation(parts: &SimpleCommandParts) -> bool {
    let words: Vec<Word> = parts.words.iter().map(|spelt| spelt.word.clone()).collect();
    crate::policy::activation::file(&words).is_some()
}

impl ScriptReader<'_> {
    /// Takes a command for what it is: a program, or a builtin.
    pub(super) fn settle(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        let name = parts.text(0).unwrap_or_default().to_owned();
        let opaque = |why: &str| Err(Opaque::because(format!("`{name}` {why}")));
        match name.as_str() {
            name if self.posix && ELSEWHERE.contains(&name) => {
                opaque("means different things in different shells")
            }
            "source" | "." if !self.posix && parts.assigns.is_empty() && is_activation(&parts) => {
                self.lists(parts)
            }
            name if OPAQUE.contains(&name) => opaque("runs, loads, redefines or evaluates what it is given"),
            name if QUIET.contains(&name) => self.quiet(parts),
            name if DECLARING.contains(&name) => self.declare(name, parts),
            "command" => self.lowered_command(parts),
            "builtin" => self.lowered_builtin(parts),
            "exec" => self.lowered_exec(parts),
            "printf" => self.printf(parts),
            "sleep" | "test" => {
                arguments::check(&name, &parts.words[1..], self.posix)?;
                self.lists(parts)
            }
            "trap" => self.trap(parts),
            "shopt" => self.shopt(parts),
            "read" | "getopts" | "mapfile" | "readarray" | "unset" => self.names_variables(&name, parts),
            name if CHECKED.contains(&name) => {
                arguments::check(name, &parts.words[1..], self.posix)?;
                self.quiet(parts)
            }
            _ => self.lists(parts),
        }
    }

    fn names_variables(&mut self, name: &str, mut parts: SimpleCommandParts) -> ReadResult<()> {
        let (variables, array) = arguments::variables(name, &parts.words[1..])?;
        for variable in variables {
            if name == "unset" {
                self.names.unset.insert(variable.clone());
            }
            if array {
                self.names.arrays.insert(variable.clone());
            }
            let value = if name == "unset" { Word::known("") } else { anything() };
            self.sets(&variable, value, false)?;
        }
        self.touches(&parts)?;
        // `IFS=, read a b` holds for the one reading alone: it parts a line, and no word of the text.
        if name == "read" {
            parts.assigns.retain(|spelt| spelt.sets.as_ref().is_none_or(|setting| setting.name != "IFS"));
        }
        self.quiet(parts)
    }

    /// `printf`, which with `-v` sets a variable instead of printing.
    fn printf(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        let words = &parts.words[1..];
        if !self.posix && words.first().and_then(|first| first.word.text()) == Some("-v") {
            let variable = words.get(1).and_then(|name| name.word.text()).filter(|name| is_name(name));
            let unclear = || Opaque::because("which variable `printf -v` sets is not understood");
            let variable = variable.ok_or_else(unclear)?.to_owned();
            // Whatever `%d` is given, it prints one whole number.
            let number = matches!(words, [_, _, format, value]
                if format.word.text() == Some("%d") && arguments::is_one(value));
            arguments::check("printf", &words[2..], self.posix)?;
            self.sets(&variable, anything(), number)?;
            self.numbered.extend(number.then_some(variable));
            self.touches(&parts)?;
            return self.lists(parts);
        }
        arguments::check("printf", words, self.posix)?;
        self.lists(parts)
    }

    /// Whatever a builtin that sets variables is given that goes by the name of a variable counts as one that it sets:
    /// an option or a form of it that is not known here cannot hide one.
    fn touches(&mut self, parts: &SimpleCommandParts) -> ReadResult<()> {
        for spelt in parts.words.iter().skip(1) {
            let text = match &spelt.word {
                Word::Known(text) => text.to_str().unwrap_or_default(),
                Word::Open { start, .. } => start,
            };
            let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            for name in text.split(|other| !letter(other)).filter(|name| is_name(name)) {
                if decides_what_runs(name) {
                    self.sets(name, anything(), false)?;
                }
            }
        }
        Ok(())
    }

    /// `command NAME …` runs NAME, but never a function.
    fn lowered_command(&mut self, mut parts: SimpleCommandParts) -> ReadResult<()> {
        match (parts.text(1), parts.words.len()) {
            (_, 1) | (Some("-v" | "-V"), _) => return self.quiet(parts),
            (Some(name), _) if !name.starts_with('-') && !declares(name) => {}
            _ => return Err(Opaque::because("what `command` runs is not understood")),
        }
        parts.words.remove(0);
        self.inside(|reader| reader.settle(parts))
    }

    fn lowered_builtin(&mut self, mut parts: SimpleCommandParts) -> ReadResult<()> {
        let listed =
            |name: &str| matches!(name, "echo" | "printf" | "test" | "pwd" | "cd" | "pushd" | "popd");
        match parts.text(1) {
            Some(name) if !declares(name) && (listed(name) || is_special(name)) => {}
            _ => return Err(Opaque::because("what `builtin` runs is not understood")),
        }
        parts.words.remove(0);
        self.inside(|reader| reader.settle(parts))
    }

    /// `exec NAME …` becomes the program, whatever builtins and functions there are.
    fn lowered_exec(&mut self, mut parts: SimpleCommandParts) -> ReadResult<()> {
        if parts.words.len() == 1 {
            return self.quiet(parts);
        }
        if parts.text(1).is_none_or(|name| name.starts_with('-')) {
            return Err(Opaque::because("what `exec` runs is not understood"));
        }
        parts.words.remove(0);
        self.lists(parts)
    }

    /// `export a=b` and its kin.
    fn declare(&mut self, name: &str, mut parts: SimpleCommandParts) -> ReadResult<()> {
        let first = &parts.words[0];
        if !first.bare || !parts.assigns.is_empty() {
            return Err(Opaque::because(format!("`{name}` is spelt so that its words may fall apart")));
        }
        let letters = if name == "export" { "" } else { "rxgaA" };
        let mut arrays = false;
        self.touches(&parts)?;
        for spelt in parts.words.split_off(1) {
            match spelt.word.text().and_then(|text| text.strip_prefix('-')) {
                Some("p" | "-") => {}
                Some(flags)
                    if !self.posix
                        && flags.chars().all(|flag| letters.contains(flag))
                        && !flags.is_empty() =>
                {
                    arrays |= flags.contains(['a', 'A']);
                }
                Some(_) => return Err(Opaque::because(format!("an option of `{name}` is not understood"))),
                None if spelt.sets.is_some() => self.declared(spelt, arrays)?,
                None => self.declared_by_text(name, &spelt.word, arrays)?,
            }
        }
        self.quiet(parts)
    }

    /// A word of the form of an assignment.
    fn declared(&mut self, spelt: super::word::Spelt, arrays: bool) -> ReadResult<()> {
        let Some(setting) = &spelt.sets else { return Ok(()) };
        if setting.braced || self.posix && setting.splits {
            return Err(Opaque::because("an assignment may fall apart into several"));
        }
        if !setting.array {
            self.names.declared.insert(setting.name.clone());
        }
        if arrays {
            self.names.arrays.insert(setting.name.clone());
        }
        let number = self.lasting_assign(spelt)?;
        self.numbered.extend(number);
        Ok(())
    }

    /// A name alone, or an assignment in quotes.
    fn declared_by_text(&mut self, name: &str, word: &Word, arrays: bool) -> ReadResult<()> {
        let unclear = || Opaque::because(format!("which variable `{name}` sets is not understood"));
        let start = match word {
            Word::Known(text) => text.to_str().ok_or_else(unclear)?,
            Word::Open { start, spread: Spread::One } => start,
            Word::Open { .. } => return Err(unclear()),
        };
        let (variable, value) = match (start.split_once('='), word) {
            (Some((variable, value)), Word::Known(_)) => (variable, Some(Word::known(value))),
            (Some((variable, _)), Word::Open { .. }) => (variable, Some(anything())),
            (None, Word::Known(_)) => (start, None),
            (None, Word::Open { .. }) => return Err(unclear()),
        };
        if !is_name(variable) {
            return Err(unclear());
        }
        if arrays {
            self.names.arrays.insert(variable.to_owned());
        }
        self.names.not_numbers.insert(variable.to_owned());
        // A name alone scopes or marks the variable: `declare -a PATH` takes it out of what commands are given, and
        // `local PATH` leaves a shell without one, which then runs `./ls`.
        let Some(value) = value else { return self.sets(variable, anything(), false) };
        self.names.declared.insert(variable.to_owned());
        self.sets(variable, value, false)
    }

    /// Notes a variable that is set for longer than one command.
    pub(super) fn sets(&mut self, name: &str, value: Word, number: bool) -> ReadResult<()> {
        self.may_set(name, &value, number)?;
        self.reading.assigns.push(Assignment { name: name.to_owned(), value });
        Ok(())
    }

    /// Whether a variable may be set without the shell itself doing something else.
    pub(super) fn may_set(&mut self, name: &str, value: &Word, number: bool) -> ReadResult<()> {
        self.names.set.insert(name.to_owned());
        // The shell sets these two itself, whatever they were set to.
        if !number || matches!(name, "PWD" | "OLDPWD") {
            self.names.not_numbers.insert(name.to_owned());
        }
        let harmless = match name {
            // Bash evaluates what these are set to.
            "RANDOM" | "SRANDOM" | "SECONDS" | "LINENO" | "HISTCMD" | "OPTIND" => number,
            // Another locale may read the characters of this very text in another way.
            "LANG" | "LC_ALL" | "LC_CTYPE" => self.text.is_ascii(),
            // Numbers are told as one word, which they are unless they are split at their digits.
            "IFS" => {
                value.text().is_some_and(|text| !text.contains(|c: char| c.is_ascii_digit() || c == '-'))
            }
            "DIRSTACK" | "EPOCHREALTIME" | "EPOCHSECONDS" | "EUID" | "FUNCNAME" | "GROUPS" | "PIPESTATUS"
            | "POSIXLY_CORRECT" | "PPID" | "PROMPT_COMMAND" | "PS0" | "PS1" | "PS2" | "PS3" | "PS4"
            | "SHELLOPTS" | "UID" | "auto_resume" | "_" => false,
            _ => !["BASH", "COMP_"].iter().any(|start| name.starts_with(start)),
        };
        if harmless {
            return Ok(());
        }
        Err(Opaque::because(format!("setting `{name}` changes what the shell does")))
    }
}
