//! From nothing to an agent that works: an empty home folder, a package of a registry, `runward init --yes`, and the real
//! Claude Code, with a scripted model, runs `git status` and is refused `rm -rf ~`.
//!
//! Nothing but loopback is reached. It is measured; where others use the processors meanwhile, their part is left out.

use super::answer::{end_of, program, succeeds};
use super::{Trial, ensure, names, npm};
use crate::{ChoreResult, node};
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};
use testkit::agents::{AgentClient, AgentKind};
use testkit::model::ModelScript;

/// As long as it may take on two cores, with what npm and the client need to start.
const LIMIT: Duration = Duration::from_secs(15);

/// What a clock of Linux counts in.
const TICK: Duration = Duration::from_millis(10);

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let programs = trial.folder("first-hour")?;
    let claude = AgentKind::Claude.program().remove(0);
    succeeds(program("ln", &programs).arg("--symbolic").arg(claude).arg("claude"))?;
    let server = npm::registry(trial)?;
    let client = AgentClient::new(AgentKind::Claude);
    ensure(names(client.home())? == ["work"], || "the home folder is not empty".to_owned())?;
    succeeds(program("git", &client.work()).args(["init", "--quiet"]))?;
    let (begun, used) = (Instant::now(), processor_time()?);
    let node = trial.root.join(node::PROGRAM);
    let mut npx = client.beside(&node);
    npm::as_npm(&mut npx, trial, "npx-cli.js", &server);
    // Whoever has Claude Code has it on the search path; by that init finds it.
    npx.env("PATH", npm::path([programs.as_path()].into_iter().chain(node.parent())));
    let init = end_of(npx.args(["-y", "runward", "init", "--yes"]))?;
    let installed = begun.elapsed();
    let tried = init.code == Some(0) && init.stdout.contains("`rm -rf /` may not");
    ensure(tried, || format!("init ended {init:?}"))?;
    agent(client)?;
    let (took, used) = (begun.elapsed(), processor_time()?.saturating_sub(used));
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    let told = format!(
        "{} to the end of init, {} in all, {} of it on a processor",
        seconds(installed),
        seconds(took),
        seconds(used)
    );
    println!("{told}");
    // A busy machine makes it longer, and no slower.
    let counts = if load()? > cores() { used } else { took };
    ensure(counts <= LIMIT, || format!("{told}; it may take {}", seconds(LIMIT)))
}

/// The time on processors of everything that was started here and has ended.
fn processor_time() -> Result<Duration, String> {
    let text = fs::read_to_string("/proc/self/stat").map_err(|error| error.to_string())?;
    // The name of the program stands in parentheses and may hold blanks.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(13).take(2).map(|field| field.parse::<u32>().unwrap_or_default());
    Ok(TICK * ticks.sum())
}

/// How many processes wanted a processor in the last minute.
fn load() -> Result<f64, String> {
    let text = fs::read_to_string("/proc/loadavg").map_err(|error| error.to_string())?;
    let first = text.split(' ').next().and_then(|word| word.parse().ok());
    first.ok_or_else(|| format!("`/proc/loadavg` says `{text}`"))
}

fn cores() -> f64 {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    u32::try_from(cores).map_or(f64::MAX, f64::from)
}

/// What the agent asks for, and what it is told.
fn agent(client: AgentClient) -> ChoreResult {
    let home = client.home().to_owned();
    fs::write(home.join("keepsake"), "").map_err(|error| error.to_string())?;
    let asks = |line: &str| json!({"command": line});
    let script = ModelScript::new()
        .call("execute_command", asks("git status"))
        .call("execute_command", asks("rm -rf ~"))
        .call("execute_command", asks(&format!("ls {}", home.display())));
    let report = client.start(script).finish();
    let texts = report.record.texts();
    let told = || format!("the model was shown {texts:?}; {:?}; {}", report.record.missing, report.stderr);
    let [status, removal, listing] = texts.as_slice() else { return Err(told()) };
    let runs_and_refuses = status.contains("No commits yet")
        && removal.contains("not allowed")
        && listing.contains("keepsake")
        && report.code == Some(0);
    ensure(runs_and_refuses, told)
}
