//! Git's global options, in front of its subcommand: which subcommand it is, and in which folder it works.
//!
//! Hazard: an option with its value in the next word, read as one without, makes another word the command. So what is
//! not known here is not read. May not judge what the options do.

use super::Word;

/// What stands in front of git's command.
pub(super) enum GitFront<'a> {
    /// No command: git prints a page about itself.
    Alone,
    /// The command stands there, and works where these words lead, one from the other.
    Command { at: usize, folders: Vec<&'a Word> },
    /// A word that is only known when it runs.
    Open,
    /// An option that decides what git runs or reads, or that is not known.
    Decides(&'a str),
}

/// Options without a value that change nothing about what git runs.
const FLAGS: &[&str] = &[
    "--glob-pathspecs",
    "--html-path",
    "--icase-pathspecs",
    "--info-path",
    "--literal-pathspecs",
    "--man-path",
    "--no-advice",
    "--no-lazy-fetch",
    "--no-optional-locks",
    "--no-pager",
    "--no-replace-objects",
    "--noglob-pathspecs",
    "--paginate",
    "-P",
    "-p",
];

/// Options that are commands by another name, and end the front.
const COMMANDS: &[&str] = &["--help", "--version", "-h", "-v"];

/// Reads the front; the first word is git itself.
pub(super) fn read(words: &[Word]) -> GitFront<'_> {
    let (mut at, mut folders) = (1, Vec::new());
    while let Some(word) = words.get(at) {
        let Some(text) = word.text() else { return GitFront::Open };
        if !text.starts_with('-') {
            return GitFront::Command { at, folders };
        }
        match text {
            "-C" => folders.extend(words.get(at + 1)),
            "--namespace" => {}
            _ if COMMANDS.contains(&text) => return GitFront::Alone,
            _ if FLAGS.contains(&text)
                || text.starts_with("--namespace=")
                || text.starts_with("--list-cmds=") =>
            {
                at += 1;
                continue;
            }
            _ => return GitFront::Decides(text),
        }
        at += 2;
    }
    GitFront::Alone
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word> {
        text.split(' ').map(Word::known).collect()
    }

    fn command(text: &str) -> Option<(usize, usize)> {
        match read(&words(text)) {
            GitFront::Command { at, folders } => Some((at, folders.len())),
            _ => None,
        }
    }

    #[test]
    fn the_command_is_the_word_that_git_takes_for_it() {
        assert_eq!(command("git status"), Some((1, 0)));
        assert_eq!(command("git -p --no-pager status"), Some((3, 0)));
        assert_eq!(command("git -C -p status"), Some((3, 1)));
        assert_eq!(command("git -C a --namespace log -C b status"), Some((7, 2)));
        assert_eq!(command("git --namespace=x log"), Some((2, 0)));
    }

    #[test]
    fn an_option_that_is_not_known_is_not_read() {
        for text in ["git --shallow-file log x", "git --new-option log", "git -Cx log", "git -c a=b log"] {
            assert!(matches!(read(&words(text)), GitFront::Decides(_)), "{text}");
        }
        assert!(matches!(read(&words("git --version")), GitFront::Alone));
        assert!(matches!(read(&words("git -C x")), GitFront::Alone));
    }
}
