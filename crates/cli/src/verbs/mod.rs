//! The verbs, one file each. A verb lowers the arguments, calls the engine, and renders the result.

mod approvals;
mod code;
mod completions;
mod config;
mod doctor;
mod exec;
mod explain;
mod flows;
mod gateway;
mod help_markdown;
mod hook;
mod log;
mod man;
mod mcp;
mod policy;
mod resolve;
mod run;
mod sessions;

use crate::args::{Cli, ConfigVerb, Verb};
use crate::output::{OutputFormat, VerbFailure};
use runward::host::Interrupt;

/// The result of a verb: the exit code, or a failure to report.
type VerbResult = Result<i32, VerbFailure>;

/// The exit code when told to end: 128 and the number of the signal that means the same.
fn code_of(interrupt: Interrupt) -> i32 {
    match interrupt {
        Interrupt::HungUp => 129,
        Interrupt::Interrupted => 130,
        Interrupt::Terminated => 143,
    }
}

/// Runs the verb and gives the exit code.
pub(crate) fn run(cli: &Cli) -> i32 {
    let file = cli.config.as_deref();
    let (done, format) = match &cli.verb {
        Verb::Exec(args) => (exec::run(args, file), OutputFormat::of(&args.format)),
        Verb::Code(args) => (code::run(args, file), OutputFormat::of(&args.format)),
        // The output format can be given after the file, so this verb reports by itself.
        Verb::Run(args) => (Ok(run::run(args, file)), OutputFormat::Plain),
        Verb::Flows(args) => (flows::run(args, file), OutputFormat::of(&args.format)),
        Verb::Explain(args) => (explain::run(args, file), args.format()),
        Verb::Resolve(args) => (resolve::run(args, file), OutputFormat::of(&args.format)),
        Verb::Doctor(args) => (doctor::run(args, file), OutputFormat::of(args)),
        Verb::Mcp(args) => (mcp::run(args, file), OutputFormat::Plain),
        Verb::Gateway(args) => (gateway::run(args), args.format()),
        Verb::Hook(args) => (hook::run(args, file), OutputFormat::Plain),
        Verb::Config(args) => {
            let ConfigVerb::Show { format, .. } = &args.verb;
            (config::run(&args.verb, file), OutputFormat::of(format))
        }
        Verb::Policy(args) => (policy::run(&args.verb, file), OutputFormat::of(args.verb.format())),
        Verb::Log(args) => (log::run(args, file), OutputFormat::of(&args.format)),
        Verb::Replay(args) => (log::replay::run(args, file), OutputFormat::of(&args.format)),
        Verb::Ps(args) => (sessions::ps(args), OutputFormat::of(&args.format)),
        Verb::Logs(args) => (sessions::logs(args), OutputFormat::Plain),
        Verb::Attach(args) => (sessions::attach(args), OutputFormat::Plain),
        Verb::Wait(args) => (sessions::wait(args), OutputFormat::Plain),
        Verb::Kill(args) => (sessions::kill(args), OutputFormat::of(&args.format)),
        Verb::Approvals(args) => (approvals::list(args), OutputFormat::of(&args.format)),
        Verb::Approve(args) => (approvals::approve(args), OutputFormat::Plain),
        Verb::Decline(args) => (approvals::decline(args), OutputFormat::Plain),
        Verb::Completions { shell } => (completions::run(*shell), OutputFormat::Plain),
        Verb::Man { folder } => (man::run(folder), OutputFormat::Plain),
        Verb::HelpMarkdown => (help_markdown::run(), OutputFormat::Plain),
    };
    done.unwrap_or_else(|failure| failure.tell(format))
}
