//! What was asked of `cargo xtask chaos`.
//!
//! May not play or look at files.

use super::battery::{BATTERIES, Battery};

/// The flags, read.
#[derive(Default)]
pub(crate) struct AskedChaos {
    /// What is played, in the order of the table.
    pub(crate) batteries: Vec<&'static Battery>,
    /// The size that fits into every check.
    pub(crate) part: bool,
    /// Other rounds than the table says.
    pub(crate) rounds: Option<u32>,
    /// One JSON document instead of the table.
    pub(crate) json: bool,
    /// The page is written.
    pub(crate) write: bool,
    /// The profile of the programs that are attacked: `debug`, or another that cargo knows.
    pub(crate) release: bool,
}

impl AskedChaos {
    /// Reads the flags.
    pub(crate) fn read(flags: &[String]) -> Result<Self, String> {
        let mut asked = Self::default();
        let (mut named, mut rest) = (Vec::new(), flags.iter());
        while let Some(flag) = rest.next() {
            match flag.as_str() {
                "--part" => asked.part = true,
                "--json" => asked.json = true,
                "--write" => asked.write = true,
                "--release" => asked.release = true,
                "--rounds" => asked.rounds = Some(number(rest.next())?),
                name if BATTERIES.iter().any(|battery| battery.name == name) => named.push(name),
                other => return Err(unknown(other)),
            }
        }
        if asked.write && (asked.part || asked.rounds.is_some() || !named.is_empty()) {
            return Err(
                "`--write` is about a whole run: it takes no battery, `--part` or `--rounds`".to_owned()
            );
        }
        let wanted = |battery: &&Battery| named.is_empty() || named.contains(&battery.name);
        asked.batteries = BATTERIES.iter().filter(wanted).collect();
        Ok(asked)
    }

    /// How often a battery is played.
    pub(crate) fn rounds(&self, battery: &Battery) -> u32 {
        self.rounds.unwrap_or(if self.part { battery.part } else { battery.whole })
    }
}

fn number(word: Option<&String>) -> Result<u32, String> {
    let number = word.and_then(|word| word.parse().ok()).filter(|number| *number > 0);
    number.ok_or_else(|| "`--rounds` takes a whole number from 1".to_owned())
}

fn unknown(word: &str) -> String {
    let names: Vec<_> = BATTERIES.iter().map(|battery| battery.name).collect();
    format!("there is no battery `{word}`; there are: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: &str) -> Result<AskedChaos, String> {
        AskedChaos::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn what_is_named_is_played_and_nothing_else() {
        let asked = ask("spool kills --part").unwrap();
        let names: Vec<_> = asked.batteries.iter().map(|battery| battery.name).collect();
        assert_eq!(names, ["kills", "spool"]);
        assert_eq!(asked.rounds(asked.batteries[0]), asked.batteries[0].part);
        assert_eq!(ask("").unwrap().batteries.len(), BATTERIES.len());
        assert!(ask("storms").err().unwrap().contains("`storms`"));
    }

    #[test]
    fn rounds_are_a_number_from_one() {
        let asked = ask("kills --rounds 7").unwrap();
        assert_eq!(asked.rounds(asked.batteries[0]), 7);
        assert!(ask("--rounds 0").is_err() && ask("--rounds").is_err());
    }

    #[test]
    fn a_page_is_never_written_about_a_part() {
        assert!(ask("--write").is_ok());
        assert!(
            ["--write --part", "--write kills", "--write --rounds 2"].iter().all(|line| ask(line).is_err())
        );
    }
}
