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
mod help;
mod help_markdown;
mod hook;
mod init;
mod log;
mod man;
mod mcp;
mod policy;
mod resolve;
mod run;
mod sessions;

use crate::args::{Cli, Verb};
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

/// Shows where to begin, and gives the exit code.
pub(crate) fn start() -> i32 {
    help::start().unwrap_or_else(|failure| failure.tell(OutputFormat::Plain))
}

/// Runs the verb and gives the exit code.
pub(crate) fn run(cli: &Cli) -> i32 {
    let file = cli.everywhere.config.as_deref();
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
        Verb::Init(args) => (init::run(args, file), OutputFormat::of(&args.format)),
        Verb::Gateway(args) => (gateway::run(args), args.format()),
        Verb::Hook(args) => (hook::run(args, file), OutputFormat::Plain),
        Verb::Config(args) => {
            (config::run(args, file), args.format().map_or(OutputFormat::Plain, OutputFormat::of))
        }
        Verb::Policy(args) => (policy::run(args, file), OutputFormat::of(args.format())),
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
        Verb::Help { verb } => (help::run(verb), OutputFormat::Plain),
        Verb::Version => (help::version(), OutputFormat::Plain),
        Verb::HelpMarkdown => (help_markdown::run(), OutputFormat::Plain),
    };
    done.unwrap_or_else(|failure| failure.tell(format))
}
