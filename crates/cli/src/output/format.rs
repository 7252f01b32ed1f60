//! One result on stdout, as JSON or YAML.

use super::Failure;
use crate::args::FormatArgs;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// How a result is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Plain,
    /// One JSON object.
    Json,
    /// One YAML document.
    Yaml,
}

impl Format {
    /// What was asked for.
    pub(crate) fn of(args: &FormatArgs) -> Self {
        match (args.json, args.yaml) {
            (true, _) => Format::Json,
            (_, true) => Format::Yaml,
            _ => Format::Plain,
        }
    }
}

/// Prints one result. JSON is one line, except for people.
pub(crate) fn emit(result: &impl Serialize, format: Format) -> Result<(), Failure> {
    let text = match format {
        Format::Yaml => yaml(result),
        _ if io::stdout().is_terminal() => serde_json::to_string_pretty(result).map_err(io::Error::other),
        _ => serde_json::to_string(result).map_err(io::Error::other),
    };
    let text = text.map_err(|error| Failure::host("the result could not be written down", &error))?;
    print(text.trim_end_matches('\n'))
}

/// Prints text and a line's end.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::ReaderGone,
        _ => Failure::host("the result could not be written", &error),
    })
}

fn yaml(result: &impl Serialize) -> io::Result<String> {
    serde_saphyr::to_string(result).map_err(io::Error::other)
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
