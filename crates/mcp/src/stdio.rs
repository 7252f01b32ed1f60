//! One client over standard input and output, until it goes away or we are told to end.
//!
//! When the client closes our standard input, everything that runs for it ends. The SDK would wait some
//! seconds for running calls before it says so; here the reader itself is watched, and the engine is closed at
//! once. While nothing is read, because the client has to read its answers first, the end is seen all the same. May not
//! write anything but protocol to standard output, nor need a thread once it serves.

use crate::gateway::{Gateway, Joined};
use crate::light::Light;
use crate::server::{McpServer, ServerState};
use crate::wire::{Outbox, Telling, Traffic, Wire};
use rmcp::service::Service;
use rmcp::{RoleServer, ServiceExt};
use runward_engine::config::ServerBounds;
use runward_engine::host::{InputHangup, StandardInput, StandardOutput, standard_streams};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio_util::sync::CancellationToken;

/// How long answers that are ready may take to be written once nothing runs any more.
const FAREWELL: Duration = Duration::from_millis(200);

/// Our own standard streams, with the count of what is under way on them. Needs a tokio runtime, and is used once.
#[derive(Debug)]
pub struct StdioStreams {
    from: StandardInput,
    to: StandardOutput,
    bounds: ServerBounds,
    tell: Option<Telling>,
}

/// Opens them. Where the host cannot poll them, a thread is made for that, which may fail.
pub fn open(bounds: ServerBounds) -> io::Result<StdioStreams> {
    let (from, to) = standard_streams()?;
    Ok(StdioStreams { from, to, bounds, tell: None })
}

impl StdioStreams {
    /// The same, which tells the operator, once, when text comes that is no message.
    #[must_use]
    pub fn telling(mut self, tell: fn(&str)) -> Self {
        self.tell = Some(tell);
        self
    }

    /// Serves until the client is gone or `stop` comes; nothing is left running. Gives what `stop` gave, if it came.
    ///
    /// With a gateway, what its children offer is offered too.
    pub async fn serve<T>(
        self,
        state: Arc<ServerState>,
        gateway: Option<Arc<Gateway>>,
        stop: impl Future<Output = T>,
    ) -> Option<T> {
        let (gone, hangup) = (CancellationToken::new(), self.from.hangup());
        let traffic = Traffic::new(self.bounds);
        let from = WatchedStdin { reader: self.from, gone: gone.clone() };
        let ends = ConnectionEnds {
            from,
            to: Outbox::new(self.to, Arc::clone(&traffic)),
            traffic: Arc::clone(&traffic),
            tell: self.tell,
        };
        let children = McpServer::new(Arc::clone(&state));
        let service: Pin<Box<dyn Future<Output = ()> + Send>> = match &gateway {
            None => Box::pin(attend(children, ends)),
            Some(gateway) => Box::pin(attend(Joined::new(children, Arc::clone(gateway)), ends)),
        };
        tokio::pin!(service);
        let (stopped, over) = tokio::select! {
            stopped = stop => (Some(stopped), false),
            () = gone.cancelled() => (None, false),
            () = hung_up(&traffic, &hangup) => (None, false),
            () = &mut service => (None, true),
        };
        gateway.iter().for_each(|gateway| gateway.close());
        state.close().await;
        if !over {
            // A client that is gone needs no answer; one that only closed its writing end gets what was ready.
            let _ = tokio::time::timeout(FAREWELL, service).await;
        }
        stopped
    }
}

/// Waits until the other end of our input is closed while it is not read. A reader finds the end by itself.
async fn hung_up(traffic: &Traffic, hangup: &InputHangup) {
    loop {
        traffic.reading_is(false).await;
        tokio::select! {
            () = hangup.heard() => return,
            () = traffic.reading_is(true) => {}
        }
    }
}

/// The two ends of the connection, and the count of what is under way.
struct ConnectionEnds {
    from: WatchedStdin,
    to: Outbox<StandardOutput>,
    traffic: Arc<Traffic>,
    tell: Option<Telling>,
}

/// Speaks the protocol with one client. One that never sends `initialize` is not served.
async fn attend(server: impl Service<RoleServer>, ends: ConnectionEnds) {
    let wire = Wire::new(ends.from, ends.to.clone(), ends.traffic).telling(ends.tell);
    if let Ok(running) = Light(server).serve(wire).await {
        // How the connection ended makes no difference: it is over.
        let _ = running.waiting().await;
    }
    let _ = tokio::time::timeout(FAREWELL, ends.to.flushed()).await;
}

/// A reader that signals the end of its input.
struct WatchedStdin {
    reader: StandardInput,
    gone: CancellationToken,
}

impl AsyncRead for WatchedStdin {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = Pin::new(&mut self.reader).poll_read(cx, buf);
        let over = match &read {
            Poll::Ready(Ok(())) => buf.filled().len() == before && buf.remaining() > 0,
            Poll::Ready(Err(_)) => true,
            Poll::Pending => false,
        };
        if over {
            self.gone.cancel();
        }
        read
    }
}
