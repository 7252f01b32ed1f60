//! The JSON-RPC messages of one client, a line each.
//!
//! Nearly all of them are plain tool calls. Those are parsed straight into their type; every other line is left to the
//! SDK's own reader. What is read and what waits to be written is bounded ([`Traffic`], back-pressure): a request beyond
//! the limit is queued, and what comes behind it is read; a client that does not read its answers is not read. A line
//! that is too long is answered here, and so is one that the host has no memory for, or that is no JSON. May not change the
//! order of requests, or answer anything else itself.

mod name;
mod outbox;
mod parked;
mod plain;
mod sdk_reader;
mod stretch;
mod traffic;

pub(crate) use outbox::Outbox;
pub(crate) use traffic::Traffic;

use outbox::Put;
use parked::{ParkedRequests, mark};
use plain::plain_call;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, ClientRequest, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use sdk_reader::{SdkReader, Understood};
use std::future::Future;
use std::io;
use std::sync::Arc;
use stretch::{LineProgress, LineStretch};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, BufReader};
use traffic::Counted;

/// The two ends of a connection.
pub(crate) struct Wire<R, W> {
    from: BufReader<R>,
    to: Outbox<W>,
    line: LineStretch,
    others: SdkReader,
    parked: ParkedRequests,
    traffic: Arc<Traffic>,
    /// Nothing more comes.
    over: bool,
}

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(from: R, to: Outbox<W>, traffic: Arc<Traffic>) -> Self {
        let (line, parked) = (LineStretch::new(traffic.bounds().request_bytes), ParkedRequests::default());
        let (from, others) = (BufReader::new(from), SdkReader::new());
        Self { from, to, line, others, parked, traffic, over: false }
    }

    /// Lets a message through, or queues it.
    fn admit(&mut self, mut message: ClientJsonRpcMessage, bytes: usize) -> Option<ClientJsonRpcMessage> {
        let counted = match &message {
            JsonRpcMessage::Request(request) => match request.request {
                // The answer to a ping must not depend on how busy we are.
                ClientRequest::PingRequest(_) | ClientRequest::InitializeRequest(_) => Counted::Passing,
                _ => Counted::Call(bytes),
            },
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                    cancelled.params.request_id.iter().for_each(|id| self.parked.forget(id));
                }
                Counted::Passing
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => return Some(message),
        };
        if let Counted::Call(bytes) = counted
            && !(self.parked.is_empty() && self.traffic.has_room_for(bytes))
        {
            self.parked.put(message, bytes);
            return None;
        }
        mark(&mut message, &self.traffic, counted);
        Some(message)
    }

    /// Takes what was read: a message, if it is a whole one.
    fn take(&mut self, came: LineProgress) -> Option<ClientJsonRpcMessage> {
        match came {
            LineProgress::On => None,
            LineProgress::Line(line) => match plain_call(&line) {
                Some(call) => self.admit(call, line.len()),
                None => {
                    match no_json(&line) {
                        Some(answer) => self.answer(answer),
                        None => self.others.put(line),
                    }
                    None
                }
            },
            LineProgress::Refusal(line) => {
                self.answer(line);
                None
            }
        }
    }

    /// Handles the result of a line that was left to the SDK.
    fn heed(&mut self, understood: Understood) -> Option<ClientJsonRpcMessage> {
        self.others.shrink();
        match understood {
            Understood::Message(message) => self.admit(*message, self.others.last()),
            Understood::Answered(lines) => {
                self.answer(lines);
                None
            }
            Understood::End => {
                self.over = true;
                None
            }
        }
    }

    /// A client that cannot be written to is gone, and the reader notices that.
    fn answer(&self, lines: Vec<u8>) {
        let _ = self.to.put(lines);
    }
}

/// The answer to a line that is no JSON: the SDK's reader would drop it, and its sender would wait for ever. Blank lines are
/// let pass.
fn no_json(line: &[u8]) -> Option<Vec<u8>> {
    let error = serde_json::from_slice::<serde::de::IgnoredAny>(line).err()?;
    if line.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let message = format!("the line is no JSON: {error}");
    let answer =
        serde_json::json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": message}});
    Some(format!("{answer}\n").into_bytes())
}

