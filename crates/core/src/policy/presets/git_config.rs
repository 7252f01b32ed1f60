//! What a repository's own settings would make git run, and the settings that stop it.
//!
//! Git offers no switch for filters, textconv and merge drivers: each has to be overridden by its name, so the
//! names are read from the configuration. What includes other files is opaque. May not read files itself.

use crate::policy::Opaque;

/// What git needs to be harmless in an untrusted repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitTerms {
    /// Settings that hold whatever the repository says.
    pub settings: Vec<(&'static str, &'static str)>,
    /// The command would run an external diff that the repository names.
    pub external_diff_would_run: bool,
    /// The command would run the program that the repository names for a remote.
    pub upload_pack_would_run: bool,
    /// The command would look into submodules, which have their own settings. Where this is so, the names of all
    /// submodules must be known: [`GitTerms::overrides`] wants `.gitmodules` of the work tree too.
    pub submodules_would_be_entered: bool,
}

impl GitTerms {
    /// The settings that disarm what this configuration defines.
    ///
    /// Ask for `config` of the repository's common folder, for `config.worktree` where there is one, and for
    /// `.gitmodules`. Where the work tree has no `.gitmodules`, git takes the one of its index: a repository with that
    /// file in its index must be refused then.
    pub fn overrides(&self, config: &str) -> Result<Vec<(String, String)>, Opaque> {
        let mut all: Vec<(String, String)> = Vec::new();
        for key in keys(config)? {
            for (name, value) in self.disarm(&key)? {
                if !all.iter().any(|(there, _)| *there == name) {
                    all.push((name, value.to_owned()));
                }
            }
        }
        Ok(all)
    }

    /// Git's settings and these overrides, which have the last word.
    pub fn config(&self, overrides: &[(String, String)]) -> Vec<(String, String)> {
        let settings = self.settings.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        settings.chain(overrides.iter().cloned()).collect()
    }

    /// The variables that give git these settings.
    pub fn env(config: &[(String, String)]) -> Vec<(String, String)> {
        let mut env: Vec<(String, String)> = Vec::new();
        for (count, (key, value)) in config.iter().enumerate() {
            env.push((format!("GIT_CONFIG_KEY_{count}"), key.clone()));
            env.push((format!("GIT_CONFIG_VALUE_{count}"), value.clone()));
        }
        env.push(("GIT_CONFIG_COUNT".to_owned(), config.len().to_string()));
        env
    }

    fn disarm(&self, key: &GitConfigKey) -> Result<Vec<(String, &'static str)>, Opaque> {
        let of = |name: &str, value| (format!("{}.{}.{name}", key.section, key.part), value);
        let full = || {
            if key.part.is_empty() { key.section.clone() } else { format!("{}.{}", key.section, key.part) }
        };
        Ok(match (key.section.as_str(), key.name.as_str()) {
            ("include" | "includeif", _) => {
                return Err(Opaque::because(format!(
                    "the repository's settings include others (`{}`)",
                    full()
                )));
            }
            ("core", "worktree") if self.submodules_would_be_entered => {
                return Err(Opaque::because(
                    "the repository's settings move its work tree (`core.worktree`)",
                ));
            }
            ("diff", "external" | "command") if self.external_diff_would_run => {
                let named = format!("{}.{}", full(), key.name);
                return Err(Opaque::because(format!(
                    "the repository names a program for differences (`{named}`); give `--no-ext-diff`"
                )));
            }
            // Git takes the first of two such settings: it cannot be overridden.
            ("remote", "uploadpack") if self.upload_pack_would_run => {
                return Err(Opaque::because(format!(
                    "the repository names a program for a remote (`{}`)",
                    full()
                )));
            }
            ("filter", _) => {
                vec![of("clean", ""), of("smudge", ""), of("process", ""), of("required", "false")]
            }
            ("diff", "textconv" | "cachetextconv") => {
                vec![of("textconv", "cat"), of("cachetextconv", "false")]
            }
            ("merge", "driver") => vec![of("driver", "false")],
            ("submodule", _) if !key.part.is_empty() => vec![of("ignore", "dirty")],
            ("hook", _) => vec![of("enabled", "false"), of("command", "true")],
            _ => Vec::new(),
        })
    }
}

/// One key that a configuration sets.
#[derive(Debug, PartialEq, Eq)]
struct GitConfigKey {
    section: String,
    /// The quoted part of the section's name.
    part: String,
    name: String,
}

/// Every key of a configuration.
fn keys(text: &str) -> Result<Vec<GitConfigKey>, Opaque> {
    let mut reader = GitConfigReader { rest: text.strip_prefix('\u{feff}').unwrap_or(text) };
    let mut all = Vec::new();
    let mut here: Option<(String, String)> = None;
    loop {
        reader.blank();
        match reader.rest.chars().next() {
            None => return Ok(all),
            Some('[') => here = Some(reader.section()?),
            Some(letter) if letter.is_ascii_alphabetic() => {
                let name = reader.name();
                reader.value()?;
                let (section, part) = here.clone().ok_or_else(not_understood)?;
                all.push(GitConfigKey { section, part, name });
            }
            Some(_) => return Err(not_understood()),
        }
    }
}

