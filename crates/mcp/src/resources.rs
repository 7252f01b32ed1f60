//! Resources: the output and the receipt of finished commands, `runward://exec/ID/stdout|stderr|receipt`.
//!
//! A part of a stream is asked for with `?offset=BYTES&length=BYTES`. May not show one client what another ran.

use crate::client::ClientState;
use crate::finished::KnownCommand;
use crate::veil::Veil;
use rmcp::ErrorData;
use rmcp::model::{
    ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult, Resource, ResourceContents,
    ResourceTemplate,
};
use runward_engine::registry::shown_part;
use runward_engine::{RunId, Stream};
use serde_json::{Value, json};

const SCHEME: &str = "runward://exec/";

/// Bytes of one part, at most and by default.
const PART: usize = 1024 * 1024;

/// What can be read of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Face {
    Stream(Stream),
    Receipt,
}

const FACES: &[(&str, Face, &str)] = &[
    ("stdout", Face::Stream(Stream::Stdout), "the command's standard output"),
    ("stderr", Face::Stream(Stream::Stderr), "the command's standard error"),
    ("receipt", Face::Receipt, "the command's receipt, without its output"),
];

/// A resource, as asked for.
#[derive(Debug, PartialEq, Eq)]
struct ResourceAddress<'a> {
    id: &'a str,
    face: Face,
    offset: u64,
    length: usize,
}

/// Everything a client can read now.
pub(crate) fn list(client: &ClientState) -> ListResourcesResult {
    let of = |id: RunId| {
        FACES.iter().map(move |(name, face, about)| {
            let uri = format!("{SCHEME}{id}/{name}");
            Resource::new(uri, format!("{name} of {id}")).with_description(*about).with_mime_type(kind(*face))
        })
    };
    ListResourcesResult::with_all_items(client.shelf.ids().into_iter().flat_map(of).collect())
}

/// The shapes of what can be read.
pub(crate) fn templates() -> ListResourceTemplatesResult {
    let all = FACES.iter().map(|(name, face, about)| {
        let range = if *face == Face::Receipt { "" } else { "{?offset,length}" };
        ResourceTemplate::new(format!("{SCHEME}{{id}}/{name}{range}"), *name)
            .with_description(format!("{about}, by the `id` that its result has"))
            .with_mime_type(kind(*face))
    });
    ListResourceTemplatesResult::with_all_items(all.collect())
}

/// Reads one resource.
pub(crate) async fn read(
    client: &ClientState,
    uri: &str,
    veil: &Veil,
) -> Result<ReadResourceResult, ErrorData> {
    // A caller with many requests can tell which one it was.
    let named = || Some(json!({"uri": uri}));
    let asked = parse(uri).map_err(|what| ErrorData::invalid_params(what, named()))?;
    let found = client.shelf.find(asked.id).await;
    let gone = || format!("there is no resource `{uri}` any more, or it never existed");
    let known = found.ok_or_else(|| ErrorData::resource_not_found(gone(), named()))?;
    let text = match asked.face {
        Face::Receipt => veil.over_fields(receipt(&known)).to_string(),
        Face::Stream(stream) => part(&known, stream, &asked, veil),
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(kind(asked.face));
    Ok(ReadResourceResult::new(vec![contents]))
}

fn kind(face: Face) -> &'static str {
    if face == Face::Receipt { "application/json" } else { "text/plain" }
}

fn part(known: &KnownCommand, stream: Stream, asked: &ResourceAddress<'_>, veil: &Veil) -> String {
    let ledger = match known {
        KnownCommand::Here(finished) => &finished.ledger,
        KnownCommand::Recalled(recalled) => &recalled.ledger,
    };
    shown_part(ledger, stream, (asked.offset, asked.length), veil.hiding().as_ref())
}

fn receipt(known: &KnownCommand) -> Value {
    let finished = match known {
        KnownCommand::Here(finished) => finished,
        // A record has no output in it.
        KnownCommand::Recalled(recalled) => return serde_json::to_value(&recalled.whole).unwrap_or_default(),
    };
    serde_json::to_value(finished.receipt.facts()).unwrap_or_default()
}

fn parse(uri: &str) -> Result<ResourceAddress<'_>, String> {
    let unknown = || format!("`{uri}` is not of the form `{SCHEME}ID/stdout`, `…/stderr` or `…/receipt`");
    let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
    let (id, name) = path.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')).ok_or_else(unknown)?;
    let (_, face, _) = FACES.iter().find(|(known, ..)| *known == name).ok_or_else(unknown)?;
    let mut asked = ResourceAddress { id, face: *face, offset: 0, length: PART };
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{pair}` is not a whole number"));
        match pair.split_once('=') {
            Some(("offset", text)) => asked.offset = number(text)?,
            Some(("length", text)) => asked.length = length(number(text)?)?,
            _ => return Err(format!("`{pair}` is neither `offset=BYTES` nor `length=BYTES`")),
        }
    }
    Ok(asked)
}

fn length(bytes: u64) -> Result<usize, String> {
    let fits = usize::try_from(bytes).ok().filter(|bytes| (1..=PART).contains(bytes));
    fits.ok_or_else(|| format!("`length` is {bytes}, which is not between 1 and {PART}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_with_their_range() {
        let asked = parse("runward://exec/abc/stdout?offset=5&length=10").unwrap();
        assert_eq!(
            asked,
            ResourceAddress { id: "abc", face: Face::Stream(Stream::Stdout), offset: 5, length: 10 }
        );
        assert_eq!(parse("runward://exec/abc/receipt").unwrap().face, Face::Receipt);
    }

    #[test]
    fn what_is_no_address_is_said_to_be_none() {
        for uri in [
            "",
            "file:///etc/passwd",
            "runward://exec/abc",
            "runward://exec/abc/stdin",
            "runward://exec/a/b/c",
        ] {
            assert!(parse(uri).unwrap_err().contains("is not of the form"), "{uri}");
        }
        assert!(parse("runward://exec/a/stdout?offset=-1").unwrap_err().contains("`offset=-1`"));
        assert!(parse("runward://exec/a/stdout?length=0").unwrap_err().contains("not between 1 and 1048576"));
        assert!(parse("runward://exec/a/stdout?size=3").unwrap_err().contains("`size=3`"));
    }
}
