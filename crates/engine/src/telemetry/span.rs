//! One command as a span, in OTLP's JSON. Pure but for the clock and the random source of its times and ids.

use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::record::{EndedBy, Receipt};
use runward_core::redact::Redactor;
use runward_core::render::{command_line, word};
use runward_core::spec::Program;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Span {
    begun: u128,
    name: String,
    attributes: Vec<Value>,
    /// The redactor with the secrets that the caller added to the environment, if there are any.
    redactor: Option<Box<Redactor>>,
}

const INTERNAL: u8 = 1;
const OK: u8 = 1;
const ERROR: u8 = 2;

fn now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

/// Whole numbers are texts in OTLP's JSON.
fn number(key: &str, value: impl Into<i128>) -> Value {
    json!({"key": key, "value": {"intValue": value.into().to_string()}})
}

/// The command as it was asked for. Masked before anything is quoted: a secret in quotes may look like another text.
fn line(asked: &Program, redactor: &Redactor) -> String {
    match asked {
        Program::Exec { name, args } => {
            let words: Vec<_> = std::iter::once(name).chain(args).map(|text| word(text).into()).collect();
            command_line(redactor.mask_words(&words).iter().map(|word| word.as_ref()))
        }
        Program::Shell { script, .. } => redactor.mask(&word(script)).into_owned(),
    }
}

impl Span {
    pub(super) fn begin(plan: &ExecPlan, common: &Redactor) -> Self {
        let (draft, command) = (plan.draft(), plan.draft().command());
        // What a caller adds to the environment may be secret too.
        let more = command.sets_env().then(|| common.also(command.env())).flatten();
        let redactor = more.as_ref().unwrap_or(common);
        let masked = |path: &Path| redactor.mask(&word(path.as_os_str())).into_owned();
        let program = masked(command.real_program());
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let mut attributes = vec![
            text("runward.id", &draft.id().to_string()),
            text("runward.door", draft.caller().door.name()),
            text("runward.rule", &plan.permitted_by().name()),
            text("process.executable.path", &program),
            text("process.command_line", &line(command.asked(), redactor)),
            text("process.working_directory", &masked(command.cwd())),
        ];
        attributes.extend(draft.caller().name.as_deref().map(|client| text("runward.client", client)));
        attributes.extend(draft.caller().tool.as_deref().map(|tool| text("runward.tool", tool)));
        Self { begun: now(), name, attributes, redactor: more.map(Box::new) }
    }

    pub(super) fn end(mut self, receipt: &Receipt) -> Value {
        let code = receipt.end.exit_code();
        self.attributes.extend([
            number("process.pid", receipt.pid),
            number("process.exit.code", code),
            number("runward.stdout_bytes", receipt.stdout.kept.total),
            number("runward.stderr_bytes", receipt.stderr.kept.total),
        ]);
        if let EndedBy::Signaled(signal) = receipt.end.how {
            self.attributes.push(text("runward.signal", &signal.to_string()));
        }
        if let Some(cause) = receipt.end.stopped {
            self.attributes.push(text("runward.stopped", cause.name()));
        }
        let status = if code == 0 {
            json!({"code": OK})
        } else {
            json!({"code": ERROR, "message": format!("exit {code}")})
        };
        self.told(&status)
    }

    pub(super) fn failed(mut self, view: &ErrorView, common: &Redactor) -> Value {
        let message = self.redactor.as_deref().unwrap_or(common).mask(&view.message).into_owned();
        self.attributes.push(text("error.type", view.code.name()));
        self.told(&json!({"code": ERROR, "message": message}))
    }

    fn told(self, status: &Value) -> Value {
        let (trace, span) =
            (uuid::Uuid::new_v4().simple().to_string(), uuid::Uuid::new_v4().simple().to_string());
        json!({
            "traceId": trace, "spanId": &span[..16], "name": self.name, "kind": INTERNAL,
            "startTimeUnixNano": self.begun.to_string(), "endTimeUnixNano": now().to_string(),
            "attributes": self.attributes, "status": status,
        })
    }
}

/// The message: spans, and the resource that sends them.
pub(super) fn message(spans: &[Value]) -> Value {
    let resource = [text("service.name", "runward"), text("service.version", env!("CARGO_PKG_VERSION"))];
    let scope = json!({"name": "runward", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": [{"scope": scope, "spans": spans}]}]})
}
