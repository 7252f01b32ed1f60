//! Calls of tools that use the connection: progress, waiting, and questions to the client.

use super::options::note;
use super::tools::{size, text};
use super::wire::ScriptedWire;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Reports each step to a client that gave a token, then answers.
pub(crate) fn progress(wire: &ScriptedWire, id: &Value, params: &Value) {
    let (token, steps) = (&params["_meta"]["progressToken"], size(&params["arguments"]["steps"]));
    for step in (1..=steps).filter(|_| !token.is_null()) {
        let message = format!("step {step} of {steps}");
        let told = json!({"progressToken": token, "progress": step, "total": steps, "message": message});
        wire.tell("notifications/progress", &told);
    }
    wire.answer(id, Ok(text(&format!("{steps} steps"))));
}

/// What is asked of the client by a tool: the method and its parameters.
pub(crate) fn question(tool: &str, arguments: &Value) -> Option<(&'static str, Value)> {
    let given = |otherwise: Value| arguments.get("params").cloned().unwrap_or(otherwise);
    match tool {
        "sample" => {
            let message = json!({"role": "user", "content": {"type": "text", "text": "How are you?"}});
            Some(("sampling/createMessage", given(json!({"messages": [message], "maxTokens": 10}))))
        }
        "elicit" => {
            let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
            Some(("elicitation/create", given(json!({"message": "Who are you?", "requestedSchema": schema}))))
        }
        "roots" => Some(("roots/list", json!({}))),
        _ => None,
    }
}

/// Asks the client, and answers with what it said, in a thread of its own.
pub(crate) fn relay(wire: &Arc<ScriptedWire>, id: &Value, method: &str, params: &Value) {
    let said = wire.ask(method, params);
    let (wire, id) = (Arc::clone(wire), id.clone());
    thread::spawn(move || {
        // If the server ends first, there is no one left to answer.
        let Ok(message) = said.recv() else { return };
        let said = message.get("result").or_else(|| message.get("error")).unwrap_or(&Value::Null);
        wire.answer(&id, Ok(text(&said.to_string())));
    });
}

/// Calls that wait for a file or for being cancelled.
#[derive(Debug, Default)]
pub(crate) struct ScriptedWaits {
    open: Mutex<HashMap<String, Wait>>,
}

#[derive(Debug, Clone)]
struct Wait {
    log: Option<PathBuf>,
    cancelled: Arc<AtomicBool>,
}

impl ScriptedWaits {
    fn open(&self) -> MutexGuard<'_, HashMap<String, Wait>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins to wait: `waiting ID` is noted, and the answer comes when the file `until` exists.
    pub(crate) fn begin(&self, wire: &Arc<ScriptedWire>, id: &Value, arguments: &Value) {
        let path = |key: &str| arguments[key].as_str().map(PathBuf::from);
        let wait = Wait { log: path("log"), cancelled: Arc::default() };
        self.open().insert(id.to_string(), wait.clone());
        wait.note("waiting", id);
        let Some(until) = path("until") else { return };
        let (wire, id) = (Arc::clone(wire), id.clone());
        thread::spawn(move || {
            wait_for(&until);
            if !wait.cancelled.load(Ordering::SeqCst) {
                wire.answer(&id, Ok(text("waited")));
            }
        });
    }

    /// A call that is cancelled gets no answer; `cancelled ID` is noted.
    pub(crate) fn cancel(&self, id: &Value) {
        if let Some(wait) = self.open().remove(&id.to_string()) {
            wait.cancelled.store(true, Ordering::SeqCst);
            wait.note("cancelled", id);
        }
    }
}

impl Wait {
    fn note(&self, what: &str, id: &Value) {
        if let Some(log) = &self.log {
            note(log, &format!("{what} {id}"));
        }
    }
}

/// Returns when the file exists.
pub(crate) fn wait_for(file: &Path) {
    while !file.exists() {
        thread::sleep(Duration::from_millis(2));
    }
}
