//! Versions of runtimes: parsed from the names of folders, put in order, compared with a wish.
//!
//! May not know which runtime a version is of.

use std::cmp::Ordering;
use std::fmt;

/// A whole version, such as `22.1.0` or `3.14.0rc1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    numbers: [u64; 3],
    /// What follows the numbers: a prerelease or a variant, never the ordinary build.
    rest: String,
}

/// A version as asked for: one, two or three numbers, and perhaps what follows them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct WantedVersion {
    numbers: Vec<u64>,
    rest: String,
}

impl Version {
    /// Reads a whole version. `22` and `latest` are names that point to versions, not versions.
    pub(super) fn read(text: &str) -> Option<Self> {
        let WantedVersion { numbers, rest } = WantedVersion::read(text)?;
        Some(Self { numbers: numbers.try_into().ok()?, rest })
    }
}

impl WantedVersion {
    /// Reads a wish.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut left = text.trim().strip_prefix('v').unwrap_or(text.trim());
        let mut numbers = Vec::new();
        loop {
            let end = left.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(left.len());
            numbers.push(left[..end].parse().ok()?);
            left = &left[end..];
            match left.strip_prefix('.') {
                Some(more) if numbers.len() < 3 => left = more,
                _ => break,
            }
        }
        // A version becomes part of a file's name, so it may hold nothing that leads elsewhere.
        let plain = left.chars().all(|letter| letter.is_ascii_alphanumeric() || "-+._".contains(letter));
        let allowed = left.is_empty() || (plain && numbers.len() == 3);
        allowed.then(|| Self { numbers, rest: left.trim_start_matches('-').to_owned() })
    }

    /// Whether a version is one of those asked for. A wish for a whole version means that very build.
    pub(super) fn is_met_by(&self, version: &Version) -> bool {
        version.numbers.starts_with(&self.numbers) && (self.numbers.len() < 3 || self.rest == version.rest)
    }
}

impl Ord for Version {
    /// Every release is above every prerelease: nobody who installs a preview to look at it wants it chosen.
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |version: &Self| (version.rest.is_empty(), version.numbers);
        let by_number = key(self).cmp(&key(other));
        by_number
            .then_with(|| pieces(&self.rest).cmp(&pieces(&other.rest)))
            .then_with(|| self.rest.cmp(&other.rest))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.numbers;
        write!(f, "{major}.{minor}.{patch}")?;
        match self.rest.chars().next() {
            Some('+') | None => f.write_str(&self.rest),
            Some(_) => write!(f, "-{}", self.rest),
        }
    }
}

/// Words and numbers in turn, so that `rc.10` is above `rc.2`.
fn pieces(text: &str) -> Vec<(&str, u64)> {
    let starts_word = |at: usize| {
        let before = text[..at].chars().next_back().is_none_or(|letter| letter.is_ascii_digit());
        before && text[at..].starts_with(|letter: char| !letter.is_ascii_digit())
    };
    let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).filter(|at| starts_word(*at)).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| word_and_number(&text[*start..end])).collect()
}

fn word_and_number(piece: &str) -> (&str, u64) {
    let word = piece.trim_end_matches(|letter: char| letter.is_ascii_digit());
    (word, piece[word.len()..].parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(text: &str) -> Version {
        Version::read(text).unwrap_or_else(|| panic!("{text} is a version"))
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        assert!(version("v20.10.0") > version("v20.9.0"));
        assert!(version("9.0.0") < version("10.0.0"));
    }

    #[test]
    fn prereleases_are_below_releases() {
        let falling = ["22.1.0", "22.0.0", "23.0.0-rc.10", "23.0.0-rc.2", "23.0.0-beta.3", "22.0.0-rc.1"];
        for pair in falling.windows(2) {
            assert!(version(pair[0]) > version(pair[1]), "{} above {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn only_whole_versions_are_versions() {
        for text in ["22", "22.1", "latest", "lts", "", "v", "3.13-dev", "22..1"] {
            assert_eq!(Version::read(text), None, "{text}");
        }
        assert_eq!(version("v22.1.0").to_string(), "22.1.0");
        assert_eq!(version("3.14.0rc1").to_string(), "3.14.0-rc1");
    }

    #[test]
    fn a_wish_is_met_number_by_number() {
        for (wish, found, met) in [
            ("22", "22.1.0", true),
            ("v22", "v22.1.0", true),
            ("2", "22.1.0", false),
            ("3.1", "3.12.1", false),
            ("3.12", "3.12.1", true),
            ("3.12.1", "3.12.1", true),
            ("3.12.1", "3.12.10", false),
            ("3.14.0", "3.14.0rc1", false),
            ("3.14.0rc1", "3.14.0rc1", true),
        ] {
            let wanted = WantedVersion::read(wish).unwrap_or_else(|| panic!("{wish} is a wish"));
            assert_eq!(wanted.is_met_by(&version(found)), met, "{wish} and {found}");
        }
        for wish in ["", "newest", "22.x", "../22", "3.12.1/../../evil", r"3.12.1\evil"] {
            assert_eq!(WantedVersion::read(wish), None, "{wish}");
        }
    }
}
