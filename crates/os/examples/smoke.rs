//! Runs one command through the launcher alone and says how it ended.
//!
//! ```text
//! smoke [--stdin TEXT] [--timeout MS] [--processes N] (--shell SCRIPT | PROGRAM [ARG …])
//! ```
//!
//! What the command prints is passed on; the ending and what was left behind are told on standard error. It
//! walks the same road as the library and nothing else: for trying a platform out, before anything above it.

use runward_core::life::{Action, Life, LifeInput, LifeTerms};
use runward_core::output::Stream;
use runward_core::plan::{ExecPlan, Leave, RunId, draft};
use runward_core::policy::{Policy, PolicyGround, judge};
use runward_core::record::End;
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Wish};
use runward_os::{Child, Disk, Got, Launcher, Notice, SpawnError, probe};
use std::error::Error;
use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let spec = asked(std::env::args_os().skip(1).collect())?;
    let (end, pid) = runtime.block_on(async {
        let mut child = Launcher::new().launch(sealed(&spec)?, async { Ok::<_, SpawnError>(()) }).await?;
        eprintln!("pid: {}", child.pid());
        let end = live(&mut child).await?;
        Ok::<_, Box<dyn Error>>((end, child.pid()))
    })?;
    eprintln!("pid {pid}: {:?}, stopped: {:?}, leftovers: {:?}", end.how, end.stopped, end.leftovers);
    std::process::exit(end.exit_code())
}

fn asked(words: Vec<OsString>) -> Result<CommandSpec, Box<dyn Error>> {
    let mut words = words.into_iter();
    let (mut stdin, mut timeout, mut processes) = (None, None, None);
    let mut spec = loop {
        let word = words.next().ok_or("no program was named")?;
        let mut value = || words.next().ok_or("the last option needs a value");
        match word.to_str() {
            Some("--stdin") => stdin = Some(value()?),
            Some("--timeout") => timeout = Some(number(&value()?)?),
            Some("--processes") => processes = Some(number(&value()?)?),
            Some("--shell") => break CommandSpec::shell(value()?),
            _ => break CommandSpec::exec(word),
        }
    };
    spec = spec.args(words);
    if let Some(text) = stdin {
        spec = spec.stdin(text.into_encoded_bytes());
    }
    if let Some(millis) = timeout {
        spec = spec.timeout(Duration::from_millis(millis));
    }
    if let Some(count) = processes {
        spec.limits.processes = Wish::At(count);
    }
    Ok(spec)
}

fn number(text: &OsString) -> Result<u64, Box<dyn Error>> {
    Ok(text.to_str().ok_or("not a number")?.parse()?)
}

/// A plan for exactly this command, with leave for everything.
fn sealed(spec: &CommandSpec) -> Result<ExecPlan, Box<dyn Error>> {
    let facts = probe()?;
    let command = resolve(spec, &facts, &Defaults::default(), &Disk)?;
    let caller = Caller::library();
    let ruling = judge(
        &Policy::allow_everything("a smoke test"),
        &command,
        &caller,
        &PolicyGround { facts: &facts, look: &Disk, contained: false },
    );
    let drawn = draft(RunId(uuid::Uuid::new_v4()), command, caller, ruling, &facts.abilities)?;
    match drawn.leave() {
        Leave::Granted(permit) => Ok(drawn.seal(permit)?),
        other => Err(format!("no leave was given: {other:?}").into()),
    }
}

async fn live(child: &mut Child) -> Result<End, Box<dyn Error>> {
    let mut life = Life::begin(LifeTerms::of(child.plan().draft()), Instant::now());
    loop {
        let input = match life.deadline() {
            Some(deadline) => tokio::time::timeout_at(deadline.into(), child.next(true)).await.ok(),
            None => Some(child.next(true).await),
        };
        let input = match input {
            Some(notice) => heard(child, notice)?,
            None => Some(LifeInput::Tick),
        };
        for action in input.map(|input| life.on(input, Instant::now())).unwrap_or_default() {
            match action {
                Action::Signal(signal) => child.signal(signal),
                Action::Sweep => child.sweep(),
                Action::Finish(end) => {
                    for stream in [Stream::Stdout, Stream::Stderr] {
                        while show(child, stream, Child::read_rest)?.is_some_and(|len| len > 0) {}
                    }
                    return Ok(end);
                }
            }
        }
    }
}

fn heard(child: &mut Child, notice: Notice) -> Result<Option<LifeInput>, Box<dyn Error>> {
    Ok(match notice {
        Notice::Readable(stream) => match show(child, stream, Child::read)? {
            Some(0) => None,
            Some(len) => Some(LifeInput::Output(stream, len)),
            None => Some(LifeInput::Eof(stream)),
        },
        Notice::Life(input) => Some(input),
        Notice::Fed => None,
    })
}

/// Passes one chunk on: how many bytes there were, or nothing at the end of the stream.
fn show(
    child: &mut Child,
    stream: Stream,
    read: fn(&mut Child, Stream, &mut [u8]) -> Got,
) -> Result<Option<u64>, Box<dyn Error>> {
    let mut buffer = [0; 16 * 1024];
    let len = match read(child, stream, &mut buffer) {
        Got::Bytes(len) => len,
        Got::Later => return Ok(Some(0)),
        Got::End => return Ok(None),
    };
    match stream {
        Stream::Stdout => std::io::stdout().write_all(&buffer[..len])?,
        Stream::Stderr => std::io::stderr().write_all(&buffer[..len])?,
    }
    Ok(Some(len as u64))
}
