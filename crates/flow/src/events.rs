//! What is told while a file runs, one JSON object per line. May not write it anywhere.
//!
//! A run has one beginning and one ending: [`Events::start`] makes the first line, and every ending uses the machine up.

use crate::FlowError;
use runward_engine::core::calendar;
use runward_engine::core::output::Utf8Stream;
use runward_engine::{Code, Coded, Stream};
use serde::Serialize;
use std::fmt::Display;
use std::time::{Duration, SystemTime};

/// The version of this format.
const PROTOCOL_VERSION: u32 = 1;

/// The lines of one run. All of them end with a line feed; what a call returns may be several.
#[derive(Debug)]
pub struct Events {
    run_id: String,
    seq: u64,
    stdout: Utf8Stream,
    stderr: Utf8Stream,
}

/// What is known of a run that ended in an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFailure {
    /// The exit code that Runward ends with.
    pub exit_code: i32,
    /// What happened.
    pub message: String,
    /// The code of the error; none where the command ran and ended with another exit code than 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where in which file: `file:line:column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

impl RunFailure {
    /// The command ran and ended with another exit code than 0.
    pub fn exit(command: &str, exit_code: i32) -> Self {
        let message = format!("`{command}` ended with exit code {exit_code}");
        Self { exit_code, message, code: None, hint: None, place: None }
    }

    /// A refusal, or anything else with a code.
    pub fn coded(code: Code, message: impl Into<String>, hint: Option<String>) -> Self {
        let (exit_code, message) = (code.exit().into(), message.into());
        Self { exit_code, message, code: Some(code.name()), hint, place: None }
    }
}

impl From<&FlowError> for RunFailure {
    fn from(error: &FlowError) -> Self {
        let place = error.mark().map(crate::Mark::place);
        Self { place, ..Self::coded(error.code(), error.to_string(), Coded::hint(error)) }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'l> {
    protocol_version: u32,
    seq: u64,
    run_id: &'l str,
    ts: String,
    #[serde(flatten)]
    event: Event<'l>,
}

#[derive(Serialize)]
#[serde(tag = "event", rename_all_fields = "camelCase")]
enum Event<'l> {
    #[serde(rename = "run.started")]
    Started {
        file: &'l str,
        #[serde(skip_serializing_if = "Option::is_none")]
        command: Option<&'l str>,
    },
    #[serde(rename = "output.delta")]
    Output { channel: &'static str, text: &'l str },
    #[serde(rename = "run.completed")]
    Completed { exit_code: i32 },
    #[serde(rename = "run.error")]
    Error(&'l RunFailure),
    #[serde(rename = "run.cancelled")]
    Cancelled { exit_code: i32, signal: &'l str },
}

impl Events {
    /// The run begins: the machine, and the first line. The command is left out where it is not known yet.
    pub fn start(run_id: &dyn Display, file: &str, command: Option<&str>, at: SystemTime) -> (Self, String) {
        let (stdout, stderr) = (Utf8Stream::default(), Utf8Stream::default());
        let mut events = Self { run_id: run_id.to_string(), seq: 0, stdout, stderr };
        let line = events.line(at, Event::Started { file, command });
        (events, line)
    }

    /// The command printed something. The beginning of a character waits for its end, so there may be nothing to tell.
    pub fn output(&mut self, stream: Stream, bytes: &[u8], at: SystemTime) -> String {
        let mut text = String::new();
        self.decoder(stream).push(bytes, &mut text);
        self.delta(stream, &text, at)
    }

    /// The command ended with exit code 0.
    pub fn completed(self, at: SystemTime) -> String {
        self.end(at, Event::Completed { exit_code: 0 })
    }

    /// The run failed, was refused, or the command ended with another exit code than 0.
    pub fn failed(self, failure: &RunFailure, at: SystemTime) -> String {
        self.end(at, Event::Error(failure))
    }

    /// A signal (`SIGINT`, `SIGTERM`) told us to stop.
    pub fn cancelled(self, signal: &str, exit_code: i32, at: SystemTime) -> String {
        self.end(at, Event::Cancelled { exit_code, signal })
    }

    fn end(mut self, at: SystemTime, event: Event<'_>) -> String {
        let mut lines = String::new();
        for stream in [Stream::Stdout, Stream::Stderr] {
            let mut text = String::new();
            self.decoder(stream).finish(&mut text);
            lines += &self.delta(stream, &text, at);
        }
        lines + &self.line(at, event)
    }

    fn decoder(&mut self, stream: Stream) -> &mut Utf8Stream {
        match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        }
    }

    fn delta(&mut self, stream: Stream, text: &str, at: SystemTime) -> String {
        let channel = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        if text.is_empty() { String::new() } else { self.line(at, Event::Output { channel, text }) }
    }

    fn line(&mut self, at: SystemTime, event: Event<'_>) -> String {
        let seq = self.seq;
        self.seq += 1;
        let line =
            Line { protocol_version: PROTOCOL_VERSION, seq, run_id: &self.run_id, ts: timestamp(at), event };
        // Texts and numbers: this has always a JSON.
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }
}

/// A moment as RFC 3339 in UTC, with milliseconds.
pub fn timestamp(at: SystemTime) -> String {
    let millis = match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => millis(after),
        Err(before) => -millis(before.duration()),
    };
    calendar::timestamp(millis)
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn at(millis: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(millis)
    }

