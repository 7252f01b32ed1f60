//! One question to a web server, and patience with those that fail. May not decide which addresses may be asked.

use crate::FlowError;
use crate::remote::{Address, MOST_HOPS};
use runward_engine::Code;
use std::error::Error;
use std::time::{Duration, Instant};

/// How long one try may take, redirects included.
const TRY: Duration = Duration::from_secs(10);

/// Why a try failed.
pub(super) enum FetchFailure {
    /// It may work another time.
    Passing(FlowError),
    Final(FlowError),
}

impl FetchFailure {
    /// What a status that is no success says about trying again.
    pub(super) fn of_status(status: u16, error: FlowError) -> Self {
        match status {
            408 | 429 | 500.. => FetchFailure::Passing(error),
            _ => FetchFailure::Final(error),
        }
    }
}

/// Tries again after each pause, as long as the failures are such that it may help.
pub(super) async fn patiently<T, F>(pauses: &[Duration], attempt: impl Fn() -> F) -> Result<T, FlowError>
where
    F: Future<Output = Result<T, FetchFailure>>,
{
    let mut pauses = pauses.iter();
    loop {
        match attempt().await {
            Ok(done) => return Ok(done),
            Err(FetchFailure::Final(error)) => return Err(error),
            Err(FetchFailure::Passing(error)) => match pauses.next() {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(error),
            },
        }
    }
}

/// The time that one try has.
struct Deadline(Instant);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    fn begin() -> Self {
        Self(Instant::now() + TRY)
    }

    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    fn left(&self) -> Duration {
        self.0.saturating_duration_since(Instant::now()).max(Duration::from_millis(1))
    }
}

/// One question, no redirect followed.
#[derive(Clone, Copy)]
struct Get<'a> {
    address: &'a str,
    /// Whether it lies on this machine: nobody stands between that and itself.
    local: bool,
    /// The version that is here already.
    etag: Option<&'a str>,
}

/// What a server answered.
pub(super) struct Response(reqwest::Response);

impl Get<'_> {
    async fn ask(self, deadline: &Deadline) -> Result<Response, FetchFailure> {
        // A program that has chosen another provider keeps it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut client = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(deadline.left())
            .user_agent(concat!("runward/", env!("CARGO_PKG_VERSION")));
        if self.local {
            client = client.no_proxy();
        }
        let told = |error| self.told(error);
        let mut request = client.build().map_err(told)?.get(self.address);
        if let Some(etag) = self.etag {
            request = request.header("If-None-Match", etag);
        }
        request.send().await.map(Response).map_err(told)
    }

    /// An error in words. What cannot be asked at all is not asked again.
    fn told(self, error: reqwest::Error) -> FetchFailure {
        let error = error.without_url();
        let told = failed(self.address, &chain(&error));
        if error.is_builder() { FetchFailure::Final(told) } else { FetchFailure::Passing(told) }
    }
}

impl Response {
    pub(super) fn status(&self) -> reqwest::StatusCode {
        self.0.status()
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.0.headers().get(name).and_then(|value| value.to_str().ok())
    }

    /// Where it sends us on to, if it does. 304 is one of the 300s and sends nobody anywhere.
    fn leads_to(&self) -> Option<&str> {
        let leads = self.status().is_redirection() && self.status().as_u16() != 304;
        self.header("location").filter(|_| leads)
    }

    /// This much of its body at the most.
    pub(super) async fn body(mut self, address: &str, most: usize) -> Result<Vec<u8>, FetchFailure> {
        let mut bytes = Vec::new();
        while bytes.len() < most {
            let chunk = self.0.chunk().await;
            let chunk =
                chunk.map_err(|error| FetchFailure::Passing(failed(address, &chain(&error.without_url()))));
            let Some(chunk) = chunk? else { break };
            bytes.extend_from_slice(&chunk[..chunk.len().min(most - bytes.len())]);
        }
        Ok(bytes)
    }
}

/// What the last of the addresses answers that one leads to, and that address. Each hop keeps the rules of the first, and
/// has to be allowed.
pub(super) async fn follow(
    first: &Address,
    etag: Option<&str>,
    allowed: impl Fn(&Address) -> Result<(), FlowError>,
) -> Result<(String, Response), FetchFailure> {
    let deadline = Deadline::begin();
    let mut current = first.clone();
    for _ in 0..=MOST_HOPS {
        allowed(&current).map_err(FetchFailure::Final)?;
        let shown = current.to_string();
        let get = Get { address: &shown, local: current.is_loopback(), etag };
        let response = get.ask(&deadline).await?;
        match response.leads_to() {
            Some(target) => current = current.follow(target).map_err(FetchFailure::Final)?,
            None => return Ok((shown, response)),
        }
    }
    let address = first.to_string();
    Err(FetchFailure::Final(failed(&address, "it leads from one address to the next without end")))
}

/// An error with its causes.
fn chain(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The error for an address that gave nothing.
pub(super) fn failed(address: &str, reason: &str) -> FlowError {
    let message = format!("`{address}` could not be read: {reason}");
    FlowError::new(Code::FlowFetch, message).hint("Try again, or save the page and use the file.")
}
