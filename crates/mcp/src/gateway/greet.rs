//! The greeting of a child, and the lists of what it offers.
//!
//! A child sees the client that the gateway serves: its name, and what it can be asked for. An entry of a list that
//! cannot be read is left out, and the log says so. May not keep anything.

use super::config::ToolFilter;
use super::host::Host;
use super::link::{Failed, Link};
use super::listing::ChildOffer;
use rmcp::model::ProtocolVersion;
use runward::control::Tail;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

/// The most pages of one list. A child that never comes to an end is not asked for ever.
const MOST_PAGES: usize = 1000;

/// What a child said to the greeting.
#[derive(Debug, Clone, Default)]
pub(super) struct Greeted {
    can: Value,
}

impl Greeted {
    /// Whether it has something of this kind.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.can.get(kind).is_some_and(|value| !value.is_null())
    }
}

/// Greets a child.
pub(super) async fn greet(link: &Link, host: &Host, within: Duration) -> Result<Greeted, String> {
    let params = json!({
        "protocolVersion": ProtocolVersion::V_2025_11_25,
        "capabilities": host.can,
        "clientInfo": host.name,
    });
    let answer = match link.question("initialize", params, within).await {
        Ok(answer) => answer,
        // Whoever listens to it knows how it ended, and says so.
        Err(Failed::Gone) => std::future::pending().await,
        Err(Failed::Late) => {
            let millis = within.as_millis();
            return Err(format!("it did not answer the greeting within {millis}ms (`startup_timeout_ms`)"));
        }
        Err(Failed::Refused(error)) => return Err(format!("it refused the greeting: {}", error.message)),
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
    link: &Link,
    greeted: &Greeted,
    server: (&str, &ToolFilter),
    log: &Tail,
    within: Duration,
) -> Result<ChildOffer, String> {
    let (key, filter) = server;
    let mut offer = ChildOffer { server: key.to_owned(), filter: filter.clone(), ..ChildOffer::default() };
    let lists = Lists { link, log, within };
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
    link: &'a Link,
    log: &'a Tail,
    within: Duration,
}

impl Lists<'_> {
    /// Every entry of a list, page by page.
    async fn all<T: DeserializeOwned>(&self, method: &str, field: &str) -> Result<Vec<T>, String> {
        let (mut all, mut cursor) = (Vec::new(), None::<Value>);
        for _ in 0..MOST_PAGES {
            let params = cursor.map_or_else(|| json!({}), |cursor| json!({ "cursor": cursor }));
            let mut page = match self.link.question(method, params, self.within).await {
                Ok(page) => page,
                // What it does not know it does not have.
                Err(Failed::Refused(_)) => return Ok(all),
                Err(Failed::Gone) => std::future::pending().await,
                Err(Failed::Late) => return Err(format!("it did not answer `{method}` in time")),
            };
            if let Value::Array(entries) = page[field].take() {
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
