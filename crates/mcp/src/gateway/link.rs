//! The link to one running child: requests go out, answers come back to their callers.
//!
//! What belongs to a request, progress and the answer, reaches the caller in the order in which the child sent it.
//! An answer without a waiting caller, because it is late or a second one, is dropped. When the child is gone, every
//! caller is told at once. The queue to the child is bounded: a caller waits for a place, and a child that does not
//! even take brief messages is stopped. May not know what a request means.

use super::backlog::{Backlog, BacklogPlace};
use super::talk;
use rmcp::ErrorData;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

/// How many requests may be open at once. A child that hangs must not make them pile up without end.
pub(super) const MOST_OPEN: usize = 4096;

/// The link. Clones are the same link.
#[derive(Debug, Clone)]
pub(super) struct ChildLink(Arc<LinkShared>);

#[derive(Debug)]
struct LinkShared {
    /// Unbounded itself: whatever is in it has a place in the backlog.
    out: mpsc::UnboundedSender<Outgoing>,
    backlog: Backlog,
    open: Mutex<OpenRequests>,
    /// The child takes nothing any more.
    stuck: Notify,
    /// The child is not being read, because its client does not take its messages (back-pressure).
    held_up: AtomicBool,
}

/// A message for a child, with its place in the backlog.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) message: Value,
    pub(super) place: BacklogPlace,
}

#[derive(Debug, Default)]
struct OpenRequests {
    next: u64,
    waiting: HashMap<u64, WaitingAsker>,
    gone: bool,
    /// Why it had to be stopped, if it had.
    why: Option<String>,
}

/// The caller that waits for an answer. Messages for it have a place in the backlog of the child.
#[derive(Debug, Clone)]
struct WaitingAsker {
    to: mpsc::UnboundedSender<AskerMessage>,
    progress: ProgressWish,
}

/// What a caller receives.
#[derive(Debug)]
pub(super) enum AskerMessage {
    /// Progress; the parameters of the message, and its place in the backlog.
    Progress(Value, BacklogPlace),
    /// The answer; nothing comes after it.
    Answer(Result<Value, ErrorData>),
    /// There is an answer, and it cannot be used; nothing comes after it.
    Useless(String),
}

/// Why a request got no result.
#[derive(Debug)]
pub(super) enum RequestFailure {
    /// The child is gone.
    Gone,
    /// Too many requests are open already.
    Busy,
    /// It did not answer in time.
    Late,
    /// It answered, and the answer cannot be used.
    Useless(String),
    /// It answered with an error.
    Refused(ErrorData),
}

/// Whether the caller wants progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ProgressWish {
    Wanted,
    Unwanted,
}

impl ChildLink {
    /// A link, and the messages that are to be sent over it.
    pub(super) fn new() -> (Self, mpsc::UnboundedReceiver<Outgoing>) {
        let (out, to_send) = mpsc::unbounded_channel();
        let shared = LinkShared {
            out,
            backlog: Backlog::default(),
            open: Mutex::default(),
            stuck: Notify::new(),
            held_up: AtomicBool::new(false),
        };
        (Self(Arc::new(shared)), to_send)
    }

    /// The child has to be stopped, and this is why. The first reason counts.
    pub(super) fn gives_up(&self, why: Option<String>) {
        let mut open = self.open();
        open.why = open.why.take().or(why);
    }

    /// Why the child had to be stopped, if it had.
    pub(super) fn why(&self) -> Option<String> {
        self.open().why.clone()
    }

    /// Waits until the child has to be stopped because it does not take its messages.
    pub(super) async fn stuck(&self) {
        self.0.stuck.notified().await;
    }

    /// Sends a request, once there is room for it. Dropping the result cancels the request.
    pub(super) async fn ask(
        &self,
        method: &str,
        params: Value,
        progress: ProgressWish,
    ) -> Result<PendingRequest, RequestFailure> {
        let place = self.0.backlog.place(&params).await.ok_or(RequestFailure::Gone)?;
        self.put(method, params, progress, place)
    }

    /// Sends a request, if there is room for it now.
    pub(super) fn ask_now(
        &self,
        method: &str,
        params: Value,
        progress: ProgressWish,
    ) -> Result<PendingRequest, RequestFailure> {
        let place = self.0.backlog.place_now(&params).ok_or(RequestFailure::Busy)?;
        self.put(method, params, progress, place)
    }

    fn put(
        &self,
        method: &str,
        mut params: Value,
        progress: ProgressWish,
        place: BacklogPlace,
    ) -> Result<PendingRequest, RequestFailure> {
        let mut open = self.open();
        if open.gone {
            return Err(RequestFailure::Gone);
        }
        if open.waiting.len() >= MOST_OPEN {
            return Err(RequestFailure::Busy);
        }
        open.next += 1;
        let id = open.next;
        let (to, from) = mpsc::unbounded_channel();
        open.waiting.insert(id, WaitingAsker { to, progress });
        drop(open);
        if progress == ProgressWish::Wanted {
            params["_meta"]["progressToken"] = json!(id);
        }
        let _ = self.0.out.send(Outgoing { message: talk::question(id, method, params), place });
        Ok(PendingRequest { id, link: self.clone(), from })
    }

