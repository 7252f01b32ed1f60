//! What was asked of `cargo xtask test`.

use super::steps::STEPS;

/// The flags of one run.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckFlags {
    /// Leave out what is slow and rarely breaks.
    pub(crate) fast: bool,
    /// Ask the advisory database too. It must be fetched, so this needs the network.
    pub(crate) advisories: bool,
    /// Run this step alone.
    pub(crate) only: Option<String>,
    /// Say what there is, and check nothing.
    pub(crate) help: bool,
}

impl CheckFlags {
    /// Reads the words after the verb.
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
        let mut flags = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--fast" => flags.fast = true,
                "--advisories" => flags.advisories = true,
                "--help" | "-h" => flags.help = true,
                "--only" => flags.only = Some(step(words.next())?),
                other => return Err(format!("`test` has no flag `{other}`; see `cargo xtask test --help`")),
            }
        }
        Ok(flags)
    }
}

fn step(name: Option<&String>) -> Result<String, String> {
    let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
    match name {
        Some(name) if names.contains(&name.as_str()) => Ok(name.clone()),
        _ => Err(format!("`--only` takes one of: {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<CheckFlags, String> {
        CheckFlags::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn flags_are_read() {
        assert_eq!(read(""), Ok(CheckFlags::default()));
        let only = Some("tidy".to_owned());
        assert_eq!(
            read("--fast --only tidy --advisories"),
            Ok(CheckFlags { fast: true, advisories: true, only, help: false })
        );
    }

    #[test]
    fn help_is_a_flag() {
        assert!(read("--help").unwrap().help && read("-h").unwrap().help);
    }

    #[test]
    fn an_unknown_flag_or_step_is_refused() {
        assert!(read("--quick").unwrap_err().contains("--quick"));
        assert!(read("--only nothing").unwrap_err().contains("tidy"));
        assert!(read("--only").is_err());
    }
}
