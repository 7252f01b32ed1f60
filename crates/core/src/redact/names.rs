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
    if HARMLESS.contains(&name) || name.len() > 200 {
        return false;
    }
    let joined: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if WITHIN.iter().any(|part| joined.contains(part)) {
        return true;
    }
    let words = words(name);
    let is_variable = !name.is_empty() && !name.contains(|c: char| c.is_ascii_lowercase() || c == '-');
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        // `STRIPE_KEY` is one; `--key` is how `sort` is told a column.
        || (is_variable && words.len() > 1 && words.last().is_some_and(|word| word == "key"))
}

/// The words of a name, in whichever way they are joined: `DB_PASS`, `db-pass`, `dbPass`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = !c.is_ascii_alphanumeric() || (c.is_ascii_uppercase() && before.is_ascii_lowercase());
        if begins {
            words.push(String::new());
        }
        if let (true, Some(last)) = (c.is_ascii_alphanumeric(), words.last_mut()) {
            last.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
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
