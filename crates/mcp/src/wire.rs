//! Messages of one client, a line each.
//!
//! Nearly all of them are plain tool calls. Those are read straight into their type; every other line is left to the
//! SDK's own reader, which tries one kind of message after the other and knows how to answer what is none. What goes
//! out is written here, whole lines one after the other. May not change the order of messages, or answer anything
//! itself.

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, JsonObject, JsonRpcVersion2_0, Request,
    RequestId,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, ReadBuf};
use tokio::sync::OwnedMutexGuard;

/// The longest line that is held here. Of a longer one each piece is passed on as it comes.
const LONGEST: usize = 64 * 1024;

/// The two ends of a connection.
pub(crate) struct Wire<R, W> {
    from: BufReader<R>,
    to: Outlet<W>,
    /// The beginning of a line whose end has not come.
    line: Vec<u8>,
    /// Whether the beginning of this line was passed on already.
    passing: bool,
    basket: Basket,
    /// What the SDK's reader answers by itself.
    answers: Basket,
    others: AsyncRwTransport<RoleServer, Basket, Basket>,
}

/// Where lines go, one at a time; nothing once it is closed.
type Outlet<W> = Arc<tokio::sync::Mutex<Option<W>>>;

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(from: R, to: W) -> Self {
        let (basket, answers) = (Basket::default(), Basket::default());
        let others = AsyncRwTransport::new_server(basket.clone(), answers.clone());
        let to = Arc::new(tokio::sync::Mutex::new(Some(to)));
        Self { from: BufReader::new(from), to, line: Vec::new(), passing: false, basket, answers, others }
    }
}

/// Writes whole lines.
async fn write<W: AsyncWrite + Unpin>(to: Outlet<W>, lines: Vec<u8>) -> io::Result<()> {
    finish(to.lock_owned().await, &lines).await
}

/// Writes what is left of lines that nobody else may come between.
async fn finish<W: AsyncWrite + Unpin>(mut to: OwnedMutexGuard<Option<W>>, rest: &[u8]) -> io::Result<()> {
    let to = to.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    to.write_all(rest).await?;
    to.flush().await
}

/// Writes as much of a line as can be written without waiting, and gives what is left of it with the right to finish it.
/// An error shows up again then.
fn begin<W: AsyncWrite + Unpin>(mut to: OwnedMutexGuard<Option<W>>, line: &[u8]) -> Option<Begun<W>> {
    let mut cx = Context::from_waker(Waker::noop());
    let written = match to.as_mut().map(|to| Pin::new(to).poll_write(&mut cx, line)) {
        Some(Poll::Ready(Ok(written))) => written,
        _ => 0,
    };
    let flushed =
        to.as_mut().is_some_and(|to| matches!(Pin::new(to).poll_flush(&mut cx), Poll::Ready(Ok(()))));
    (written < line.len() || !flushed).then_some((to, written))
}

/// The right to write, and how much of a line is written.
type Begun<W> = (OwnedMutexGuard<Option<W>>, usize);

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
        // The SDK makes a task of its own of what is left to do here. The client need not wait for that.
        let now = Arc::clone(&self.to).try_lock_owned().ok().filter(|_| written.is_ok());
        let begun = now.map(|to| begin(to, &line));
        let to = Arc::clone(&self.to);
        async move {
            written?;
            match begun {
                Some(None) => Ok(()),
                Some(Some((to, done))) => finish(to, &line[done..]).await,
                None => write(to, line).await,
            }
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let Self { from, to, others, basket, answers, line, passing } = self;
            // What was left to the SDK came first. All can be given up half way: what was read stays where it is.
            let bytes = tokio::select! {
                biased;
                message = others.receive() => return message,
                lines = answers.taken() => {
                    // Whoever cannot be told is gone, and that is noticed where it is read from.
                    tokio::spawn(write(Arc::clone(to), lines));
                    continue;
                }
                read = from.fill_buf() => read.unwrap_or_default(),
            };
            if bytes.is_empty() {
                basket.close();
                continue;
            }
            let end = memchr::memchr(b'\n', bytes).map(|at| at + 1);
            let taken = end.unwrap_or(bytes.len());
            line.extend_from_slice(&bytes[..taken]);
            from.consume(taken);
            if end.is_none() && line.len() <= LONGEST {
                continue;
            }
            let call = if *passing || end.is_none() { None } else { plain_call(line) };
            *passing = end.is_none();
            if call.is_none() {
                basket.put(line);
            }
            line.clear();
            if call.is_some() {
                return call;
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.to.lock().await.take();
        self.others.close().await
    }
}

