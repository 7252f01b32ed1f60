//! What lies at an address is read: encrypted, within ten seconds, tried three times. May not ask a host that is not allowed.

use super::disk::{self, Content};
use super::expand::FetchedImport;
use super::{LARGEST_BYTES, Surroundings};
use crate::FlowError;
use crate::imports::hosts::Hosts;
use crate::remote::Address;
use crate::run::web::{FetchFailure, Response, failed, follow, patiently};
use runward_engine::Code;

/// Reads the text at an address.
pub(super) async fn read<R>(
    address: &str,
    surroundings: &Surroundings<R>,
) -> Result<FetchedImport, FlowError> {
    let text = patiently(&surroundings.pauses, || attempt(address, &surroundings.hosts)).await?;
    Ok(FetchedImport { text, from: address.to_owned(), notes: Vec::new() })
}

async fn attempt(address: &str, hosts: &Hosts) -> Result<String, FetchFailure> {
    let (address, _) = Address::parse(address).map_err(FetchFailure::Final)?;
    let allowed = |address: &Address| match hosts.objection(address.host()) {
        None => Ok(()),
        Some(reason) => Err(FlowError::new(Code::FlowFetch, format!("`{address}` {reason}"))
            .hint("Use an `https` address on a host that is allowed.")),
    };
    let (shown, response) = follow(&address, None, allowed).await?;
    let status = response.status();
    if !status.is_success() {
        let error = failed(&shown, &format!("the host answered {status}"));
        return Err(FetchFailure::of_status(status.as_u16(), error));
    }
    body(&shown, response).await
}

async fn body(address: &str, response: Response) -> Result<String, FetchFailure> {
    let most = usize::try_from(LARGEST_BYTES).unwrap_or(usize::MAX).saturating_add(1);
    match disk::content(response.body(address, most).await?) {
        Content::Text(text) => Ok(text),
        Content::TooLarge => Err(FetchFailure::Final(disk::too_large(address))),
        Content::Binary => {
            let error =
                FlowError::new(Code::FlowImportBinary, format!("what lies at `{address}` is not text"));
            Err(FetchFailure::Final(error.hint("Import an address that answers with text in UTF-8.")))
        }
    }
}
