//! What lies at an address is read: encrypted, within ten seconds, tried three times. May not ask a host that is not allowed.

use super::disk::{self, Content};
use super::expand::{Fetched, blocking};
use super::{LARGEST_BYTES, Surroundings};
use crate::FlowError;
use crate::imports::address::{Hosts, is_local, objection, redirected};
use runward::Code;
use std::io::Read;
use std::time::{Duration, Instant};

/// How long one try may take, redirects included.
const TRY: Duration = Duration::from_secs(10);
const REDIRECTS: usize = 5;

/// Why a try failed.
enum Failure {
    /// It may work another time.
    Passing(FlowError),
    Final(FlowError),
}

/// Reads the text at an address.
pub(super) async fn read<R>(address: &str, surroundings: &Surroundings<R>) -> Result<Fetched, FlowError> {
    let mut pauses = surroundings.pauses.iter();
    loop {
        let (asked, hosts) = (address.to_owned(), surroundings.hosts.clone());
        match blocking(move || attempt(&asked, &hosts)).await {
            Ok(text) => return Ok(Fetched { text, from: address.to_owned(), notes: Vec::new() }),
            Err(Failure::Final(error)) => return Err(error),
            Err(Failure::Passing(error)) => match pauses.next() {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return Err(error),
            },
        }
    }
}

/// One try: from redirect to redirect, each of which has to be allowed like the first.
#[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
fn attempt(address: &str, hosts: &Hosts) -> Result<String, Failure> {
    let deadline = Instant::now() + TRY;
    let mut current = address.to_owned();
    for _ in 0..=REDIRECTS {
        if let Some(reason) = objection(&current, hosts) {
            let error = FlowError::new(Code::FlowFetch, format!("`{current}` {reason}"));
            return Err(Failure::Final(error.hint("Use an `https` address on a host that is allowed.")));
        }
        let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let mut response = ask(&current, left)?;
        let status = response.status();
        if status.is_redirection()
            && let Some(target) = response.headers().get("location").and_then(|target| target.to_str().ok())
        {
            current = redirected(&current, target)
                .ok_or_else(|| Failure::Final(failed(&current, "it leads nowhere")))?;
            continue;
        }
        if !status.is_success() {
            let error = failed(&current, &format!("the host answered {status}"));
            let passing = status.is_server_error() || status.as_u16() == 429 || status.as_u16() == 408;
            return Err(if passing { Failure::Passing(error) } else { Failure::Final(error) });
        }
        return body(&current, &mut response);
    }
    Err(Failure::Final(failed(address, "it leads from one address to the next without end")))
}

fn ask(address: &str, left: Duration) -> Result<ureq::http::Response<ureq::Body>, Failure> {
    let mut config = ureq::Agent::config_builder()
        .timeout_global(Some(left))
        .max_redirects(0)
        .http_status_as_error(false)
        .user_agent(concat!("runward/", env!("CARGO_PKG_VERSION")));
    // Nobody stands between this machine and itself.
    if is_local(address) {
        config = config.proxy(None);
    }
    let agent: ureq::Agent = config.build().into();
    agent.get(address).call().map_err(|error| {
        let told = failed(address, &error.to_string());
        if matches!(error, ureq::Error::BadUri(_) | ureq::Error::Http(_)) {
            Failure::Final(told)
        } else {
            Failure::Passing(told)
        }
    })
}

fn body(address: &str, response: &mut ureq::http::Response<ureq::Body>) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let reader = response.body_mut().as_reader();
    let read = reader.take(LARGEST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Passing(failed(address, &error.to_string())))?;
    match disk::content(bytes) {
        Content::Text(text) => Ok(text),
        Content::TooLarge => Err(Failure::Final(disk::too_large(address))),
        Content::Binary => {
            let error =
                FlowError::new(Code::FlowImportBinary, format!("what lies at `{address}` is not text"));
            Err(Failure::Final(error.hint("Import an address that answers with text in UTF-8.")))
        }
    }
}

fn failed(address: &str, reason: &str) -> FlowError {
    let message = format!("`{address}` could not be read: {reason}");
    FlowError::new(Code::FlowFetch, message).hint("Try again, or save the page and import the file.")
}
