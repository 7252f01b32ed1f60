//! The way out: whole lines, one writer at a time, and requests of the server's own that are waited for.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The server's messages, and the answers it waits for.
#[derive(Debug, Default)]
pub(crate) struct ScriptedWire {
    asked: Mutex<ScriptedQuestion>,
}

#[derive(Debug, Default)]
struct ScriptedQuestion {
    next: u64,
    waiting: HashMap<u64, Sender<Value>>,
}

impl ScriptedWire {
    /// Writes bytes as they are, in one piece. Without a reader it ends.
    pub(crate) fn bytes(&self, bytes: &[u8]) {
        let mut out = std::io::stdout().lock();
        if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }

    fn message(&self, message: &Value) {
        self.bytes(format!("{message}\n").as_bytes());
    }

    /// Answers a request.
    pub(crate) fn answer(&self, id: &Value, answer: Result<Value, Value>) {
        self.message(&match answer {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        });
    }

    /// Tells something that needs no answer.
    pub(crate) fn tell(&self, method: &str, params: &Value) {
        self.message(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks the client. What comes back is the whole answer.
    pub(crate) fn ask(&self, method: &str, params: &Value) -> Receiver<Value> {
        let (sender, receiver) = channel();
        let mut asked = self.asked();
        asked.next += 1;
        let id = asked.next;
        asked.waiting.insert(id, sender);
        drop(asked);
        self.message(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        receiver
    }

    /// Hands an answer of the client to the thread that waits for it.
    pub(crate) fn answered(&self, message: Value) {
        let id = message["id"].as_u64();
        if let Some(waiting) = id.and_then(|id| self.asked().waiting.remove(&id)) {
            // A thread that waits no more does not need it.
            let _ = waiting.send(message);
        }
    }

    fn asked(&self) -> MutexGuard<'_, ScriptedQuestion> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
