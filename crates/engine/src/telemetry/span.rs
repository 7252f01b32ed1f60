//! One command as a span, in OTLP's JSON. Pure but for the clock and the chance that give it its times and names.

use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::record::{How, Receipt};
use runward_core::redact::Redactor;
use runward_core::render::{command_line, word};
use runward_core::spec::Program;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Span {
    begun: u128,
    name: String,
    attributes: Vec<Value>,
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

impl Span {
    pub(super) fn begin(plan: &ExecPlan, redactor: &Redactor) -> Self {
        let (draft, command) = (plan.draft(), plan.draft().command());
        let line = match command.asked() {
            Program::Exec { name, args } => command_line(std::iter::once(name).chain(args)),
            Program::Shell { script, .. } => word(script),
        };
        let program = word(command.real_program().as_os_str());
        let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        let mut attributes = vec![
            text("runward.id", &draft.id().to_string()),
            text("runward.door", draft.caller().door.name()),
            text("runward.rule", &plan.permitted_by().name()),
            text("process.executable.path", &program),
            text("process.command_line", &redactor.mask(&line)),
            text("process.working_directory", &word(command.cwd().as_os_str())),
        ];
        attributes.extend(draft.caller().name.as_deref().map(|client| text("runward.client", client)));
        attributes.extend(draft.caller().tool.as_deref().map(|tool| text("runward.tool", tool)));
        Self { begun: now(), name, attributes }
    }

    pub(super) fn end(mut self, receipt: &Receipt) -> Value {
        let code = receipt.end.exit_code();
        self.attributes.extend([
            number("process.pid", receipt.pid),
            number("process.exit.code", code),
            number("runward.stdout_bytes", receipt.stdout.kept.total),
            number("runward.stderr_bytes", receipt.stderr.kept.total),
        ]);
        if let How::Signaled(signal) = receipt.end.how {
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

    pub(super) fn failed(mut self, view: &ErrorView, redactor: &Redactor) -> Value {
        self.attributes.push(text("error.type", view.code.name()));
        self.told(&json!({"code": ERROR, "message": redactor.mask(&view.message)}))
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

/// What is sent: spans, and who tells of them.
pub(super) fn message(spans: &[Value]) -> Value {
    let resource = [text("service.name", "runward"), text("service.version", env!("CARGO_PKG_VERSION"))];
    let scope = json!({"name": "runward", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceSpans": [{"resource": {"attributes": resource}, "scopeSpans": [{"scope": scope, "spans": spans}]}]})
}
