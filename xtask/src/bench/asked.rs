//! What was asked of `cargo xtask bench`.
//!
//! May not measure or look at files.

use super::section::{BenchSection, SECTIONS};

/// The flags, read.
#[derive(Debug)]
pub(crate) struct BenchFlags {
    /// What is measured, in the order of the table.
    pub(crate) sections: Vec<&'static BenchSection>,
    /// Whether that is everything there is; peers are never missed.
    pub(crate) everything: bool,
    /// One JSON document instead of the table.
    pub(crate) json: bool,
    /// The page and its pictures are written.
    pub(crate) write: bool,
    /// A document that was kept, instead of measuring.
    pub(crate) from: Option<String>,
    /// How many times the usual number of turns.
    pub(crate) rounds: u32,
    /// How often everything is measured from the beginning.
    pub(crate) passes: u32,
}

/// Odd, so that one is in the middle.
const PASSES: u32 = 5;

/// Reads the flags.
pub(crate) fn parse(flags: &[String]) -> Result<BenchFlags, String> {
    let mut asked = BenchFlags {
        sections: Vec::new(),
        everything: false,
        json: false,
        write: false,
        from: None,
        rounds: 1,
        passes: PASSES,
    };
    let (mut named, mut peers, mut rest) = (Vec::new(), false, flags.iter());
    while let Some(flag) = rest.next() {
        match flag.as_str() {
            "--json" => asked.json = true,
            "--write" => asked.write = true,
            "--peers" => peers = true,
            "--from" => asked.from = Some(rest.next().ok_or("`--from` takes a file")?.clone()),
            "--rounds" => asked.rounds = number(flag, rest.next())?,
            "--passes" => asked.passes = number(flag, rest.next())?,
            name if SECTIONS.iter().any(|section| section.name == name) => named.push(name),
            other => return Err(format!("there is nothing to measure named `{other}`")),
        }
    }
    asked.everything = named.is_empty();
    let wanted = |section: &&BenchSection| match section.name {
        "peers" => peers || named.contains(&"peers"),
        name => named.is_empty() || named.contains(&name),
    };
    asked.sections = SECTIONS.iter().filter(wanted).collect();
    fits(asked)
}

fn number(flag: &str, word: Option<&String>) -> Result<u32, String> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| format!("`{flag}` takes a whole number from 1"))
}

/// A page about half of it would look like the whole.
fn fits(asked: BenchFlags) -> Result<BenchFlags, String> {
    if asked.from.is_some() && !asked.everything {
        return Err("`--from` shows what was kept: it takes no sections".to_owned());
    }
    if asked.write && !asked.everything {
        return Err("`--write` is about everything: it takes no sections".to_owned());
    }
    Ok(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: &str) -> Result<BenchFlags, String> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn names(line: &str) -> Vec<&'static str> {
        ask(line).unwrap().sections.iter().map(|section| section.name).collect()
    }

    #[test]
    fn what_is_named_is_measured_and_nothing_else() {
        assert_eq!(names("mcp kill --rounds 2"), ["kill", "mcp"]);
        assert_eq!(ask("kill --rounds 2").unwrap().rounds, 2);
        assert!(ask("speed").unwrap_err().contains("`speed`"));
        assert!(ask("--rounds 0").unwrap_err().contains("`--rounds`"));
        assert_eq!([ask("").unwrap().passes, ask("--passes 1").unwrap().passes], [PASSES, 1]);
    }

    #[test]
    fn peers_are_measured_only_when_asked_for() {
        assert!(!names("").contains(&"peers"));
        assert_eq!(names("--peers").len(), names("").len() + 1);
        assert_eq!(names("peers"), ["peers"]);
        assert_eq!(names("kill --peers"), ["kill", "peers"]);
    }

    #[test]
    fn a_page_is_never_written_about_a_part() {
        assert!(ask("--write --peers --json").is_ok());
        assert!(ask("kill --write").unwrap_err().contains("--write"));
        assert!(ask("--from x.json --write").is_ok());
        assert!(ask("kill --from x.json").unwrap_err().contains("--from"));
    }
}
