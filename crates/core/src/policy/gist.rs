//! A short name of a request, for lists and questions: `git push`, not the shell that reads it.
//!
//! A name for people. May not be judged by: rules look at every word.

use super::unit::{Scene, Unit};
use crate::render::{one_line, word};
use crate::spec::{Program, ShellChoice};
use std::path::Path;

/// Programs with a subcommand: their first word says what they do.
const VERBS: &[&str] = &[
    "apt",
    "apt-get",
    "bazel",
    "brew",
    "bun",
    "cargo",
    "conda",
    "deno",
    "dnf",
    "docker",
    "dotnet",
    "flatpak",
    "gh",
    "git",
    "glab",
    "go",
    "gradle",
    "gradlew",
    "helm",
    "hg",
    "jj",
    "just",
    "kubectl",
    "make",
    "mvn",
    "mvnw",
    "npm",
    "pip",
    "pip3",
    "pnpm",
    "podman",
    "poetry",
    "runward",
    "rustup",
    "snap",
    "svn",
    "systemctl",
    "terraform",
    "tofu",
    "uv",
    "yarn",
    "zypper",
];

/// Commands that are only named where there is no other.
const ASIDE: &[&str] = &["cd", "echo", "popd", "printf", "pushd", "pwd", "sleep", "test", "true"];

/// Characters of a name that are shown.
const LONGEST: usize = 40;

/// As many are named, at most.
pub const MOST_NAMED: usize = 8;

/// The commands that a request comes to, each once, by name and by what it is told to do; nothing where the request
/// cannot be understood. `shell` is who would read a text, where that is known.
pub fn gist(asked: &Program, shell: Option<&Path>) -> Vec<String> {
    let named = match asked {
        Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => Some(Path::new(name)),
        _ => None,
    };
    let Ok(scene) = Scene::of(asked, shell.or(named).unwrap_or(Path::new(""))) else { return Vec::new() };
    let starts_next =
        |at: usize, unit: &Unit| scene.units.get(at + 1).is_some_and(|next| next.via.len() > unit.via.len());
    let ends = scene.units.iter().enumerate().filter(|(at, unit)| !starts_next(*at, unit));
    let (mut named, mut aside): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (_, unit) in ends {
        let name = base(unit);
        let list = if ASIDE.contains(&name.as_str()) { &mut aside } else { &mut named };
        let label = match verb(&name, unit) {
            Some(verb) => format!("{name} {verb}"),
            None => name,
        };
        if !list.contains(&label) && list.len() < MOST_NAMED {
            list.push(label);
        }
    }
    if named.is_empty() { aside } else { named }
}

/// The words of every command that a request comes to, as far as they are known before it runs: a word that is not ends
/// its list. Nothing where the request cannot be understood.
pub fn commands_of(asked: &Program) -> Vec<Vec<String>> {
    let shell = match asked {
        Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => Path::new(name),
        _ => Path::new("bash"),
    };
    let Ok(scene) = Scene::of(asked, shell) else { return Vec::new() };
    let known = |unit: &Unit| unit.words.iter().map_while(|word| word.text().map(str::to_owned)).collect();
    scene.units.iter().map(known).collect()
}

/// A few of them in one line.
pub fn gist_line<S: AsRef<str>>(gist: &[S]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<&str> = gist.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let more = if gist.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

fn base(unit: &Unit) -> String {
    let name = word(unit.name());
    // A comma would look like the next one.
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default().replace(',', "_");
    match name.char_indices().nth(LONGEST) {
        None => one_line(&name),
        Some((end, _)) => one_line(&name[..end]) + "…",
    }
}

/// The word that says what a program does, where it stands right behind its name, or behind git's folder and settings.
fn verb(name: &str, unit: &Unit) -> Option<String> {
    if !VERBS.contains(&name) {
        return None;
    }
    let mut words = unit.words.iter().skip(1).map(|word| word.exact().and_then(|text| text.to_str()));
    let first = loop {
        match words.next()?? {
            "-C" | "-c" if name == "git" => drop(words.next()),
            "--no-pager" if name == "git" => {}
            word => break word,
        }
    };
    let is_verb = first.len() <= 24
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && first.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'));
    is_verb.then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::CommandSpec;

    fn text(script: &str) -> String {
        gist_line(&gist(&CommandSpec::shell(script).program, Some(Path::new("/usr/bin/bash"))))
    }

    #[test]
    fn a_text_is_named_after_what_it_runs() {
        for (script, said) in [
            ("git push", "git push"),
            ("git push origin main 2>&1 | tail -3", "git push, tail"),
            ("cd src && git -C x -c a=b push", "git push"),
            ("/usr/bin/git push; git push -f", "git push"),
            ("for f in a b; do rm -rf \"$f\"; done", "rm"),
            ("timeout 5 bash -c 'sudo git push && ls'", "git push, ls"),
            ("echo $(curl http://x) > /dev/null", "curl"),
            ("echo hi", "echo"),
            ("cd x; echo a; pwd", "cd, echo, pwd"),
            ("a; b; c; d; e", "a, b, c, …"),
            ("npm run build && cargo test", "npm run, cargo test"),
            ("git --version", "git"),
            ("git ./push", "git"),
            ("git \"$what\"", "git"),
            ("x=1", ""),
            ("", ""),
        ] {
            assert_eq!(text(script), said, "{script}");
        }
    }

    #[test]
    fn what_cannot_be_understood_has_no_name() {
        for script in ["eval \"$x\"", "$cmd push", "git push; eval x", "source f"] {
            assert_eq!(text(script), "", "{script}");
        }
        let unknown_shell = gist(&CommandSpec::shell("git push | cat").program, None);
        assert!(unknown_shell.is_empty(), "{unknown_shell:?}");
        assert_eq!(gist(&CommandSpec::shell("git push").program, None), ["git push"]);
    }

    #[test]
    fn a_name_can_neither_hide_nor_pretend() {
        assert_eq!(text("'a,b' x; $'c\\nd'"), "a_b, c\\nd");
        let long = text(&"x".repeat(5000));
        assert!(long.chars().count() <= LONGEST + 1, "{long}");
        let many: Vec<String> = (0..50).map(|number| format!("p{number}")).collect();
        let all = gist(&CommandSpec::shell(many.join(";")).program, Some(Path::new("bash")));
        assert_eq!(all.len(), MOST_NAMED);
    }

    #[test]
    fn programs_are_named_like_texts() {
        let exec =
            |words: &[&str]| gist(&CommandSpec::exec(words[0]).args(&words[1..]).program, None).join("; ");
        assert_eq!(exec(&["git", "push"]), "git push");
        assert_eq!(exec(&["bash", "-c", "git push | cat"]), "git push; cat");
        assert_eq!(exec(&["env", "A=1", "cargo", "test"]), "cargo test");
        assert_eq!(exec(&["bash", "x.sh"]), "bash");
    }
}
