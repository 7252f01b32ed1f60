//! What lies at an address is read: encrypted, within ten seconds, tried three times. May not ask a host that is not allowed.

use super::disk::{self, Content};
use super::expand::Fetched;
use super::{LARGEST_BYTES, Surroundings};
use crate::FlowError;
use crate::imports::hosts::Hosts;
use crate::remote::{Address, MOST_HOPS};
use crate::run::web::{Deadline, Failure, Get, Response, failed, patiently};
use runward::Code;

/// Reads the text at an address.
pub(super) async fn read<R>(address: &str, surroundings: &Surroundings<R>) -> Result<Fetched, FlowError> {
    let (asked, hosts) = (address.to_owned(), surroundings.hosts.clone());
    let text = patiently(&surroundings.pauses, move || attempt(&asked, &hosts)).await?;
    Ok(Fetched { text, from: address.to_owned(), notes: Vec::new() })
}

/// One try: from redirect to redirect, each of which has to be allowed like the first.
fn attempt(address: &str, hosts: &Hosts) -> Result<String, Failure> {
    let deadline = Deadline::begin();
    let (mut current, _) = Address::parse(address).map_err(Failure::Final)?;
    for _ in 0..=MOST_HOPS {
        let shown = current.to_string();
        if let Some(reason) = hosts.objection(current.host()) {
            let error = FlowError::new(Code::FlowFetch, format!("`{shown}` {reason}"));
            return Err(Failure::Final(error.hint("Use an `https` address on a host that is allowed.")));
        }
        let get = Get { address: &shown, local: current.is_loopback(), etag: None };
        let mut response = get.ask(&deadline)?;
        if let Some(target) = response.leads_to() {
            current = current.follow(target).map_err(Failure::Final)?;
            continue;
        }
        let status = response.status();
        if !status.is_success() {
            let error = failed(&shown, &format!("the host answered {status}"));
            return Err(Failure::of_status(status.as_u16(), error));
        }
        return body(&shown, &mut response);
    }
    Err(Failure::Final(failed(address, "it leads from one address to the next without end")))
}

fn body(address: &str, response: &mut Response) -> Result<String, Failure> {
    let bytes = response.body(LARGEST_BYTES + 1);
    let bytes = bytes.map_err(|error| Failure::Passing(failed(address, &error.to_string())))?;
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