fn not_understood() -> Opaque {
    Opaque::because("the repository's settings are not understood")
}

struct GitConfigReader<'a> {
    rest: &'a str,
}

impl GitConfigReader<'_> {
    /// White space and comments.
    fn blank(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r', '\n']);
            if !self.rest.starts_with(['#', ';']) {
                return;
            }
            self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let (gone, rest) = self.rest.split_at(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        gone.to_owned()
    }

    fn name(&mut self) -> String {
        self.take(|c| c.is_ascii_alphanumeric() || c == '-').to_ascii_lowercase()
    }

    /// `[section]`, `[section.part]` or `[section "part"]`.
    fn section(&mut self) -> Result<(String, String), Opaque> {
        self.rest = &self.rest[1..];
        let name = self.take(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.').to_ascii_lowercase();
        let (section, dotted) = name.split_once('.').map_or((name.as_str(), ""), |both| both);
        let mut part = dotted.to_owned();
        if self.rest.starts_with([' ', '\t']) && dotted.is_empty() {
            self.take(|c| c == ' ' || c == '\t');
            part = self.quoted()?;
        }
        self.rest = self.rest.strip_prefix(']').ok_or_else(not_understood)?;
        Ok((section.to_owned(), part))
    }

    fn quoted(&mut self) -> Result<String, Opaque> {
        self.rest = self.rest.strip_prefix('"').ok_or_else(not_understood)?;
        let mut part = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(part);
                }
                '\n' => break,
                '\\' => part.extend(letters.next().map(|(_, next)| next).filter(|next| *next != '\n')),
                _ => part.push(letter),
            }
        }
        Err(not_understood())
    }

    /// To the end of a value: a backslash before a new line continues it, but not in a comment.
    fn value(&mut self) -> Result<(), Opaque> {
        self.take(|c| c == ' ' || c == '\t');
        if !self.rest.starts_with('=') {
            let ends = self.rest.is_empty() || self.rest.starts_with(['\n', '\r', '#', ';']);
            return if ends { Ok(()) } else { Err(not_understood()) };
        }
        let mut quoted = false;
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\n' if quoted => return Err(not_understood()),
                '\n' => {
                    self.rest = &self.rest[at..];
                    return Ok(());
                }
                '#' | ';' if !quoted => {
                    self.rest = &self.rest[at..];
                    return Ok(());
                }
                '"' => quoted = !quoted,
                // A carriage return before the new line belongs to it.
                '\\' if letters.next().is_some_and(|(_, next)| next == '\r') => {
                    letters.next();
                }
                _ => {}
            }
        }
        self.rest = "";
        if quoted { Err(not_understood()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(config: &str) -> Vec<(String, String)> {
        GitTerms::default().overrides(config).unwrap()
    }

    fn names(config: &str) -> Vec<String> {
        overrides(config).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn every_filter_is_emptied_by_its_name() {
        let found =
            names("[core]\n\tbare = false\n[filter \"a b\"] clean = x\n[FILTER.dot]\nprocess=y ; z\n");
        let wanted =
            |name: &str| ["clean", "smudge", "process", "required"].map(|key| format!("filter.{name}.{key}"));
        assert_eq!(found, [wanted("a b"), wanted("dot")].concat());
    }

    #[test]
    fn names_are_read_as_git_reads_them() {
        let text = "# [filter \"no\"]\n[a]\nb = \"x # \\\" [filter \\\"no\\\"]\\n\" ; c\nk = a \\\n[filter \"no\"]\n clean\n[diff \"q\\\"\\\\r\"]\ntextconv = t";
        assert_eq!(names(text), ["diff.q\"\\r.textconv", "diff.q\"\\r.cachetextconv"]);
    }

    #[test]
    fn what_includes_other_files_is_opaque() {
        for text in ["[include]\npath = x", "[includeIf \"gitdir:/x\"] path = y", "[INCLUDE] path=x"] {
            assert!(GitTerms::default().overrides(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_no_configuration_is_opaque() {
        for text in
            ["key = v", "[x\n", "[x \"y\n\"]", "[x]\n= 3", "[x]\na = \"b\n", "[x]\na b\n", "[x \"y\"z]"]
        {
            assert!(GitTerms::default().overrides(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_external_diff_is_opaque_only_where_it_would_run() {
        let diff = GitTerms { external_diff_would_run: true, ..GitTerms::default() };
        for text in ["[diff]\nexternal = x", "[diff \"d\"]\ncommand = x"] {
            assert!(diff.overrides(text).unwrap_err().because.contains("--no-ext-diff"), "{text}");
            assert_eq!(overrides(text), []);
        }
    }

    #[test]
    fn settings_and_overrides_become_variables() {
        let terms = GitTerms { settings: vec![("core.fsmonitor", "false")], ..GitTerms::default() };
        let env = GitTerms::env(&terms.config(&[("filter.x.clean".to_owned(), String::new())]));
        let wanted = [
            ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
            ("GIT_CONFIG_VALUE_0", "false"),
            ("GIT_CONFIG_KEY_1", "filter.x.clean"),
            ("GIT_CONFIG_VALUE_1", ""),
            ("GIT_CONFIG_COUNT", "2"),
        ];
        assert_eq!(env, wanted.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
}
