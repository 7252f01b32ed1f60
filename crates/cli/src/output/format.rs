//! One result on stdout, as JSON or YAML.

use super::VerbFailure;
use crate::args::FormatArgs;
use runward::core::render::Yaml;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// For people.
    Plain,
    /// One JSON object.
    Json,
    /// One YAML document.
    Yaml,
}

impl OutputFormat {
    /// What was asked for.
    pub(crate) fn of(args: &FormatArgs) -> Self {
        match (args.json, args.yaml) {
            (true, _) => OutputFormat::Json,
            (_, true) => OutputFormat::Yaml,
            _ => OutputFormat::Plain,
        }
    }
}

/// Prints one result. JSON is one line, except for people.
pub(crate) fn emit(result: &impl Serialize, format: OutputFormat) -> Result<(), VerbFailure> {
    let text = match format {
        OutputFormat::Yaml => yaml(result),
        _ if io::stdout().is_terminal() => serde_json::to_string_pretty(result).map_err(io::Error::other),
        _ => serde_json::to_string(result).map_err(io::Error::other),
    };
    let text = text.map_err(|error| VerbFailure::host("the result could not be written down", &error))?;
    print(text.trim_end_matches('\n'))
}

/// Prints text and a line's end.
pub(crate) fn print(text: &str) -> Result<(), VerbFailure> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(|error| gone_or(&error, "the result could not be written"))
}

/// Standard output takes no more: its reader is gone, or it cannot be written.
pub(crate) fn unwritten(error: &io::Error) -> VerbFailure {
    gone_or(error, "the output could not be written")
}

fn gone_or(error: &io::Error, what: &str) -> VerbFailure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => VerbFailure::ReaderGone,
        _ => VerbFailure::host(what, error),
    }
}

/// One YAML document.
pub(crate) fn yaml(result: &impl Serialize) -> io::Result<String> {
    Ok(Yaml::of(result)?.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn yaml_gives_back_exactly_what_went_in() {
        let long = "word ".repeat(100);
        for text in [
            "",
            "a\n",
            "a\nb",
            "\n",
            "\n\n",
            " a\n  b\n",
            "a\r\nb\t\n",
            "# x: y\n",
            "---\n",
            "null",
            "1",
            &long,
        ] {
            let before = BTreeMap::from([("stdout".to_owned(), text.to_owned())]);
            let written = yaml(&before).unwrap();
            let after: BTreeMap<String, String> = serde_saphyr::from_str(&written).unwrap();
            assert_eq!(after, before, "{written}");
        }
    }
}
