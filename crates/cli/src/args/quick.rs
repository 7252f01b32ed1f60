//! Reads the command line. What is started for every call of a client (`exec`, `mcp`, `hook`) is read by a parser that
//! knows this verb alone: to make those of all thirty takes longer than everything else that is done before a command.
//!
//! May not have words of its own: whatever the short parser does not take, the whole one reads again, and its answer is told.

use super::{Cli, EverywhereArgs, ExecArgs, HookArgs, McpArgs};
use clap::{Args, Command, FromArgMatches, Parser};
use std::ffi::OsString;

/// What was typed.
pub(crate) fn read(typed: &[OsString]) -> Result<Cli, clap::Error> {
    quick(typed).map_or_else(|| Cli::try_parse_from(typed), Ok)
}

fn quick(typed: &[OsString]) -> Option<Cli> {
    let verb = match typed.get(1)?.to_str()? {
        "exec" => ExecArgs::augment_args(Command::new("exec")),
        "mcp" => McpArgs::augment_args(Command::new("mcp")),
        "hook" => HookArgs::augment_args(Command::new("hook")),
        _ => return None,
    };
    let command = EverywhereArgs::augment_args(Command::new("runward")).subcommand(verb);
    let matches = command.try_get_matches_from(typed).ok()?;
    Cli::from_arg_matches(&matches).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn what_the_short_parser_takes_the_whole_one_reads_alike() {
        for line in [
            "r exec -- cargo test --config x",
            "r exec --shell ls --config c.toml",
            "r exec --timeout 2m --memory 1GiB --env A=B --env C=D --json -- make -j4",
            "r exec --sandbox workspace-write --network off --quiet -- make",
            "r exec --preset readonly --stdin - -- sort",
            "r mcp",
            "r mcp --level build --profile all --flows a --flows b --config=c.toml",
            "r mcp --http 127.0.0.1:8080 --allow-remote",
            "r hook --client codex",
            "r hook --client claude-code --mode wrap",
            "r hook test --client codex ls",
            "r hook install --client gemini --remove --dry-run",
        ] {
            let typed = words(line);
            let whole = Cli::try_parse_from(&typed).unwrap();
            assert_eq!(format!("{:?}", quick(&typed)), format!("{:?}", Some(whole)), "{line}");
        }
    }

    #[test]
    fn what_the_whole_parser_refuses_the_short_one_does_not_take() {
        for line in [
            "r exec",
            "r exec ls",
            "r exec --help",
            "r exec --version",
            "r exec --quiet --verbose -- ls",
            "r exec --shell ls -- ls",
            "r exec --timeout soon -- ls",
            "r mcp --tools a --profile all",
            "r mcp --strict",
            "r mcp --level high",
            "r mcp help",
            "r hook",
            "r hook help",
            "r hook --client nobody",
            "r hook --mode wrap test --client codex",
        ] {
            let typed = words(line);
            assert!(Cli::try_parse_from(&typed).is_err(), "{line}");
            assert!(quick(&typed).is_none(), "{line}");
        }
    }

    #[test]
    fn other_verbs_are_left_to_the_whole_parser() {
        for line in ["r", "r --config x exec -- ls", "r run a.md", "r explain -- ls"] {
            assert!(quick(&words(line)).is_none(), "{line}");
        }
    }
}