    fn lines(text: &str) -> Vec<Value> {
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_run_is_told_from_its_beginning_to_its_end() {
        let (mut events, first) = Events::start(&"run-1", "task.claude.md", Some("claude"), at(0));
        assert_eq!(
            first,
            "{\"protocolVersion\":1,\"seq\":0,\"runId\":\"run-1\",\"ts\":\"1970-01-01T00:00:00.000Z\",\
             \"event\":\"run.started\",\"file\":\"task.claude.md\",\"command\":\"claude\"}\n"
        );
        let told = events.output(Stream::Stderr, b"hm", at(1)) + &events.output(Stream::Stdout, b"", at(1));
        let told = lines(&(told + &events.completed(at(1500))));
        let told: Vec<_> =
            told.iter().map(|line| (&line["seq"], &line["event"], &line["channel"], &line["text"])).collect();
        assert_eq!(
            told,
            [
                (&json!(1), &json!("output.delta"), &json!("stderr"), &json!("hm")),
                (&json!(2), &json!("run.completed"), &Value::Null, &Value::Null),
            ]
        );
    }

    #[test]
    fn an_error_says_its_code_its_place_and_the_exit_code() {
        let mark = crate::Mark::of("a.md", "{{ x }}", 3, 3..4);
        let error = FlowError::new(Code::FlowUntrusted, "nobody trusts it").hint("Look at it.").at(mark);
        let (events, _) = Events::start(&"r", "a.md", None, at(0));
        let line = lines(&events.failed(&RunFailure::from(&error), at(0))).pop().unwrap();
        let fields = ["event", "exitCode", "code", "message", "hint", "place"].map(|name| line[name].clone());
        assert_eq!(
            json!(fields),
            json!(["run.error", 126, "flow.untrusted", "nobody trusts it", "Look at it.", "a.md:3:4"])
        );
        let (events, first) = Events::start(&"r", "a.md", None, at(0));
        assert_eq!(lines(&first)[0].get("command"), None);
        let line = lines(&events.failed(&RunFailure::exit("claude", 3), at(0))).pop().unwrap();
        assert_eq!((&line["exitCode"], line.get("code")), (&json!(3), None));
    }

    #[test]
    fn a_signal_ends_in_cancelled() {
        let (events, _) = Events::start(&"r", "a.md", None, at(0));
        let line = lines(&events.cancelled("SIGINT", 130, at(0))).pop().unwrap();
        assert_eq!(
            [&line["event"], &line["exitCode"], &line["signal"]],
            [&json!("run.cancelled"), &json!(130), &json!("SIGINT")]
        );
    }

    #[test]
    fn an_unfinished_character_is_told_before_the_end() {
        let (mut events, _) = Events::start(&"r", "a.md", None, at(0));
        assert_eq!(lines(&events.output(Stream::Stdout, b"a\xc3", at(0)))[0]["text"], "a");
        let told = lines(&events.completed(at(0)));
        assert_eq!((told.len(), &told[0]["text"]), (2, &json!("\\xc3")));
    }

    #[test]
    fn a_long_line_is_one_line_of_valid_json() {
        let (mut events, _) = Events::start(&"r", "a.md", None, at(0));
        let text = "ü\n\"\u{1}".repeat(100_000);
        let told = events.output(Stream::Stdout, text.as_bytes(), at(0));
        assert_eq!(told.matches('\n').count(), 1);
        assert_eq!(lines(&told)[0]["text"], json!(text));
    }

    #[test]
    fn moments_are_dates_in_utc() {
        let cases = [
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (1_709_210_096_789, "2024-02-29T12:34:56.789Z"),
            (1_735_689_599_001, "2024-12-31T23:59:59.001Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        ];
        for (millis, wanted) in cases {
            assert_eq!(timestamp(at(millis)), wanted);
        }
        assert_eq!(timestamp(SystemTime::UNIX_EPOCH - Duration::from_millis(1)), "1969-12-31T23:59:59.999Z");
    }

    proptest! {
        #[test]
        fn what_was_printed_is_what_is_told_however_it_was_cut(text in "\\PC{0,60}", cuts in prop::collection::vec(0_usize..99, 0..9)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).chain([0, bytes.len()]).collect();
            cuts.sort_unstable();
            let (mut events, mut told) = Events::start(&"r", "a.md", None, at(0));
            for pair in cuts.windows(2) {
                told += &events.output(Stream::Stdout, &bytes[pair[0]..pair[1]], at(0));
            }
            let told = lines(&(told + &events.completed(at(0))));
            let joined: String = told.iter().filter_map(|line| line["text"].as_str()).collect();
            prop_assert_eq!(joined, text);
            let endings = told.iter().filter(|line| line["event"] == "run.completed").count();
            prop_assert!(endings == 1 && told.last().unwrap()["event"] == "run.completed");
            prop_assert!(told.iter().enumerate().all(|(at, line)| line["seq"] == json!(at)));
        }
    }
}
