//! The line to one child that runs: questions go out, answers come back to whoever asked.
//!
//! What belongs to a question, progress and the answer, reaches the asker in the order in which the child said it.
//! An answer that nobody waits for, because it is late or a second one, is dropped. When the child is gone, everyone who
//! waits hears so at once. May not know what a question means.

use super::talk;
use rmcp::ErrorData;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc;

/// How many questions may be open at once. A child that hangs must not make them pile up without end.
const MOST_OPEN: usize = 4096;

/// The line. Clones are the same line.
#[derive(Debug, Clone)]
pub(super) struct Link(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    out: mpsc::UnboundedSender<Value>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    waiting: HashMap<u64, mpsc::UnboundedSender<Heard>>,
    gone: bool,
    /// Why it had to go, if it had.
    why: Option<String>,
}

/// What an asker hears.
#[derive(Debug)]
pub(super) enum Heard {
    /// Progress; the parameters of the message.
    Progress(Value),
    /// The answer; nothing comes after it.
    Answer(Result<Value, ErrorData>),
}

/// Why a question got no result.
#[derive(Debug)]
pub(super) enum Failed {
    /// The child is gone.
    Gone,
    /// It did not answer in time.
    Late,
    /// It said no.
    Refused(ErrorData),
}

/// Whether the asker wants to hear progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Wanted,
    Unwanted,
}

