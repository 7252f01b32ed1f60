//! Shell quoting: which shell starts a command on which system, and how tokens reach it unchanged.
//!
//! All of it is data and text, so that every system's rules are tested on every other. May not decide whether a shell
//! is there.

use runward_core::facts::System;
use runward_core::spec::{Program, ShellChoice};

/// The words that a shell reads as its own where a command begins.
const KEYWORDS: &[&str] = &[
    "case",
    "coproc",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "fi",
    "for",
    "foreach",
    "function",
    "if",
    "in",
    "nocorrect",
    "repeat",
    "select",
    "then",
    "time",
    "until",
    "while",
];

/// The tokens as a script for the system's usual shell.
pub(super) fn through_shell(command: &[String], system: System) -> Program {
    let named = |name: &str, before: &[&str]| ShellChoice::Named {
        name: name.into(),
        before: before.iter().map(Into::into).collect(),
    };
    let (script, shell) = match system {
        System::Windows => (powershell(command), named("pwsh.exe", &["-NoLogo", "-NoProfile", "-Command"])),
        System::MacOs => (posix(command), named("zsh", &["-lc"])),
        System::Linux | System::Other => (posix(command), ShellChoice::Host),
    };
    Program::Shell { script: script.into(), shell }
}

/// A script of one simple command: exactly these words, for every shell that reads quotes as the standard says.
fn posix(command: &[String]) -> String {
    let word = |(index, token): (usize, &String)| {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "%+,-./:@_=".contains(letter);
        let special = if index == 0 {
            token.contains('=') || KEYWORDS.contains(&token.as_str())
        } else {
            token.starts_with('=')
        };
        if !token.is_empty() && !special && token.chars().all(plain) {
            return token.clone();
        }
        posix_quoted(token)
    };
    command.iter().enumerate().map(word).collect::<Vec<_>>().join(" ")
}

/// Adjacent quotes mean something else to some shells; each `'` stands alone between them.
fn posix_quoted(token: &str) -> String {
    if token.is_empty() {
        return "''".to_owned();
    }
    let pieces =
        token.split('\'').map(|piece| if piece.is_empty() { String::new() } else { format!("'{piece}'") });
    pieces.collect::<Vec<_>>().join("\\'")
}

/// A script of one command for PowerShell: `&` calls what follows, whatever it looks like.
fn powershell(command: &[String]) -> String {
    let plain = |token: &str| {
        !token.is_empty()
            && token.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
    };
    // PowerShell takes curly quotes for straight ones.
    let doubled = |letter: char| if matches!(letter, '\'' | '\u{2018}'..='\u{201b}') { 2 } else { 1 };
    let quoted = |token: &str| {
        let inside: String =
            token.chars().flat_map(|letter| std::iter::repeat_n(letter, doubled(letter))).collect();
        format!("'{inside}'")
    };
    let word = |token: &String| if plain(token) { token.clone() } else { quoted(token) };
    let words = command.iter().map(word).collect::<Vec<_>>().join(" ");
    if command.first().is_some_and(|name| plain(name) && name.starts_with(|c: char| c.is_ascii_alphabetic()))
    {
        words
    } else {
        format!("& {words}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(tokens: &[&str], system: System) -> (String, Option<Vec<String>>) {
        let command: Vec<String> = tokens.iter().map(ToString::to_string).collect();
        let Program::Shell { script, shell } = through_shell(&command, system) else { panic!("no shell") };
        let shell = match shell {
            ShellChoice::Host => None,
            ShellChoice::Named { name, before } => {
                Some([name].into_iter().chain(before).map(|word| word.into_string().unwrap()).collect())
            }
        };
        (script.into_string().unwrap(), shell)
    }

    #[test]
    fn every_system_has_its_shell() {
        let shell = |system| script(&["echo", "hello"], system);
        assert_eq!(shell(System::Linux), ("echo hello".to_owned(), None));
        let zsh = ["zsh", "-lc"].map(str::to_owned).to_vec();
        assert_eq!(shell(System::MacOs), ("echo hello".to_owned(), Some(zsh)));
        let pwsh = ["pwsh.exe", "-NoLogo", "-NoProfile", "-Command"].map(str::to_owned).to_vec();
        assert_eq!(shell(System::Windows), ("echo hello".to_owned(), Some(pwsh)));
    }

    #[test]
    fn tokens_are_quoted_where_a_shell_would_read_more_into_them() {
        let posix = |tokens: &[&str]| script(tokens, System::Linux).0;
        assert_eq!(posix(&["git", "log", "--format=%h"]), "git log --format=%h");
        assert_eq!(
            posix(&["echo", "a b", "it's", "''", "", "$x", "~", "=ls"]),
            r"echo 'a b' 'it'\''s' \'\' '' '$x' '~' '=ls'"
        );
        assert_eq!(posix(&["A=b", "A=b"]), "'A=b' A=b");
        assert_eq!(posix(&["time", "time"]), "'time' time");
    }

    #[test]
    fn powershell_doubles_every_kind_of_quote() {
        let windows = |tokens: &[&str]| script(tokens, System::Windows).0;
        assert_eq!(windows(&["git", "a b", "it's", "$x", "-a:b"]), "git 'a b' 'it''s' '$x' '-a:b'");
        assert_eq!(windows(&["my tool", "\u{2019}"]), "& 'my tool' '\u{2019}\u{2019}'");
    }
}
