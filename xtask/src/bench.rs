//! `cargo xtask bench`: how much the road and its doors cost, as ratios to the least that could be done.
//!
//! May not be a test: machines differ, ratios within one run much less. The measuring itself is in
//! `crates/engine/benches/road` and `crates/mcp/benches/door`.

use crate::Done;
use crate::process::Tool;
use crate::root::Root;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str =
    "measure ratios [spawn|capture|kill|policy|journal|mcp|sessions|flow|gateway] [--json] [--rounds N]";

/// A bench: its crate, its name, what it measures.
const BENCHES: &[(&str, &str, &[&str])] = &[
    ("runward", "road", &["spawn", "capture", "kill", "policy", "journal"]),
    ("runward-mcp", "door", &["mcp", "sessions", "flow", "gateway"]),
];

/// `cargo xtask bench`.
pub(crate) fn run(root: &Root, flags: &[String]) -> Done {
    let all = chosen(flags)?;
    Tool::new("cargo build --quiet --release --package runward-cli --package testkit --bins --locked")
        .args(["--features", "testkit/rmcp"])
        .run(root)?;
    // A missed target is told at the end, so that one does not hide the others.
    let done: Vec<Done> = all
        .iter()
        .map(|(package, bench, flags)| {
            let line = format!("cargo bench --quiet --package {package} --bench {bench} --locked --");
            Tool::new(&line).args(flags).run(root)
        })
        .collect();
    done.into_iter().collect()
}

/// A bench, and what is passed on to it.
type Chosen<'a> = (&'a str, &'a str, Vec<&'a str>);

/// Which benches measure the sections that were asked for.
fn chosen(flags: &[String]) -> Result<Vec<Chosen<'_>>, String> {
    let is_section = |word: &str| BENCHES.iter().any(|(_, _, sections)| sections.contains(&word));
    let asked: Vec<&str> = flags.iter().map(String::as_str).filter(|word| is_section(word)).collect();
    let others: Vec<&str> = flags.iter().map(String::as_str).filter(|word| !is_section(word)).collect();
    if let Some(word) = others.iter().find(|word| !word.starts_with("--") && word.parse::<u32>().is_err()) {
        return Err(format!("there is nothing to measure named `{word}`"));
    }
    let mut all = Vec::new();
    for (package, bench, sections) in BENCHES {
        let mut flags: Vec<&str> = asked.iter().copied().filter(|word| sections.contains(word)).collect();
        if asked.is_empty() || !flags.is_empty() {
            flags.extend(&others);
            all.push((*package, *bench, flags));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(line: &str) -> Vec<String> {
        let flags: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        chosen(&flags)
            .unwrap()
            .into_iter()
            .map(|(_, bench, flags)| format!("{bench} {}", flags.join(" ")))
            .collect()
    }

    #[test]
    fn a_section_is_measured_where_it_belongs() {
        assert_eq!(named("kill mcp --rounds 2"), ["road kill --rounds 2", "door mcp --rounds 2"]);
        assert_eq!(named("sessions --json"), ["door sessions --json"]);
    }

    #[test]
    fn without_a_section_everything_is_measured() {
        assert_eq!(named("--json"), ["road --json", "door --json"]);
        assert!(chosen(&["speed".to_owned()]).unwrap_err().contains("`speed`"));
    }
}
