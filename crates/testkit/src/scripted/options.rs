//! What the server is told on its command line.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// All arguments. One that is not known is an error.
#[derive(Debug, Default)]
pub(crate) struct Options {
    /// `--name NAME`: what it calls itself; `scripted-child` by itself.
    pub(crate) name: Option<String>,
    /// `--instructions TEXT`: what it tells clients in its answer to `initialize`.
    pub(crate) instructions: Option<String>,
    /// `--revision REVISION`: the revision it answers with, whatever was asked.
    pub(crate) revision: Option<String>,
    /// `--tool NAME`, repeated: further tools, each of which says its own name.
    pub(crate) tools: Vec<String>,
    /// `--page N`: at most so many items in an answer to a list request.
    pub(crate) page: Option<usize>,
    /// `--stderr TEXT`: said on stderr before anything else.
    pub(crate) stderr: Option<String>,
    /// `--record FILE`: every line that arrives is added to the file.
    pub(crate) record: Option<PathBuf>,
    /// `--start-when FILE`: `initialize` is answered when the file exists.
    pub(crate) start_when: Option<PathBuf>,
    /// `--refuse-initialize`: `initialize` is answered with an error.
    pub(crate) refuse_initialize: bool,
    /// `--no-tools`, `--no-resources`, `--no-prompts`, `--no-completions`, `--no-logging`: what it cannot do.
    pub(crate) lacks: Vec<String>,
    /// `--fail-first N`: the first so many starts exit at once with status 1.
    fail_first: usize,
    /// `--count FILE`: every start adds a line with its pid.
    count: Option<PathBuf>,
}

impl Options {
    /// Reads arguments, or says what is wrong with them.
    pub(crate) fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut read = Self::default();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--name" => read.name = Some(value()?),
                "--instructions" => read.instructions = Some(value()?),
                "--revision" => read.revision = Some(value()?),
                "--tool" => read.tools.push(value()?),
                "--page" => read.page = Some(number(&value()?)?.max(1)),
                "--stderr" => read.stderr = Some(value()?),
                "--record" => read.record = Some(value()?.into()),
                "--start-when" => read.start_when = Some(value()?.into()),
                "--refuse-initialize" => read.refuse_initialize = true,
                "--no-tools" | "--no-resources" | "--no-prompts" | "--no-completions" | "--no-logging" => {
                    read.lacks.push(word["--no-".len()..].to_owned());
                }
                "--fail-first" => read.fail_first = number(&value()?)?,
                "--count" => read.count = Some(value()?.into()),
                other => return Err(format!("unknown argument `{other}`")),
            }
        }
        match (read.fail_first, &read.count) {
            (1.., None) => Err("`--fail-first` needs `--count`".to_owned()),
            _ => Ok(read),
        }
    }

    /// Counts this start, and says whether it is one of those that fail.
    pub(crate) fn must_fail(&self) -> bool {
        let Some(file) = &self.count else { return false };
        let before = fs::read_to_string(file).map_or(0, |text| text.lines().count());
        note(file, &std::process::id().to_string());
        before < self.fail_first
    }

    /// Whether it can do something.
    pub(crate) fn has(&self, what: &str) -> bool {
        !self.lacks.iter().any(|lacking| lacking == what)
    }
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("`{text}` is no number"))
}

/// Adds a line to a file.
pub(crate) fn note(file: &std::path::Path, line: &str) {
    let opened = fs::OpenOptions::new().append(true).create(true).open(file);
    // One call, so that lines of several servers do not mix.
    opened.and_then(|mut opened| opened.write_all(format!("{line}\n").as_bytes())).expect("a file for notes");
}
