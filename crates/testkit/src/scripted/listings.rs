//! What the server offers at the moment: what it began with, and what was added since.

use super::{offers, options::Options, tools};
use serde_json::{Value, json};

/// Tools, resources and prompts, as they are listed.
#[derive(Debug)]
pub(crate) struct ScriptedListings {
    pub(crate) tools: Vec<Value>,
    pub(crate) resources: Vec<Value>,
    pub(crate) prompts: Vec<Value>,
}

impl ScriptedListings {
    /// What is offered at the start.
    pub(crate) fn new(options: &Options) -> Self {
        let mut tools = tools::all();
        tools.extend(options.tools.iter().map(|name| tools::named(name)));
        Self { tools, resources: offers::resources(), prompts: offers::prompts() }
    }

    /// Adds a tool of this name, unless it is there.
    pub(crate) fn add_tool(&mut self, name: &str) {
        if !holds(&self.tools, "name", name) {
            self.tools.push(tools::named(name));
        }
    }

    /// Takes the tool of this name away.
    pub(crate) fn remove_tool(&mut self, name: &str) {
        self.tools.retain(|tool| tool["name"] != name);
    }

    /// Adds a resource of this address, unless it is there.
    pub(crate) fn add_resource(&mut self, uri: &str) {
        if !holds(&self.resources, "uri", uri) {
            self.resources.push(json!({"uri": uri, "name": uri}));
        }
    }

    /// Adds a prompt of this name, unless it is there.
    pub(crate) fn add_prompt(&mut self, name: &str) {
        if !holds(&self.prompts, "name", name) {
            self.prompts.push(json!({"name": name}));
        }
    }
}

/// Whether a list has an item with this value of a key.
pub(crate) fn holds(items: &[Value], key: &str, value: &str) -> bool {
    items.iter().any(|item| item[key] == value)
}
