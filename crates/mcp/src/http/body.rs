//! The body of a request, whole, within its size and its time.
//!
//! The rest of a body that is too large is read and dropped: its sender would otherwise not read the answer. May not parse it.

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::pin::Pin;
use std::time::Duration;

/// Why there is no body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoBody {
    TooLarge,
    TooSlow,
    NoMemory,
    Broken,
}

impl IntoResponse for NoBody {
    fn into_response(self) -> Response {
        let (status, words) = match self {
            NoBody::TooLarge => {
                (StatusCode::PAYLOAD_TOO_LARGE, "the request is larger than `mcp.request_bytes`\n")
            }
            NoBody::TooSlow => {
                (StatusCode::REQUEST_TIMEOUT, "the request took longer than `mcp.body_timeout_ms`\n")
            }
            NoBody::NoMemory => (StatusCode::SERVICE_UNAVAILABLE, "the host has no memory for the request\n"),
            NoBody::Broken => (StatusCode::BAD_REQUEST, "the request could not be read\n"),
        };
        (status, [(header::CONNECTION, "close")], words).into_response()
    }
}

/// Reads it.
pub(super) async fn whole(body: Body, most: usize, time: Duration) -> Result<Bytes, NoBody> {
    tokio::time::timeout(time, gathered(body, most)).await.unwrap_or(Err(NoBody::TooSlow))
}

async fn gathered(mut body: Body, most: usize) -> Result<Bytes, NoBody> {
    let (mut all, mut trouble) = (Vec::new(), None);
    while let Some(frame) = std::future::poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        let Ok(data) = frame.map_err(|_| NoBody::Broken)?.into_data() else { continue };
        if trouble.is_some() {
            continue;
        }
        trouble = match all.len() + data.len() {
            len if len > most => Some(NoBody::TooLarge),
            _ if all.try_reserve(data.len()).is_err() => Some(NoBody::NoMemory),
            _ => None,
        };
        match trouble {
            None => all.extend_from_slice(&data),
            Some(_) => all = Vec::new(),
        }
    }
    trouble.map_or_else(|| Ok(Bytes::from(all)), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_body_is_whole_or_there_is_a_reason() {
        let second = Duration::from_secs(1);
        assert_eq!(whole(Body::from("abcd"), 4, second).await, Ok(Bytes::from("abcd")));
        assert_eq!(whole(Body::from("abcde"), 4, second).await, Err(NoBody::TooLarge));
        assert_eq!(whole(Body::empty(), 0, second).await, Ok(Bytes::new()));
        assert_eq!(NoBody::TooSlow.into_response().status(), 408);
        assert_eq!(NoBody::NoMemory.into_response().status(), 503);
        assert_eq!(NoBody::Broken.into_response().status(), 400);
    }
}
