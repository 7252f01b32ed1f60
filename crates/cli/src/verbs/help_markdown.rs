//! `runward help-markdown`: the reference page of the command line, from the same source as `--help`.

use super::VerbResult;
use crate::args::Cli;
use crate::output::print;
use clap::{Command, CommandFactory};
use std::fmt::Write;

pub(super) fn run() -> VerbResult {
    print(page().trim_end()).map(|()| 0)
}

fn page() -> String {
    let mut out = "# The command line\n\nGenerated from `runward --help`; do not edit.\n".to_owned();
    // A fixed width keeps the page the same on every terminal.
    let mut root = Cli::command().term_width(100);
    root.build();
    section(&mut out, &root, 2);
    out
}

fn section(out: &mut String, command: &Command, level: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.clone().render_long_help().to_string();
    // Writing to a string cannot fail.
    let _ = write!(out, "\n{} `{name}`\n\n```text\n{}\n```\n", "#".repeat(level), help.trim_end());
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        section(out, verb, level + 1);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_verb_has_a_section_with_examples() {
        let page = super::page();
        for verb in ["exec", "explain", "resolve", "doctor", "config show", "completions", "man"] {
            let section = page.split(&format!("`runward {verb}`\n")).nth(1).unwrap_or_default();
            assert!(section.split("\n#").next().unwrap_or_default().contains("Examples:"), "{verb}");
        }
        assert!(!page.contains("help-markdown"));
    }
}
