//! The verbs, one file each. A verb lowers what was typed, calls the engine, and renders what came of it.

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
mod log;
mod man;
mod mcp;
mod policy;
mod resolve;
mod run;
mod sessions;

use crate::args::{Cli, ConfigVerb, Verb};
use crate::output::{Failure, Format};
use runward::host::Interrupt;

/// What a verb comes to: the code to exit with, or a failure to tell.
type Done = Result<i32, Failure>;

/// What to exit with when told to end: 128 and the number of the signal that means the same.
fn code_of(interrupt: Interrupt) -> i32 {
    match interrupt {
        Interrupt::HungUp => 129,
        Interrupt::Interrupted => 130,
        Interrupt::Terminated => 143,
    }
}

/// Does what was typed and gives the exit code.
pub(crate) fn run(cli: &Cli) -> i32 {
    let file = cli.config.as_deref();
    let (done, format) = match &cli.verb {
        Verb::Exec(args) => (exec::run(args, file), Format::of(&args.format)),
        Verb::Code(args) => (code::run(args, file), Format::of(&args.format)),
        // How it is told can stand among the words for the file, so it tells by itself.
        Verb::Run(args) => (Ok(run::run(args, file)), Format::Plain),
        Verb::Flows(args) => (flows::run(args, file), Format::of(&args.format)),
        Verb::Explain(args) => (explain::run(args, file), args.format()),
        Verb::Resolve(args) => (resolve::run(args, file), Format::of(&args.format)),
        Verb::Doctor(args) => (doctor::run(args, file), Format::of(args)),
        Verb::Mcp(args) => (mcp::run(args, file), Format::Plain),
        Verb::Gateway(args) => (gateway::run(args), args.format()),
        Verb::Config(args) => {
            let ConfigVerb::Show { format, .. } = &args.verb;
            (config::run(&args.verb, file), Format::of(format))
        }
        Verb::Policy(args) => (policy::run(&args.verb, file), Format::of(args.verb.format())),
        Verb::Log(args) => (log::run(args, file), Format::of(&args.format)),
        Verb::Replay(args) => (log::replay::run(args, file), Format::of(&args.format)),
        Verb::Ps(args) => (sessions::ps(args), Format::of(&args.format)),
        Verb::Logs(args) => (sessions::logs(args), Format::Plain),
        Verb::Attach(args) => (sessions::attach(args), Format::Plain),
        Verb::Wait(args) => (sessions::wait(args), Format::Plain),
        Verb::Kill(args) => (sessions::kill(args), Format::of(&args.format)),
        Verb::Approvals(args) => (approvals::list(args), Format::of(&args.format)),
        Verb::Approve(args) => (approvals::approve(args), Format::Plain),
        Verb::Decline(args) => (approvals::decline(args), Format::Plain),
        Verb::Completions { shell } => (completions::run(*shell), Format::Plain),
        Verb::Man { folder } => (man::run(folder), Format::Plain),
        Verb::HelpMarkdown => (help_markdown::run(), Format::Plain),
    };
    done.unwrap_or_else(|failure| failure.tell(format))
}
