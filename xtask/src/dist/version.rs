//! One version in the spellings of the channels, which disagree about what comes before a release.

/// As Python writes it (PEP 440).
pub(crate) fn python(version: &str) -> Result<String, String> {
    let Some((number, before)) = version.split_once('-') else { return Ok(version.to_owned()) };
    let short = [("alpha.", "a"), ("beta.", "b"), ("rc.", "rc")];
    let found = short.iter().find_map(|(long, short)| {
        let rest = before.strip_prefix(long)?;
        rest.parse::<u32>().ok().map(|count| format!("{number}{short}{count}"))
    });
    found.ok_or_else(|| format!("`{version}` cannot be said to Python; write -alpha.N, -beta.N or -rc.N"))
}

/// As Debian writes it: what comes before a release sorts before it. The last number is that of the packaging.
pub(crate) fn debian(version: &str) -> String {
    format!("{}-1", version.replacen('-', "~", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_before_a_release_is_spelled_as_each_wants() {
        assert_eq!(python("0.1.0").unwrap(), "0.1.0");
        assert_eq!(python("0.2.0-rc.1").unwrap(), "0.2.0rc1");
        assert!(python("0.2.0-soon").unwrap_err().contains("0.2.0-soon"));
        assert_eq!(debian("0.2.0-rc.1"), "0.2.0~rc.1-1");
    }
}
