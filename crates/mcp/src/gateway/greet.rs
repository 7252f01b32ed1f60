//! The `initialize` of a child, and the lists of what it offers.
//!
//! A child sees the client that the gateway serves: its name, and its capabilities. An entry of a list that
//! cannot be read is left out, and the log says so. May not keep anything.

use super::config::ToolFilter;
use super::host::ClientProxy;
use super::link::{ChildLink, RequestFailure};
use super::listing::ChildOffer;
use super::sparing::weight;
use rmcp::model::ProtocolVersion;
use runward_engine::control::Tail;
use runward_engine::core::render::bytes;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

/// The most pages of one list. A child that never comes to an end is not asked for ever.
const MOST_PAGES: usize = 1000;

/// Memory that all lists of one child may take.
pub(super) const LISTED_BYTES: usize = 64 * 1024 * 1024;
/// What a page counts at least.
const LEAST_PAGE: usize = 1024;

/// A child's answer to `initialize`.
#[derive(Debug, Clone, Default)]
pub(super) struct Greeted {
    can: Value,
}

impl Greeted {
    /// Whether it has this capability.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.can.get(kind).is_some_and(|value| !value.is_null())
    }
}

/// Initializes a child.
pub(super) async fn greet(link: &ChildLink, host: &ClientProxy, within: Duration) -> Result<Greeted, String> {
    let params = json!({
        "protocolVersion": ProtocolVersion::V_2025_11_25,
        "capabilities": host.can,
        "clientInfo": host.name,
    });
    let answer = match link.question("initialize", params, within).await {
        Ok(answer) => answer,
        // The task that reads it knows how it ended, and says so.
        Err(RequestFailure::Gone) => std::future::pending().await,
        Err(RequestFailure::Late) => {
            let millis = within.as_millis();
            return Err(format!("it did not answer `initialize` within {millis}ms (`startup_timeout_ms`)"));
        }
        Err(RequestFailure::Refused(error)) => {
            return Err(format!("it refused `initialize`: {}", error.message));
        }
        Err(RequestFailure::Useless(why)) => return Err(format!("it {why}")),
        Err(RequestFailure::Busy) => return Err("too many requests wait for its `initialize`".to_owned()),
    };
    let version: Option<ProtocolVersion> = serde_json::from_value(answer["protocolVersion"].clone()).ok();
    let known = |version: &ProtocolVersion| ProtocolVersion::KNOWN_VERSIONS.contains(version);
    if !version.as_ref().is_some_and(known) {
        let said = &answer["protocolVersion"];
        return Err(format!("it speaks the revision {said} of the protocol, which is not known here"));
    }
    link.tell("notifications/initialized", None);
    Ok(Greeted { can: answer["capabilities"].clone() })
}

/// Asks a child for everything it offers.
pub(super) async fn lists(
    link: &ChildLink,
    greeted: &Greeted,
    server: (&str, &ToolFilter),
    log: &Tail,
    within: Duration,
) -> Result<ChildOffer, String> {
    let (key, filter) = server;
    let mut offer = ChildOffer { server: key.to_owned(), filter: filter.clone(), ..ChildOffer::default() };
    let mut lists = Lists { link, log, within, left: LISTED_BYTES };
    if greeted.has("tools") {
        offer.tools = lists.all("tools/list", "tools").await?;
    }
    if greeted.has("prompts") {
        offer.prompts = lists.all("prompts/list", "prompts").await?;
    }
    if greeted.has("resources") {
        offer.resources = lists.all("resources/list", "resources").await?;
        offer.templates = lists.all("resources/templates/list", "resourceTemplates").await?;
    }
    Ok(offer)
}

struct Lists<'a> {
    link: &'a ChildLink,
    log: &'a Tail,
    within: Duration,
    /// Memory that its lists may still take.
    left: usize,
}

impl Lists<'_> {
    /// Every entry of a list, page by page.
    async fn all<T: DeserializeOwned>(&mut self, method: &str, field: &str) -> Result<Vec<T>, String> {
        let (mut all, mut cursor) = (Vec::new(), None::<Value>);
        for _ in 0..MOST_PAGES {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let mut page = match self.link.question(method, params, self.within).await {
                Ok(page) => page,
                // A method that it does not know means an empty list.
                Err(RequestFailure::Refused(_)) => return Ok(all),
                Err(RequestFailure::Gone) => std::future::pending().await,
                Err(RequestFailure::Late | RequestFailure::Busy) => {
                    return Err(format!("it did not answer `{method}` in time"));
                }
                Err(RequestFailure::Useless(why)) => return Err(format!("asked for `{method}`, it {why}")),
            };
            if let Value::Array(entries) = page[field].take() {
                let weight = entries.iter().map(weight).sum::<usize>().max(LEAST_PAGE);
                let Some(left) = self.left.checked_sub(weight) else {
                    let most = bytes(LISTED_BYTES as u64);
                    self.log.remark(&format!(
                        "its lists take more than {most}; the rest of `{method}` is left out"
                    ));
                    return Ok(all);
                };
                self.left = left;
                all.extend(entries.into_iter().filter_map(|entry| self.read(method, entry)));
            }
            match page["nextCursor"].take() {
                Value::Null => return Ok(all),
                next => cursor = Some(next),
            }
        }
        self.log.remark(&format!("`{method}` has more than {MOST_PAGES} pages; the rest is left out"));
        Ok(all)
    }

    fn read<T: DeserializeOwned>(&self, method: &str, entry: Value) -> Option<T> {
        let name = entry.get("name").or_else(|| entry.get("uri")).cloned().unwrap_or_default();
        serde_json::from_value(entry)
            .inspect_err(|error| {
                self.log.remark(&format!("an entry of `{method}` is left out, {name}: {error}"));
            })
            .ok()
    }
}
