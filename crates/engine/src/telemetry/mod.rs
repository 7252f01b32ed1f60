//! Telemetry: commands as spans for an OpenTelemetry collector: OTLP over HTTP, as JSON.
//!
//! Off unless an address is configured. Spans are sent by a thread of their own, a few at a time; a collector that does
//! not answer costs spans and nothing else. May not delay a command, and sends nothing that the journal would not have.
//! Read first: [`Telemetry`].

mod send;
mod span;

pub use send::{Collector, NoCollector};
pub(crate) use span::Span;

use runward_core::error::ErrorView;
use runward_core::plan::ExecPlan;
use runward_core::record::Receipt;
use runward_core::redact::Redactor;
use serde_json::Value;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Spans that may wait for a collector; more are dropped.
const ROOM: usize = 2048;

/// Spans in one message, at most.
const BATCH: usize = 256;

/// How long spans are gathered before they are sent.
const GATHER: Duration = Duration::from_millis(500);

/// How long the end of Runward waits for the last spans.
const PATIENCE: Duration = Duration::from_secs(1);

/// Sends every command to a collector. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub struct Telemetry(Arc<TelemetryShared>);

#[derive(Debug)]
struct TelemetryShared {
    collector: Collector,
    redactor: Redactor,
    line: OnceLock<SyncSender<TelemetryWork>>,
}

enum TelemetryWork {
    Span(Value),
    Flush(SyncSender<()>),
}

impl Telemetry {
    /// Sends to this collector. Nothing is connected before there is something to send.
    pub fn to(collector: Collector, redactor: Redactor) -> Self {
        Self(Arc::new(TelemetryShared { collector, redactor, line: OnceLock::new() }))
    }

    pub(crate) fn begin(&self, plan: &ExecPlan) -> Span {
        Span::begin(plan, &self.0.redactor)
    }

    /// A command is over.
    pub(crate) fn end(&self, span: Span, receipt: &Receipt) {
        self.send(span.end(receipt));
    }

    /// A command could not be started.
    pub(crate) fn failed(&self, span: Span, view: &ErrorView) {
        self.send(span.failed(view, &self.0.redactor));
    }

    fn send(&self, span: Value) {
        let line = self.0.line.get_or_init(|| start(&self.0.collector));
        // One that finds no room is dropped.
        let _ = line.try_send(TelemetryWork::Span(span));
    }

    /// Waits until everything was sent, for a moment.
    pub fn flush(&self) {
        let Some(line) = self.0.line.get() else { return };
        let (told, heard) = sync_channel(1);
        if line.try_send(TelemetryWork::Flush(told)).is_ok() {
            let _ = heard.recv_timeout(PATIENCE);
        }
    }
}

fn start(collector: &Collector) -> SyncSender<TelemetryWork> {
    let (line, work) = sync_channel(ROOM);
    let collector = collector.clone();
    // Where no thread can be made, nothing is sent.
    let _ = std::thread::Builder::new().name("telemetry".to_owned()).spawn(move || run(&collector, &work));
    line
}

fn run(collector: &Collector, work: &Receiver<TelemetryWork>) {
    while let Ok(first) = work.recv() {
        let (mut spans, mut waiting) = (Vec::new(), Vec::new());
        take(first, &mut spans, &mut waiting);
        let until = Instant::now() + GATHER;
        while spans.len() < BATCH && waiting.is_empty() {
            match work.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(next) => take(next, &mut spans, &mut waiting),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        if !spans.is_empty() {
            // A collector that is down misses these; the next may reach it.
            let _ = collector.post(&span::message(&spans));
        }
        for done in waiting {
            // A caller that gave up needs no answer.
            let _ = done.try_send(());
        }
    }
}

fn take(work: TelemetryWork, spans: &mut Vec<Value>, waiting: &mut Vec<SyncSender<()>>) {
    match work {
        TelemetryWork::Span(span) => spans.push(span),
        TelemetryWork::Flush(done) => waiting.push(done),
    }
}
