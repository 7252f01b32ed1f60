//! The server-sent events of a remote server, none of which is held beyond the bound.
//!
//! An answer is kept aside, so that the SDK does not parse it into types of its own. An answer that is too long is
//! reported to its caller; where the caller cannot be known, the server has to be stopped. May not ask for a stream.

use super::aside::Aside;
use super::lines::LineText;
use super::pipe::too_long;
use super::talk::{self, ChildMessage};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt};
use reqwest::Response;
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::{Sse, SseStream};
use std::io;
use std::sync::Arc;

/// Which answer a stream brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    /// That of this request.
    Answering(u64),
    /// That of `initialize`, which the SDK reads itself.
    Greeting,
    /// Not known beforehand.
    Anybodys,
}

/// Reads the events of an answer.
pub(super) fn read(
    response: Response,
    most: usize,
    whose: Whose,
    aside: &Arc<Aside>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let aside = Arc::clone(aside);
    let bounded = stream::unfold(Some((response, EventLength::new(most))), pieces);
    SseStream::from_bytes_stream(bounded)
        .map(move |event| match event {
            Ok(event) if whose == Whose::Greeting => Ok(event),
            Ok(event) => Ok(lightened(event, most, &aside)),
            Err(SseError::Body(error)) if is_too_long(&*error) => match whose {
                Whose::Answering(id) => {
                    let carried = aside.keep(id, ChildMessage::Useless { id, why: too_long(most) });
                    Ok(Sse { data: Some(carried), ..Sse::default() })
                }
                Whose::Greeting | Whose::Anybodys => {
                    aside.give_up(format!("it {}", too_long(most)));
                    Err(SseError::Body(error))
                }
            },
            Err(error) => Err(error),
        })
        .boxed()
}

/// An event with its answer kept aside, if it is one.
fn lightened(mut event: Sse, most: usize, aside: &Aside) -> Sse {
    let is_message = matches!(event.event.as_deref(), None | Some("" | "message"));
    let Some(data) = event.data.take_if(|_| is_message) else { return event };
    let bytes = Bytes::from(data);
    event.data = match talk::read(&LineText::of(bytes.clone()), most) {
        Ok(said @ (ChildMessage::Answer { id, .. } | ChildMessage::Useless { id, .. })) => {
            Some(aside.keep(id, said))
        }
        // It was text before.
        _ => String::from_utf8(bytes.into()).ok(),
    };
    event
}

type Reading = Option<(Response, EventLength)>;

/// The next chunk, unless its event is too long.
async fn pieces(reading: Reading) -> Option<(io::Result<Bytes>, Reading)> {
    let (mut response, mut length) = reading?;
    match response.chunk().await {
        Ok(None) => None,
        Ok(Some(piece)) if length.fits(&piece) => Some((Ok(piece), Some((response, length)))),
        Ok(Some(_)) => Some((Err(io::ErrorKind::FileTooLarge.into()), None)),
        Err(error) => Some((Err(io::Error::other(error)), None)),
    }
}

fn is_too_long(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
}

/// How long the event is that is being read. An empty line ends it.
#[derive(Debug)]
struct EventLength {
    most: usize,
    event: usize,
    /// Whether the line so far is empty.
    empty: bool,
    /// Whether the last byte was the first of the two that may end a line together.
    half_an_end: bool,
}

impl EventLength {
    fn new(most: usize) -> Self {
        Self { most, event: 0, empty: true, half_an_end: false }
    }

    fn fits(&mut self, piece: &[u8]) -> bool {
        for line in piece.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let ended = matches!(line.last(), Some(b'\n' | b'\r'));
            let second_half = self.half_an_end && line == b"\n";
            self.half_an_end = line.last() == Some(&b'\r');
            if second_half {
                continue;
            }
            let is_empty = ended && line.len() == 1 && self.empty;
            self.event = if is_empty { 0 } else { self.event + line.len() };
            if self.event > self.most {
                return false;
            }
            self.empty = ended;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_is_as_long_as_its_lines_until_an_empty_one() {
        for (cut, end) in [(1, "\n"), (3, "\r\n"), (1, "\r\n"), (2, "\r"), (1000, "\r\n"), (1000, "\n")] {
            let mut length = EventLength::new(100);
            let mut fits = |text: &str| text.as_bytes().chunks(cut).all(|piece| length.fits(piece));
            let line = |len: usize| format!("data: {}{end}", "x".repeat(len));
            assert!((0..50).all(|_| fits(&format!("{}{end}", line(90)))), "{cut} {end:?}");
            assert!(!fits(&line(40).repeat(3)), "lines of one event count together: {cut} {end:?}");
            let mut length = EventLength::new(100);
            assert!(!line(101).as_bytes().chunks(cut).all(|piece| length.fits(piece)), "{cut} {end:?}");
        }
    }

    #[test]
    fn an_answer_is_kept_aside_and_everything_else_is_left() {
        let aside = Aside::default();
        aside.expect(7);
        let event = |data: &str| Sse { data: Some(data.to_owned()), ..Sse::default() };
        let answer = event(r#"{"jsonrpc":"2.0","id":7,"result":{"unknown":[1.5]}}"#);
        let carried = lightened(answer, 1 << 20, &aside).data.unwrap();
        assert!(carried.contains("\"result\":{}"), "{carried}");
        let kept = aside.take(7);
        assert!(
            matches!(kept, Some(ChildMessage::Answer { id: 7, result: Ok(result) }) if result["unknown"][0] == 1.5)
        );
        lightened(event(r#"{"jsonrpc":"2.0","id":8,"result":{}}"#), 1 << 20, &aside);
        assert_eq!(aside.take(8), None, "what answers nothing is not kept");
        let notice = event(r#"{"jsonrpc":"2.0","method":"m"}"#);
        assert_eq!(lightened(notice.clone(), 1 << 20, &aside), notice);
        let named = Sse { event: Some("endpoint".to_owned()), ..event("x") };
        assert_eq!(lightened(named.clone(), 1 << 20, &aside), named);
    }
}
