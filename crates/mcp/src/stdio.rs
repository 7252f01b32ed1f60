//! One client over standard input and output, until it goes away or we are told to end.
//!
//! The client's end of our input closing is the end of everything that runs for it. The SDK would wait some
//! seconds for running calls before it says so; here the reader itself is watched, and the engine is closed at
//! once. May not write anything but protocol to standard output.

use crate::gateway::{Gateway, Joined};
use crate::light::Light;
use crate::server::{Desk, Server};
use crate::wire::Wire;
use rmcp::service::Service;
use rmcp::transport::io::{StdioReader, StdioWriter, stdio_pipes};
use rmcp::{RoleServer, ServiceExt};
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

/// Serves until the client is gone or `stop` comes; nothing is left running. Gives what `stop` gave, if it came.
///
/// With a gateway, what its children offer is offered too.
pub async fn serve<T>(
    desk: Arc<Desk>,
    gateway: Option<Arc<Gateway>>,
    stop: impl Future<Output = T>,
) -> Option<T> {
    let (reader, writer) = stdio_pipes();
    let gone = CancellationToken::new();
    let (house, watched) = (Server::new(Arc::clone(&desk)), Watched { reader, gone: gone.clone() });
    let service: Pin<Box<dyn Future<Output = ()> + Send>> = match &gateway {
        None => Box::pin(attend(house, watched, writer)),
        Some(gateway) => Box::pin(attend(Joined::new(house, Arc::clone(gateway)), watched, writer)),
    };
    tokio::pin!(service);
    let (stopped, over) = tokio::select! {
        stopped = stop => (Some(stopped), false),
        () = gone.cancelled() => (None, false),
        () = &mut service => (None, true),
    };
    gateway.iter().for_each(|gateway| gateway.close());
    desk.close().await;
    if !over {
        // Whoever is gone needs no answer; whoever only closed its writing end gets what was ready.
        let _ = tokio::time::timeout(FAREWELL, service).await;
    }
    stopped
}

/// Speaks the protocol with one client. One that never says hello is not served.
async fn attend(server: impl Service<RoleServer>, reader: Watched, writer: StdioWriter) {
    if let Ok(running) = Light(server).serve(Wire::new(reader, writer)).await {
        // How the connection ended makes no difference: it is over.
        let _ = running.waiting().await;
    }
}

/// A reader that tells when there is nothing more to read.
struct Watched {
    reader: StdioReader,
    gone: CancellationToken,
}

impl AsyncRead for Watched {
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
