//! The accept loop: takes connections, each with its time limits and its place among the others.
//!
//! When the host has no file descriptors left it neither ends nor spins. May not look at requests.

use super::connections::{Answering, Connections, Place};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::response::Response;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};

/// The wait after the host gave no connection.
const PAUSE: Duration = Duration::from_millis(50);

/// The answer to a connection when every other one is busy.
const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/// How connections are served.
pub(super) struct Acceptance {
    pub(super) listener: TcpListener,
    pub(super) router: Router,
    /// Connections at the same time.
    pub(super) most: usize,
    /// How long the head of a request may take, and a connection may be idle.
    pub(super) header_time: Duration,
}

impl Acceptance {
    /// Takes connections; does not end by itself.
    pub(super) async fn run(self) {
        let all = Connections::new(self.most);
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.header_time);
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) => match all.enter() {
                    Some(place) => {
                        tokio::spawn(attend(http.clone(), self.router.clone(), stream, place));
                    }
                    // A client that does not read it sees the connection close.
                    None => drop(stream.try_write(BUSY)),
                },
                // The client is gone again.
                Err(error) if is_theirs(&error) => {}
                Err(_) => {
                    all.end_idle();
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }
}

fn is_theirs(error: &io::Error) -> bool {
    use io::ErrorKind as E;
    matches!(error.kind(), E::ConnectionAborted | E::ConnectionReset | E::ConnectionRefused | E::Interrupted)
}

/// Serves one connection until its client, its time limit or its place is gone.
async fn attend(http: http1::Builder, router: Router, stream: TcpStream, place: Arc<Place>) {
    let (inner, theirs) = (TowerToHyperService::new(router), Arc::clone(&place));
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let answering = theirs.answering();
        request.extensions_mut().insert(Arc::clone(&theirs));
        let answer = inner.call(request);
        async move { answer.await.map(|answer: Response| answer.map(|body| Told { body, _answering: answering })) }
    });
    tokio::select! {
        // How it ended makes no difference: it is over.
        _ = http.serve_connection(TokioIo::new(stream), service) => {}
        () = place.ended() => {}
    }
}

/// Marks the connection of this request as one that has shown the token.
pub(super) fn trust(request: &Request) {
    if let Some(place) = request.extensions().get::<Arc<Place>>() {
        place.trust();
    }
}

/// The body of an answer, in progress until all of it was sent.
struct Told {
    body: Body,
    _answering: Answering,
}

impl hyper::body::Body for Told {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