    /// Sends a request, and waits for the answer at most this long.
    pub(super) async fn question(
        &self,
        method: &str,
        params: Value,
        within: Duration,
    ) -> Result<Value, RequestFailure> {
        let answer = async {
            let mut asked = self.ask(method, params, ProgressWish::Unwanted).await?;
            loop {
                match asked.next().await {
                    None => return Err(RequestFailure::Gone),
                    Some(AskerMessage::Progress(..)) => {}
                    Some(AskerMessage::Answer(answer)) => return answer.map_err(RequestFailure::Refused),
                    Some(AskerMessage::Useless(why)) => return Err(RequestFailure::Useless(why)),
                }
            }
        };
        tokio::time::timeout(within, answer).await.unwrap_or(Err(RequestFailure::Late))
    }

    /// Sends a brief notification, without waiting. A child that lets thousands of them queue up is stopped.
    pub(super) fn tell(&self, method: &str, params: Option<Value>) {
        self.send_brief(talk::notice(method, params));
    }

    /// Sends a notification that may be left out where there is no room for it.
    pub(super) fn mention(&self, method: &str, params: Value) {
        if let Some(place) = self.0.backlog.place_now(&params) {
            let _ = self.0.out.send(Outgoing { message: talk::notice(method, Some(params)), place });
        }
    }

    /// Sends a brief message as it is, without waiting.
    pub(super) fn send_brief(&self, message: Value) {
        match self.0.backlog.brief_place() {
            // A send to an exited child is dropped.
            Some(place) => drop(self.0.out.send(Outgoing { message, place })),
            None => self.0.stuck.notify_one(),
        }
    }

    /// Sends a message as it is, once there is room for it.
    pub(super) async fn send(&self, message: Value) {
        if let Some(place) = self.0.backlog.place(&message).await {
            let _ = self.0.out.send(Outgoing { message, place });
        }
    }

    /// The child answered.
    pub(super) fn answered(&self, id: u64, result: Result<Value, ErrorData>) {
        self.settle(id, AskerMessage::Answer(result));
    }

    /// The child answered with something that cannot be used.
    pub(super) fn answered_uselessly(&self, id: u64, why: String) {
        self.settle(id, AskerMessage::Useless(why));
    }

    fn settle(&self, id: u64, heard: AskerMessage) {
        let waiting = self.open().waiting.remove(&id);
        if let Some(waiting) = waiting {
            let _ = waiting.to.send(heard);
        }
    }

    /// The child reported progress.
    pub(super) fn progressed(&self, params: Value, place: BacklogPlace) {
        let token = params["progressToken"].as_u64();
        let waiting = token.and_then(|token| self.open().waiting.get(&token).cloned());
        if let Some(waiting) = waiting.filter(|waiting| waiting.progress == ProgressWish::Wanted) {
            let _ = waiting.to.send(AskerMessage::Progress(params, place));
        }
    }

    /// Whether the child is read no further until its client has taken its messages.
    pub(super) fn hold_up(&self, held_up: bool) {
        self.0.held_up.store(held_up, Ordering::Relaxed);
    }

    /// Whether the client is what the child waits for.
    pub(super) fn is_held_up(&self) -> bool {
        self.0.held_up.load(Ordering::Relaxed)
    }

    /// The child is gone.
    pub(super) fn cut(&self) {
        let mut open = self.open();
        open.gone = true;
        open.waiting = HashMap::new();
        self.0.backlog.close();
    }

    /// Whether the child is gone.
    pub(super) fn is_cut(&self) -> bool {
        self.open().gone
    }