impl<R, W> Transport<RoleServer> for Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let mut line = Vec::with_capacity(1024);
        let written = serde_json::to_writer(&mut line, &item);
        line.push(b'\n');
        // The SDK makes a task of its own of what is left to do here. The client need not wait for that, nor is a task
        // kept for each answer that waits; a sender goes on when its message is written.
        let is_answer = matches!(item, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_));
        let put = written.map_err(io::Error::from).and_then(|()| self.to.put(line));
        let to = self.to.clone();
        async move {
            match put? {
                Put::Waits(bytes) if !is_answer => to.until(bytes).await,
                Put::Written | Put::Waits(_) => Ok(()),
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(request) = self.parked.next(&self.traffic) {
                return Some(request);
            }
            if self.over && self.parked.is_empty() {
                return None;
            }
            let has_room = self.parked.has_room(&self.traffic);
            let (eager, over) = (has_room && !self.traffic.is_choked(), self.over);
            self.traffic.set_reading(over || has_room && !self.traffic.is_unheard());
            let waits = !eager || !self.parked.is_empty();
            // What was left to the SDK came first. All are cancel-safe: what was read stays where it is.
            let came = tokio::select! {
                biased;
                understood = self.others.next(), if !over => match self.heed(understood) {
                    Some(message) => return Some(message),
                    None => continue,
                },
                () = self.traffic.eased(), if waits => continue,
                read = self.from.fill_buf(), if eager && !over => match read {
                    Ok(bytes) if !bytes.is_empty() => {
                        let (taken, came) = self.line.add(bytes);
                        self.from.consume(taken);
                        came
                    }
                    _ => {
                        self.others.close();
                        continue;
                    }
                },
            };
            if let Some(message) = self.take(came) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.to.flushed().await;
        self.to.close();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::RequestId;
    use runward_engine::config::ServerBounds;
    use serde_json::{Value, json};

    async fn received(pieces: &[&[u8]]) -> Vec<Value> {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let (from, to) = tokio::io::split(server);
        let mut wire = wire(from, to);
        let write = async {
            for piece in pieces {
                tokio::io::AsyncWriteExt::write_all(&mut client, piece).await.unwrap();
                tokio::task::yield_now().await;
            }
            tokio::io::AsyncWriteExt::shutdown(&mut client).await.unwrap();
        };
        let read = async {
            let mut all = Vec::new();
            while let Some(message) = wire.receive().await {
                all.push(serde_json::to_value(message).unwrap());
            }
            all
        };
        tokio::join!(write, read).1
    }

    fn wire<R, W>(from: R, to: W) -> Wire<R, W>
    where
        R: AsyncRead + Send + Unpin,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let traffic = Traffic::new(ServerBounds::default());
        Wire::new(from, Outbox::new(to, Arc::clone(&traffic)), traffic)
    }

    fn line(value: &Value) -> Vec<u8> {
        format!("{value}\n").into_bytes()
    }

    #[tokio::test]
    async fn every_line_arrives_in_its_order_whoever_reads_it() {
        let messages: Vec<Value> = (0..40)
            .map(|id| match id % 4 {
                0 => json!({"jsonrpc": "2.0", "id": id, "method": "ping"}),
                1 => json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
                    {"_meta": {"progressToken": 1}, "name": "t"}}),
                2 => json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}),
                _ => json!({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "t", "arguments": {"a": [1, "é"]}}}),
            })
            .collect();
        let all: Vec<u8> = messages.iter().flat_map(line).collect();
        assert_eq!(received(&[&all]).await, messages);
        let bytes: Vec<&[u8]> = all.chunks(7).collect();
        assert_eq!(received(&bytes).await, messages);
    }

    #[tokio::test]
    async fn what_is_no_message_is_answered_and_answers_go_out_whole() {
        let (client, server) = tokio::io::duplex(16);
        let (from, to) = tokio::io::split(server);
        let mut wire = wire(from, to);
        let pong = |id: i64| {
            let result = rmcp::model::ServerResult::empty(());
            TxJsonRpcMessage::<RoleServer>::response(result, RequestId::Number(id))
        };
        let (one, other) = (wire.send(pong(1)), wire.send(pong(2)));
        let (mut heard, mut said) = tokio::io::split(client);
        // Both directions hold only a few bytes: each end must be served while the other is.
        let say = async {
            tokio::io::AsyncWriteExt::write_all(
                &mut said,
                b"{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": 7}\n",
            )
            .await
            .unwrap();
        };
        let hear = async {
            let mut lines = BufReader::new(&mut heard).lines();
            let mut all = Vec::new();
            while all.len() < 3 {
                let line = lines.next_line().await.unwrap().expect("a line");
                all.push(serde_json::from_str::<Value>(&line).expect("a whole message"));
            }
            all
        };
        let serve = async { tokio::join!(one, other, wire.receive()) };
        let all = tokio::select! {
            (all, ()) = async { tokio::join!(hear, say) } => all,
            served = serve => panic!("nothing was to be received: {served:?}"),
        };
        let code = |message: &Value| message["error"]["code"].as_i64();
        assert_eq!(all.iter().filter_map(code).collect::<Vec<_>>(), [-32600]);
        assert_eq!(all.iter().filter(|message| message["result"].is_object()).count(), 2, "{all:?}");
    }

    #[test]
    fn a_line_that_is_no_json_is_answered_and_a_blank_one_is_not() {
        let answer: Value = serde_json::from_slice(&no_json(b"hello\n").unwrap()).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
        assert!(no_json(b"{\"half\": ").is_some() && no_json(b"\xff\xfe\n").is_some());
        assert!(no_json(b" \r\n").is_none() && no_json(b"{}\n").is_none());
    }

    #[tokio::test]
    async fn a_long_line_is_passed_on_and_the_next_is_read_again() {
        let long = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": "x".repeat(1 << 18)}}});
        let short = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "t"}});
        let all = [line(&long), line(&short), b"half a line".to_vec()].concat();
        assert_eq!(received(&[&all]).await, [long, short]);
    }
}