/// A call of a tool with nothing but its name and arguments.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainCall<'a> {
    #[serde(rename = "jsonrpc")]
    _version: JsonRpcVersion2_0,
    id: RequestId,
    method: &'a str,
    params: PlainParams,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlainParams {
    name: String,
    arguments: Option<JsonObject>,
}

fn plain_call(line: &[u8]) -> Option<ClientJsonRpcMessage> {
    let call: PlainCall<'_> = serde_json::from_slice(line).ok()?;
    if call.method != "tools/call" {
        return None;
    }
    let mut params = CallToolRequestParams::new(call.params.name);
    params.arguments = call.params.arguments;
    Some(ClientJsonRpcMessage::request(ClientRequest::CallToolRequest(Request::new(params)), call.id))
}

/// Lines on their way to the SDK's reader, or from it.
#[derive(Clone, Default)]
struct Basket(Arc<Mutex<Held>>);

#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    closed: bool,
    waiting: Option<Waker>,
}

impl Basket {
    /// Nothing panics while it is held; if something did, the bytes would still be whole.
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, bytes: &[u8]) {
        self.change(|held| held.bytes.extend_from_slice(bytes));
    }

    fn close(&self) {
        self.change(|held| held.closed = true);
    }

    /// Everything that was put in, once there is something.
    fn taken(&self) -> impl Future<Output = Vec<u8>> {
        std::future::poll_fn(|cx| {
            let mut held = self.held();
            if held.bytes.is_empty() {
                held.waiting = Some(cx.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(std::mem::take(&mut held.bytes))
        })
    }

    /// Changes what is held, and wakes whoever waits for that.
    fn change(&self, change: impl FnOnce(&mut Held)) {
        let mut held = self.held();
        change(&mut held);
        if let Some(waker) = held.waiting.take() {
            waker.wake();
        }
    }
}

impl AsyncRead for Basket {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut held = self.held();
        if held.bytes.is_empty() && !held.closed {
            held.waiting = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let len = held.bytes.len().min(buf.remaining());
        buf.put_slice(&held.bytes[..len]);
        held.bytes.drain(..len);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Basket {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.put(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    async fn received(pieces: &[&[u8]]) -> Vec<Value> {
        let (mut client, server) = tokio::io::duplex(1 << 20);
        let (from, to) = tokio::io::split(server);
        let mut wire = Wire::new(from, to);
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
        let mut wire = Wire::new(from, to);
        let pong = |id: i64| {
            let result = rmcp::model::ServerResult::empty(());
            TxJsonRpcMessage::<RoleServer>::response(result, RequestId::Number(id))
        };
        let (one, other) = (wire.send(pong(1)), wire.send(pong(2)));
        let (mut heard, mut said) = tokio::io::split(client);
        // Both ways are as narrow as a few bytes: each end must be served while the other is.
        let say =
            async { said.write_all(b"{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": 7}\n").await.unwrap() };
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

    #[tokio::test]
    async fn a_long_line_is_passed_on_and_the_next_is_read_again() {
        let long = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": "x".repeat(3 * LONGEST)}}});
        let short = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "t"}});
        let all = [line(&long), line(&short), b"half a line".to_vec()].concat();
        assert_eq!(received(&[&all]).await, [long, short]);
    }

    proptest! {
        /// What is read here is what the SDK would have read.
        #[test]
        fn a_plain_call_means_the_same_to_both(name in ".{0,20}", key in ".{0,8}", text in ".{0,40}", id in any::<i64>()) {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": {key: text}}});
            let ours = plain_call(&line(&call)).expect("a plain call");
            let theirs: ClientJsonRpcMessage = serde_json::from_value(call).unwrap();
            prop_assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        }
    }

    #[test]
    fn anything_more_than_a_name_and_arguments_is_left_to_the_sdk() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","requestState":"s"}}"#,
            r#"{"jsonrpc":"1.0","id":1,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"t"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","name":"u"}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"t"}}"#,
            "no json",
        ] {
            assert!(plain_call(line.as_bytes()).is_none(), "{line}");
        }
    }
}