    /// How many requests are open.
    pub(super) fn waiting(&self) -> usize {
        self.open().waiting.len()
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn open(&self) -> MutexGuard<'_, OpenRequests> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request that was sent.
#[derive(Debug)]
pub(super) struct PendingRequest {
    id: u64,
    link: ChildLink,
    from: mpsc::UnboundedReceiver<AskerMessage>,
}

impl PendingRequest {
    /// The next message about it; `None` if the child is gone.
    pub(super) async fn next(&mut self) -> Option<AskerMessage> {
        self.from.recv().await
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        let unanswered = self.link.open().waiting.remove(&self.id).is_some();
        if unanswered {
            let params = json!({"requestId": self.id, "reason": "the answer is no longer waited for"});
            self.link.tell("notifications/cancelled", Some(params));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(link: &ChildLink) -> PendingRequest {
        link.ask_now("tools/call", json!({"name": "t"}), ProgressWish::Wanted).unwrap()
    }

    #[tokio::test]
    async fn progress_and_the_answer_come_in_the_order_in_which_they_were_said() {
        let (link, mut out) = ChildLink::new();
        let mut question = asked(&link);
        let sent = out.recv().await.unwrap().message;
        assert_eq!(sent["params"]["_meta"]["progressToken"], sent["id"]);
        let id = sent["id"].as_u64().unwrap();
        for progress in 1..=3 {
            link.progressed(json!({"progressToken": id, "progress": progress}), BacklogPlace::default());
        }
        link.answered(id, Ok(json!("done")));
        for progress in 1..=3 {
            let Some(AskerMessage::Progress(params, _)) = question.next().await else { panic!() };
            assert_eq!(params["progress"], progress);
        }
        let Some(AskerMessage::Answer(Ok(answer))) = question.next().await else { panic!() };
        assert_eq!(answer, "done");
        drop(question);
        assert!(out.try_recv().is_err(), "an answered question is not cancelled");
    }

    #[tokio::test]
    async fn a_second_or_late_answer_reaches_nobody() {
        let (link, mut out) = ChildLink::new();
        let mut first = asked(&link);
        link.answered(1, Ok(json!(1)));
        link.answered(1, Ok(json!(2)));
        assert!(matches!(first.next().await, Some(AskerMessage::Answer(Ok(value))) if value == 1));
        let given_up = asked(&link);
        drop(given_up);
        link.answered(2, Ok(json!(3)));
        let mut third = asked(&link);
        link.answered(3, Err(ErrorData::internal_error("no", None)));
        assert!(matches!(third.next().await, Some(AskerMessage::Answer(Err(_)))));
        let methods: Vec<Value> = std::iter::from_fn(|| Some(out.try_recv().ok()?.message)).collect();
        let cancelled: Vec<_> = methods.iter().filter(|m| m["method"] == "notifications/cancelled").collect();
        assert_eq!(cancelled.len(), 1);
        assert_eq!(cancelled[0]["params"]["requestId"], 2);
    }

    #[tokio::test]
    async fn everyone_who_waits_hears_at_once_that_the_child_is_gone() {
        let (link, _out) = ChildLink::new();
        let (mut one, mut two) = (asked(&link), asked(&link));
        assert_eq!(link.waiting(), 2);
        link.cut();
        assert!(one.next().await.is_none() && two.next().await.is_none());
        assert!(matches!(
            link.ask("ping", json!({}), ProgressWish::Unwanted).await,
            Err(RequestFailure::Gone)
        ));
    }

    #[tokio::test]
    async fn a_child_that_does_not_answer_is_waited_for_only_so_long() {
        let (link, _out) = ChildLink::new();
        let late = link.question("ping", json!({}), Duration::from_millis(1)).await;
        assert!(matches!(late, Err(RequestFailure::Late)));
        assert_eq!(link.waiting(), 0);
    }
    #[tokio::test]
    async fn a_question_waits_for_room_and_is_asked_when_there_is_some() {
        let (link, mut out) = ChildLink::new();
        let large = json!("x".repeat(super::super::backlog::BACKLOG_BYTES));
        let mut first = link.ask("tools/call", large, ProgressWish::Unwanted).await.unwrap();
        let late = link.question("ping", json!({}), Duration::from_millis(1)).await;
        assert!(matches!(late, Err(RequestFailure::Late)), "{late:?}");
        assert_eq!(link.waiting(), 1, "what was not asked is not waited for");
        drop(out.recv().await);
        let next = tokio::spawn({
            let link = link.clone();
            async move { link.question("ping", json!({}), Duration::from_secs(30)).await }
        });
        let sent = out.recv().await.unwrap().message;
        assert_eq!(sent["method"], "ping");
        link.answered(sent["id"].as_u64().unwrap(), Ok(json!({})));
        assert!(next.await.unwrap().is_ok());
        link.answered(1, Ok(json!(1)));
        assert!(matches!(first.next().await, Some(AskerMessage::Answer(Ok(_)))));
    }

    #[tokio::test]
    async fn a_child_that_takes_not_even_what_is_brief_has_to_go() {
        let (link, _out) = ChildLink::new();
        for _ in 0..=super::super::backlog::BRIEF_MESSAGES {
            link.tell("notifications/roots/list_changed", None);
        }
        link.stuck().await;
    }

    #[tokio::test]
    async fn progress_that_nobody_wants_is_not_kept() {
        let (link, _out) = ChildLink::new();
        let mut asked = link.ask_now("tools/call", json!({}), ProgressWish::Unwanted).unwrap();
        link.progressed(json!({"progressToken": 1}), BacklogPlace::default());
        link.answered_uselessly(1, "is too large".to_owned());
        assert!(matches!(asked.next().await, Some(AskerMessage::Useless(_))));
    }
}
