//! Answers: one receipt with some output, as YAML for a model and as JSON for a program.
//!
//! The YAML is the text of `execute_command` without its rarer keys. Its writer belongs to the MCP server and needs
//! nothing but the standard library, so its file is taken in as it is: the server itself takes minutes to compile.

use crate::Work;
use crate::host::Host;
use runward_core::output::{KeptOutput, StreamText};
use runward_core::plan::{ExecPlan, Leave, RunId, draft};
use runward_core::policy::{Policy, judge};
use runward_core::record::{End, EndedBy, Leftovers, Receipt};
use runward_core::render::Yaml;
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec};
use std::hint::black_box;
use std::time::Duration;

/// The receipt as YAML.
pub(crate) fn yaml() -> Work {
    let receipt = receipt();
    Box::new(move || drop(black_box(as_yaml(black_box(&receipt)))))
}

fn as_yaml(receipt: &Receipt) -> String {
    let [stdout, stderr] = [&receipt.stdout, &receipt.stderr].map(|stream| StreamText::of(&stream.kept));
    let mut yaml = Yaml::default();
    yaml.plain("exit_code", receipt.end.exit_code())
        .text("stdout", &stdout.text)
        .text("stderr", &stderr.text);
    yaml.finish()
}

/// The receipt as the fields of an answer.
pub(crate) fn json() -> Work {
    let receipt = receipt();
    Box::new(move || drop(black_box(serde_json::to_value(black_box(&receipt).view()).expect("it is JSON"))))
}

/// Nine kilobytes of lines, and a progress bar that a block of plain text cannot carry.
fn receipt() -> Receipt {
    let end = End { how: EndedBy::Exited(0), stopped: None, leftovers: Leftovers::None };
    let mut receipt = Receipt::of(&plan(), 4711, end, Duration::from_millis(1234));
    let line = |n: usize| format!("src/some/folder/file_{n}.rs:{n}:    let größe = \"{n}\";\n");
    receipt.stdout.kept = whole((0..200).map(line).collect());
    let bar = |n: usize| format!("\u{1b}[2K\rcompiling {n} of 50 \"{}\"", "#".repeat(n));
    receipt.stderr.kept = whole((0..50).map(bar).collect());
    receipt
}

fn whole(text: String) -> KeptOutput {
    KeptOutput { total: text.len() as u64, head: text.into_bytes(), tail: Vec::new() }
}

fn plan() -> ExecPlan {
    let facts = Host::facts();
    let spec = CommandSpec::exec("git").args(["grep", "-n", "let"]);
    let command = resolve(&spec, &facts, &Defaults::default(), &Host).expect("it resolves");
    let caller = Caller::library();
    let ruling = judge(&Policy::allow_programs(["git"]), &command, &caller, &Host::ground(&facts));
    let id = RunId(uuid::Uuid::from_u128(7));
    let draft = draft(id, command, caller, ruling, &facts.abilities).expect("the host can keep it");
    let Leave::Granted(permit) = draft.leave() else { panic!("it is allowed") };
    draft.seal(permit).expect("the permit is for this draft")
}
