//! Names under which agents are published: short where that is enough, never two alike. May not look at files.

use std::collections::BTreeSet;

/// The most characters that a tool's name may have.
const LONGEST: usize = 64;

/// An agent's short name, and the one with its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    short: String,
    long: String,
}

impl Names {
    /// The names of a file for this command: its own without `.md`, without the command and without what says how it
    /// is run.
    pub(super) fn of(file_name: &str, command: &str) -> Self {
        let stem = file_name.get(..file_name.len().saturating_sub(3)).unwrap_or(file_name);
        let mut parts = stem.split('.');
        let first = parts.next().unwrap_or_default();
        let mut rest: Vec<&str> = parts.filter(|part| *part != "i").collect();
        // The last part names a command, whichever command is chosen in the end.
        rest.pop();
        let short = [&[first], &rest[..]].concat().join(".");
        Self { long: format!("{short}.{command}"), short }
    }

    /// The same within what a tool may be called.
    fn as_tool(&self) -> Self {
        Self { short: plain(&self.short), long: plain(&self.long) }
    }
}

/// A name for each, as a prompt.
pub(super) fn prompts(all: &[Names]) -> Vec<String> {
    settle(all, &[], |name, number| format!("{name}.{number}"))
}

/// A name for each, as a tool. These are taken by others.
pub(super) fn tools(all: &[Names], reserved: &[&str]) -> Vec<String> {
    let all: Vec<Names> = all.iter().map(Names::as_tool).collect();
    settle(&all, reserved, |name, number| {
        let end = format!("_{number}");
        let kept: String = name.chars().take(LONGEST - end.len()).collect();
        kept + &end
    })
}

/// Letters, digits, `_` and `-`, and not too many of them.
fn plain(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
    let all: String = name.chars().take(LONGEST).map(letter).collect();
    if all.is_empty() { "_".to_owned() } else { all }
}

/// The short name where it is nobody else's; then the long one; then the long one with a number. Nobody keeps a short
/// name that another wants as well: a file that comes later must not become what an earlier one was.
fn settle(all: &[Names], reserved: &[&str], number: impl Fn(&str, usize) -> String) -> Vec<String> {
    let wanted = |name: &str| all.iter().filter(|names| names.short == name).count();
    let is_free = |names: &Names| wanted(&names.short) == 1 && !reserved.contains(&names.short.as_str());
    let mut taken: BTreeSet<String> = reserved.iter().map(|name| (*name).to_owned()).collect();
    taken.extend(all.iter().filter(|names| is_free(names)).map(|names| names.short.clone()));
    let mut settled = Vec::new();
    for names in all {
        if is_free(names) {
            settled.push(names.short.clone());
            continue;
        }
        let numbered = (2..).map(|at| number(&names.long, at));
        let free = [names.long.clone()].into_iter().chain(numbered).find(|name| !taken.contains(name));
        let name = free.unwrap_or_default();
        taken.insert(name.clone());
        settled.push(name);
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[(&str, &str)]) -> Vec<Names> {
        files.iter().map(|(file, command)| Names::of(file, command)).collect()
    }

    #[test]
    fn a_name_is_the_files_own_without_its_command() {
        let all = names(&[
            ("review.claude.md", "claude"),
            ("a.b.codex.md", "codex"),
            ("talk.i.claude.md", "claude"),
            ("plan.md", "gemini"),
        ]);
        assert_eq!(prompts(&all), ["review", "a.b", "talk", "plan"]);
        assert_eq!(tools(&all, &[]), ["review", "a_b", "talk", "plan"]);
    }

    #[test]
    fn those_that_clash_get_their_command_and_then_a_number() {
        let all = names(&[("r.claude.md", "claude"), ("r.codex.md", "codex"), ("r.claude.md", "claude")]);
        assert_eq!(prompts(&all), ["r.claude", "r.codex", "r.claude.2"]);
        assert_eq!(tools(&all, &[]), ["r_claude", "r_codex", "r_claude_2"]);
    }

    #[test]
    fn a_tool_never_takes_the_name_of_another() {
        let all = names(&[("exec.sh.md", "sh"), ("ü.sh.md", "sh"), ("ö.sh.md", "sh")]);
        assert_eq!(prompts(&all), ["exec", "ü", "ö"]);
        assert_eq!(tools(&all, &["exec", "exec_sh"]), ["exec_sh_2", "__sh", "__sh_2"]);
    }

    #[test]
    fn a_tools_name_is_never_too_long() {
        let long = format!("{}.sh.md", "x".repeat(100));
        let all = names(&[(&long, "sh"), (&long, "sh")]);
        let tools = tools(&all, &[]);
        assert!(tools.iter().all(|name| name.len() <= 64) && tools[0] != tools[1], "{tools:?}");
    }
}
