//! One question to a web server, and patience with those that fail. May not decide which addresses may be asked.

use super::gather::blocking;
use crate::FlowError;
use runward::Code;
use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How long one try may take, redirects included.
const TRY: Duration = Duration::from_secs(10);

/// Why a try failed.
pub(super) enum Failure {
    /// It may work another time.
    Passing(FlowError),
    Final(FlowError),
}

impl Failure {
    /// What a status that is no success says about trying again.
    pub(super) fn of_status(status: u16, error: FlowError) -> Self {
        match status {
            408 | 429 | 500.. => Failure::Passing(error),
            _ => Failure::Final(error),
        }
    }
}

/// Tries again after each pause, as long as the failures are such that it may help.
pub(super) async fn patiently<T: Send + 'static>(
    pauses: &[Duration],
    attempt: impl Fn() -> Result<T, Failure> + Clone + Send + 'static,
) -> Result<T, FlowError> {
    let mut pauses = pauses.iter();
    loop {
        match blocking(attempt.clone()).await {
            Ok(done) => return Ok(done),
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Passing(error)) => match pauses.next() {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(error),
            },
        }
    }
}

/// The time that one try has.
pub(super) struct Deadline(Instant);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    pub(super) fn begin() -> Self {
        Self(Instant::now() + TRY)
    }

    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    fn left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
    }
}

/// One question, no redirect followed.
#[derive(Clone, Copy)]
pub(super) struct Get<'a> {
    pub(super) address: &'a str,
    /// Whether it lies on this machine: nobody stands between that and itself.
    pub(super) local: bool,
    /// The version that is here already.
    pub(super) etag: Option<&'a str>,
}

/// What a server answered.
pub(super) struct Response(ureq::http::Response<ureq::Body>);

impl Get<'_> {
    pub(super) fn ask(self, deadline: &Deadline) -> Result<Response, Failure> {
        let mut config = ureq::Agent::config_builder()
            .timeout_global(Some(deadline.left()))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("runward/", env!("CARGO_PKG_VERSION")));
        if self.local {
            config = config.proxy(None);
        }
        let agent: ureq::Agent = config.build().into();
        let mut request = agent.get(self.address);
        if let Some(etag) = self.etag {
            request = request.header("If-None-Match", etag);
        }
        request.call().map(Response).map_err(|error| {
            let told = failed(self.address, &error.to_string());
            if matches!(error, ureq::Error::BadUri(_) | ureq::Error::Http(_)) {
                Failure::Final(told)
            } else {
                Failure::Passing(told)
            }
        })
    }
}

impl Response {
    pub(super) fn status(&self) -> ureq::http::StatusCode {
        self.0.status()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.0.headers().get(name).and_then(|value| value.to_str().ok())
    }

    /// Where it sends us on to, if it does. 304 is one of the 300s and sends nobody anywhere.
    pub(super) fn leads_to(&self) -> Option<&str> {
        let leads = self.status().is_redirection() && self.status().as_u16() != 304;
        self.header("location").filter(|_| leads)
    }

    /// This much of its body at the most.
    pub(super) fn body(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.body_mut().as_reader().take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The error for an address that gave nothing.
pub(super) fn failed(address: &str, reason: &str) -> FlowError {
    let message = format!("`{address}` could not be read: {reason}");
    FlowError::new(Code::FlowFetch, message).hint("Try again, or save the page and use the file.")
}