impl Link {
    /// A line, and the messages that are to be sent over it.
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Value>) {
        let (out, to_send) = mpsc::unbounded_channel();
        (Self(Arc::new(Shared { out, open: Mutex::default() })), to_send)
    }

    /// The child has to go, and this is why.
    pub(super) fn gives_up(&self, why: Option<String>) {
        self.open().why = why;
    }

    /// Why the child had to go, if it had.
    pub(super) fn why(&self) -> Option<String> {
        self.open().why.clone()
    }

    /// Asks. Giving the question up tells the child that nobody waits any more.
    pub(super) fn ask(&self, method: &str, mut params: Value, progress: Progress) -> Result<Asked, Failed> {
        let mut open = self.open();
        if open.gone || open.waiting.len() >= MOST_OPEN {
            return Err(Failed::Gone);
        }
        open.next += 1;
        let id = open.next;
        let (to, from) = mpsc::unbounded_channel();
        open.waiting.insert(id, to);
        drop(open);
        if progress == Progress::Wanted {
            params["_meta"]["progressToken"] = json!(id);
        }
        let _ = self.0.out.send(talk::question(id, method, &params));
        Ok(Asked { id, link: self.clone(), from })
    }

    /// Asks, and waits for the answer at most this long.
    pub(super) async fn question(
        &self,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<Value, Failed> {
        let mut asked = self.ask(method, params, Progress::Unwanted)?;
        let answer = async {
            loop {
                match asked.next().await {
                    None => return Err(Failed::Gone),
                    Some(Heard::Progress(_)) => {}
                    Some(Heard::Answer(answer)) => return answer.map_err(Failed::Refused),
                }
            }
        };
        tokio::time::timeout(within, answer).await.unwrap_or(Err(Failed::Late))
    }

    /// Tells.
    pub(super) fn tell(&self, method: &str, params: Option<&Value>) {
        self.send(talk::notice(method, params));
    }

    /// Sends a message as it is.
    pub(super) fn send(&self, message: Value) {
        // Whoever is gone hears nothing.
        let _ = self.0.out.send(message);
    }

    /// The child answered.
    pub(super) fn answered(&self, id: u64, result: Result<Value, ErrorData>) {
        let waiting = self.open().waiting.remove(&id);
        if let Some(waiting) = waiting {
            let _ = waiting.send(Heard::Answer(result));
        }
    }

    /// The child told of progress.
    pub(super) fn progressed(&self, params: Value) {
        let token = params["progressToken"].as_u64();
        if let Some(waiting) = token.and_then(|token| self.open().waiting.get(&token).cloned()) {
            let _ = waiting.send(Heard::Progress(params));
        }
    }

    /// The child is gone.
    pub(super) fn cut(&self) {
        let mut open = self.open();
        open.gone = true;
        open.waiting.clear();
    }

    /// Whether the child is gone.
    pub(super) fn is_cut(&self) -> bool {
        self.open().gone
    }

    /// How many questions wait for an answer.
    pub(super) fn waiting(&self) -> usize {
        self.open().waiting.len()
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question that was asked.
#[derive(Debug)]
pub(super) struct Asked {
    id: u64,
    link: Link,
    from: mpsc::UnboundedReceiver<Heard>,
}

impl Asked {
    /// The next thing about it; `None` if the child is gone.
    pub(super) async fn next(&mut self) -> Option<Heard> {
        self.from.recv().await
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        let unanswered = self.link.open().waiting.remove(&self.id).is_some();
        if unanswered {
            let params = json!({"requestId": self.id, "reason": "the answer is no longer waited for"});
            self.link.tell("notifications/cancelled", Some(&params));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(link: &Link) -> Asked {
        link.ask("tools/call", json!({"name": "t"}), Progress::Wanted).unwrap()
    }

    #[tokio::test]
    async fn progress_and_the_answer_come_in_the_order_in_which_they_were_said() {
        let (link, mut out) = Link::new();
        let mut question = asked(&link);
        let sent = out.recv().await.unwrap();
        assert_eq!(sent["params"]["_meta"]["progressToken"], sent["id"]);
        let id = sent["id"].as_u64().unwrap();
        for progress in 1..=3 {
            link.progressed(json!({"progressToken": id, "progress": progress}));
        }
        link.answered(id, Ok(json!("done")));
        for progress in 1..=3 {
            let Some(Heard::Progress(params)) = question.next().await else { panic!() };
            assert_eq!(params["progress"], progress);
        }
        let Some(Heard::Answer(Ok(answer))) = question.next().await else { panic!() };
        assert_eq!(answer, "done");
        drop(question);
        assert!(out.try_recv().is_err(), "an answered question is not cancelled");
    }

    #[tokio::test]
    async fn a_second_or_late_answer_reaches_nobody() {
        let (link, mut out) = Link::new();
        let mut first = asked(&link);
        link.answered(1, Ok(json!(1)));
        link.answered(1, Ok(json!(2)));
        assert!(matches!(first.next().await, Some(Heard::Answer(Ok(value))) if value == 1));
        let given_up = asked(&link);
        drop(given_up);
        link.answered(2, Ok(json!(3)));
        let mut third = asked(&link);
        link.answered(3, Err(ErrorData::internal_error("no", None)));
        assert!(matches!(third.next().await, Some(Heard::Answer(Err(_)))));
        let methods: Vec<Value> = std::iter::from_fn(|| out.try_recv().ok()).collect();
        let cancelled: Vec<_> = methods.iter().filter(|m| m["method"] == "notifications/cancelled").collect();
        assert_eq!(cancelled.len(), 1);
        assert_eq!(cancelled[0]["params"]["requestId"], 2);
    }

    #[tokio::test]
    async fn everyone_who_waits_hears_at_once_that_the_child_is_gone() {
        let (link, _out) = Link::new();
        let (mut one, mut two) = (asked(&link), asked(&link));
        assert_eq!(link.waiting(), 2);
        link.cut();
        assert!(one.next().await.is_none() && two.next().await.is_none());
        assert!(matches!(link.ask("ping", json!({}), Progress::Unwanted), Err(Failed::Gone)));
    }

    #[tokio::test]
    async fn a_child_that_does_not_answer_is_waited_for_only_so_long() {
        let (link, _out) = Link::new();
        let late = link.question("ping", json!({}), Duration::from_millis(1)).await;
        assert!(matches!(late, Err(Failed::Late)));
        assert_eq!(link.waiting(), 0);
    }
}
