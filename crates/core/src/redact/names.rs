//! Names behind which a secret stands: of variables, options, fields. May not know values.

/// Parts of a name that say so wherever they stand in it.
const WITHIN: &[&str] =
    &["password", "passwd", "passphrase", "secret", "credential", "apikey", "privatekey", "accesskey"];

/// Words of a name that say so by themselves.
const WORDS: &[&str] = &["token", "pass", "pat", "jwt", "auth", "authorization", "bearer"];

/// Names of the usual environment and of usual options that would be taken for one.
const HARMLESS: &[&str] = &["SSH_AUTH_SOCK", "XAUTHORITY", "GPG_TTY"];

/// Whether a variable, an option or a field of this name holds a secret, by the look of it.
///
/// ```
/// use runward_core::redact::looks_secret;
/// assert!(looks_secret("GITHUB_TOKEN") && looks_secret("--db-password") && looks_secret("apiKey"));
/// assert!(!looks_secret("PATH") && !looks_secret("--max-tokens") && !looks_secret("SSH_AUTH_SOCK"));
/// ```
pub fn looks_secret(name: &str) -> bool {
    // Most names do not have the letters of any of those words.
    let letters = letters(name.as_bytes());
    if !LETTERS.iter().any(|word| letters & word == *word) {
        return false;
    }
    if HARMLESS.contains(&name) || name.len() > LONGEST {
        return false;
    }
    if says_so_within(name) {
        return true;
    }
    let is_variable = !name.is_empty() && !name.contains(|c: char| c.is_ascii_lowercase() || c == '-');
    let (mut count, mut last) = (0, "");
    for word in words(name) {
        if WORDS.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            return true;
        }
        (count, last) = (count + 1, word);
    }
    // `STRIPE_KEY` is one; `--key` is how `sort` is told a column.
    is_variable && count > 1 && last.eq_ignore_ascii_case(KEY)
}

/// One bit for each letter that stands in a name, small or capital.
const fn letters(name: &[u8]) -> u32 {
    let (mut letters, mut index) = (0, 0);
    while index < name.len() {
        if name[index].is_ascii_alphabetic() {
            letters |= 1 << (name[index] & 0x1f);
        }
        index += 1;
    }
    letters
}

/// The last word of a variable that says so.
const KEY: &str = "key";

/// The letters of every word that says so.
static LETTERS: [u32; WITHIN.len() + WORDS.len() + 1] = {
    let mut all = [letters(KEY.as_bytes()); WITHIN.len() + WORDS.len() + 1];
    let mut index = 0;
    while index < WITHIN.len() {
        all[index] = letters(WITHIN[index].as_bytes());
        index += 1;
    }
    while index < WITHIN.len() + WORDS.len() {
        all[index] = letters(WORDS[index - WITHIN.len()].as_bytes());
        index += 1;
    }
    all
};

/// Longer names are none.
const LONGEST: usize = 200;

/// Whether its letters and digits, without all others and in small, hold one of those parts.
fn says_so_within(name: &str) -> bool {
    let (mut joined, mut length) = ([0; LONGEST], 0);
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        joined[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    let joined = &joined[..length];
    let begins = |at: usize| {
        matches!(joined[at], b'p' | b's' | b'c' | b'a')
            && WITHIN.iter().any(|part| joined[at..].starts_with(part.as_bytes()))
    };
    (0..length).any(begins)
}

/// The words of a name, in whichever way they are joined: `DB_PASS`, `db-pass`, `dbPass`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).flat_map(humps).filter(|word| !word.is_empty())
}

/// The parts of a word that begin with a capital behind a small letter.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let is_hump = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
        let end = rest.as_bytes().windows(2).position(is_hump).map_or(rest.len(), |at| at + 1);
        let (hump, behind) = rest.split_at(end);
        rest = behind;
        (!hump.is_empty()).then_some(hump)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_known_in_every_spelling() {
        for name in [
            "GITHUB_TOKEN",
            "AWS_SECRET_ACCESS_KEY",
            "DB_PASS",
            "PGPASSWORD",
            "STRIPE_KEY",
            "npm_config__auth",
            "--password",
            "--api-key",
            "accessToken",
            "client_secret",
            "Authorization",
        ] {
            assert!(looks_secret(name), "{name}");
        }
    }

    #[test]
    fn names_are_made_of_words() {
        for (name, parts) in [
            ("DB_PASS", vec!["DB", "PASS"]),
            ("dbPassOf", vec!["db", "Pass", "Of"]),
            ("--éa.b", vec!["a", "b"]),
            ("", vec![]),
        ] {
            assert_eq!(words(name).collect::<Vec<_>>(), parts, "{name}");
        }
        for part in WITHIN {
            assert!(looks_secret(&format!("my_{part}2")), "{part} begins with a letter that is looked for");
        }
    }

    #[test]
    fn usual_names_are_left_alone() {
        for name in [
            "PATH",
            "HOME",
            "PWD",
            "OLDPWD",
            "KEY",
            "--key",
            "--max-tokens",
            "MAX_TOKENS",
            "AUTHOR",
            "--author",
            "COMPASS",
            "BYPASS_CACHE",
            "keyboard",
            "XAUTHORITY",
            "-p",
            "",
        ] {
            assert!(!looks_secret(name), "{name}");
        }
    }
}
