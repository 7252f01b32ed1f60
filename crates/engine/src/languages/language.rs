//! The languages, and the interpreter of each. May not look for an interpreter.

/// The kind of interpreter, which is more than a name: it decides what policy sees, and how long code is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LanguageReader {
    /// A shell: the code is a script, and is judged as one.
    Bash,
    /// Node.
    Node,
    /// Python.
    Python,
    /// One that the configuration names.
    Other,
}

/// One language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Language {
    /// Its name.
    pub name: String,
    /// Other names for it.
    pub aliases: Vec<String>,
    /// The interpreter: a name, or an absolute path.
    pub command: String,
    /// What comes before the code.
    pub args: Vec<String>,
    /// The kind of interpreter.
    pub reader: LanguageReader,
}

/// All languages that can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Languages(Vec<Language>);

impl Default for Languages {
    /// `bash`, `javascript` and `python`.
    fn default() -> Self {
        let one = |name: &str, aliases: &[&str], command: &str, arg: &str, reader| Language {
            name: name.to_owned(),
            aliases: aliases.iter().map(ToString::to_string).collect(),
            command: command.to_owned(),
            args: vec![arg.to_owned()],
            reader,
        };
        Self(vec![
            one("bash", &["sh"], "bash", "-c", LanguageReader::Bash),
            one("javascript", &["js", "node"], "node", "-e", LanguageReader::Node),
            one("python", &["py", "python3"], "python3", "-c", LanguageReader::Python),
        ])
    }
}

impl Languages {
    /// These languages and another, which takes the place of one of the same name.
    #[must_use]
    pub fn with(mut self, language: Language) -> Self {
        self.0.retain(|known| known.name != language.name);
        // What is configured comes first, so that its other names win over the built-in ones.
        self.0.insert(0, language);
        self
    }

    /// The language of that name, or of that other name.
    pub fn get(&self, name: &str) -> Option<&Language> {
        let by_name = self.0.iter().find(|language| language.name == name);
        by_name.or_else(|| self.0.iter().find(|language| language.aliases.iter().any(|alias| alias == name)))
    }

    /// All languages.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(languages: &Languages, name: &str) -> Option<String> {
        languages.get(name).map(|language| format!("{} {}", language.command, language.args.join(" ")))
    }

    #[test]
    fn languages_have_other_names() {
        let built_in = Languages::default();
        for (names, expected) in [
            (vec!["bash", "sh"], "bash -c"),
            (vec!["javascript", "js", "node"], "node -e"),
            (vec!["python", "py", "python3"], "python3 -c"),
        ] {
            for name in names {
                assert_eq!(command(&built_in, name).as_deref(), Some(expected), "{name}");
            }
        }
        assert_eq!(built_in.get("cobol"), None);
        assert_eq!(built_in.get("Python"), None);
    }

    #[test]
    fn a_configured_language_takes_the_place_of_another() {
        let perl = Language {
            name: "python".to_owned(),
            aliases: vec!["sh".to_owned()],
            command: "perl".to_owned(),
            args: vec!["-e".to_owned()],
            reader: LanguageReader::Other,
        };
        let languages = Languages::default().with(perl);
        assert_eq!(command(&languages, "python").as_deref(), Some("perl -e"));
        assert_eq!(command(&languages, "sh").as_deref(), Some("perl -e"));
        assert_eq!(command(&languages, "py"), None);
    }
}
