//! What was asked of `cargo xtask dist`.

use super::channel::{CHANNELS, Channel};
use super::elf::GlibcVersion;
use super::target::DistTarget;
use std::path::PathBuf;

/// The oldest glibc that a binary for it has to start with, unless another is asked for.
pub(crate) const FLOOR: GlibcVersion = GlibcVersion(2, 17);

/// The flags of one run.
#[derive(Debug)]
pub(crate) struct DistFlags {
    /// What to build or wrap for, if not for this machine.
    pub(crate) target: Option<&'static DistTarget>,
    /// A binary that is there already.
    pub(crate) from: Option<PathBuf>,
    /// Only these channels.
    pub(crate) only: Vec<&'static Channel>,
    /// Where the packages go.
    pub(crate) out: PathBuf,
    /// The highest version of glibc that the binary may need.
    pub(crate) floor: GlibcVersion,
    /// Build everything from a debug binary, and use it.
    pub(crate) trial: bool,
}

impl DistFlags {
    /// Reads the words after the verb.
    pub(crate) fn read(words: &[String]) -> Result<Self, String> {
        let mut flags = Self {
            target: None,
            from: None,
            only: Vec::new(),
            out: "target/packages".into(),
            floor: FLOOR,
            trial: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().map(String::as_str).ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--target" => flags.target = Some(DistTarget::find(value()?)?),
                "--from" => flags.from = Some(value()?.into()),
                "--only" => flags.only.push(channel(value()?)?),
                "--out" => flags.out = value()?.into(),
                "--floor" => flags.floor = floor(value()?)?,
                "--try" => flags.trial = true,
                other => return Err(format!("`dist` has no flag `{other}`")),
            }
        }
        Ok(flags)
    }

    /// The channels to make.
    pub(crate) fn channels(&self) -> Vec<&'static Channel> {
        let wanted =
            |channel: &&Channel| self.only.is_empty() || self.only.iter().any(|it| it.name == channel.name);
        CHANNELS.iter().filter(wanted).collect()
    }
}

fn channel(name: &str) -> Result<&'static Channel, String> {
    CHANNELS.iter().find(|channel| channel.name == name).ok_or_else(|| {
        let names: Vec<_> = CHANNELS.iter().map(|channel| channel.name).collect();
        format!("there is no channel `{name}`; there are {}", names.join(", "))
    })
}

fn floor(text: &str) -> Result<GlibcVersion, String> {
    GlibcVersion::read(text).ok_or_else(|| format!("`--floor {text}` is no version of glibc, such as 2.17"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<DistFlags, String> {
        DistFlags::read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn flags_are_read() {
        let flags = read("--target aarch64-apple-darwin --only npm --only deb --floor 2.36 --out o").unwrap();
        assert_eq!(flags.channels().iter().map(|it| it.name).collect::<Vec<_>>(), ["npm", "deb"]);
        assert_eq!((flags.floor, flags.out), (GlibcVersion(2, 36), "o".into()));
        assert_eq!(read("").unwrap().channels().len(), CHANNELS.len());
    }

    #[test]
    fn what_is_unknown_is_named() {
        for (line, named) in
            [("--only rpm", "`rpm`"), ("--floor new", "new"), ("--from", "--from"), ("--quick", "--quick")]
        {
            assert!(read(line).unwrap_err().contains(named), "{line}");
        }
    }
}
