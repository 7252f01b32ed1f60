//! Lowers the arguments to a spec. Looks at nothing: no file, no host.

use crate::args::{ExecArgs, LimitArgs};
use runward::core::spec::LimitsSpec;
use runward::{CommandSpec, StdinSpec, Wish};
use std::ffi::OsString;

/// The spec of the arguments.
pub(in crate::verbs) fn lower(args: &ExecArgs) -> CommandSpec {
    let command = &args.command;
    let mut spec = match (&command.shell, command.program.split_first()) {
        (Some(script), _) => CommandSpec::shell(script),
        (None, Some((program, arguments))) => CommandSpec::exec(program).args(arguments.iter().cloned()),
        // The parser rules this out; if it could be, the spec's own check would refuse it.
        (None, None) => CommandSpec::exec(OsString::new()),
    };
    spec.cwd.clone_from(&command.cwd);
    spec.limits = limits(&args.limits);
    if command.stdin.is_some() {
        spec.stdin = StdinSpec::Open;
    }
    command.env.iter().fold(spec, |spec, (name, value)| spec.env(name, value))
}

fn limits(args: &LimitArgs) -> LimitsSpec {
    LimitsSpec {
        wall: args.timeout.unwrap_or_default(),
        idle: args.idle_timeout.unwrap_or_default(),
        output: args.output_limit.unwrap_or_default(),
        memory: args.memory.unwrap_or_default(),
        cpu: args.cpu.unwrap_or_default(),
        processes: args.processes.unwrap_or_default(),
        open_files: args.open_files.unwrap_or_default(),
        file_size: args.file_size.unwrap_or_default(),
        keep: args.max_output.map_or(Wish::Default, Wish::At),
        spool: Wish::Default,
    }
}
