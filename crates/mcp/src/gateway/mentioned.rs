//! Addresses that children named in their answers, and the child of each.
//!
//! A link in an answer can be followed at once, and a server need not list what it links to. May not overrule a list:
//! the server that lists an address has it.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many addresses are remembered. A child that names ever new ones must not fill our memory.
const MOST: usize = 4096;

/// What was named.
#[derive(Debug, Default)]
pub(super) struct Mentioned(Mutex<HashMap<String, String>>);

impl Mentioned {
    /// Takes the addresses out of a child's answer.
    pub(super) fn note(&self, server: &str, answer: &Value) {
        for address in addresses(answer) {
            let mut named = self.named();
            if named.len() >= MOST && !named.contains_key(address) {
                named.clear();
            }
            named.insert(address.to_owned(), server.to_owned());
        }
    }

    /// The server that named this address last.
    pub(super) fn server(&self, address: &str) -> Option<String> {
        self.named().get(address).cloned()
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn named(&self) -> MutexGuard<'_, HashMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Links and embedded resources in the answer of a tool or a prompt.
fn addresses(answer: &Value) -> impl Iterator<Item = &str> {
    let tools = answer["content"].as_array().into_iter().flatten();
    let prompts = answer["messages"].as_array().into_iter().flatten().map(|message| &message["content"]);
    let links = |block: &'_ Value| match block["type"].as_str() {
        Some("resource_link") => Some("/uri"),
        Some("resource") => Some("/resource/uri"),
        _ => None,
    };
    tools.chain(prompts).filter_map(move |block| block.pointer(links(block)?)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_answers_link_to_or_hold_leads_back_to_the_child() {
        let mentioned = Mentioned::default();
        mentioned.note(
            "one",
            &json!({"content": [
                {"type": "resource_link", "uri": "a://1"},
                {"type": "text", "text": "a://2", "uri": "a://2"},
                {"type": "resource", "resource": {"uri": "a://3"}},
            ]}),
        );
        mentioned.note(
            "two",
            &json!({"messages": [{"content": {"type": "resource", "resource": {"uri": "a://4"}}}]}),
        );
        let of = |address| mentioned.server(address);
        assert_eq!([of("a://1"), of("a://2")], [Some("one".to_owned()), None]);
        assert_eq!([of("a://3"), of("a://4")], [Some("one".to_owned()), Some("two".to_owned())]);
    }

    #[test]
    fn no_child_makes_us_remember_without_end() {
        let mentioned = Mentioned::default();
        for n in 0..=MOST {
            mentioned
                .note("one", &json!({"content": [{"type": "resource_link", "uri": format!("a://{n}")}]}));
        }
        assert!(mentioned.named().len() <= MOST);
        assert_eq!(mentioned.server(&format!("a://{MOST}")), Some("one".to_owned()));
    }
}
