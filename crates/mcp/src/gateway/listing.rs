//! The lists of all children as one: published names, addresses, and the way back to the child.
//!
//! Tools and prompts get published names; addresses of resources are passed unchanged, and where two children
//! claim one, the first in the file has it. A child that is down keeps its last offer, so that its tools answer
//! with an error rather than vanish: the holder of the offers sees to that. May not ask a child.

use super::config::ToolFilter;
use super::names::{PublishedNames, ToolNaming, ToolOrigin};
pub use super::passed_tool::PassedTool;
use super::template::UriTemplate;
use rmcp::model::{Prompt, Resource, ResourceTemplate};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// What one child offers, in its own names. This is what is remembered of it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ChildOffer {
    /// The key of the server.
    #[serde(skip)]
    pub server: String,
    /// Which of its tools are shown.
    #[serde(skip)]
    pub filter: ToolFilter,
    /// Its tools.
    pub tools: Vec<PassedTool>,
    /// Its prompts.
    pub prompts: Vec<Prompt>,
    /// Its resources.
    pub resources: Vec<Resource>,
    /// Its templates of resources.
    pub templates: Vec<ResourceTemplate>,
}

impl ChildOffer {
    /// Whether both list the same.
    pub(super) fn lists_the_same(&self, other: &Self) -> bool {
        self.tools == other.tools
            && self.prompts == other.prompts
            && self.resources == other.resources
            && self.templates == other.templates
    }
}

/// What clients see.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    tools: Vec<PassedTool>,
    prompts: Vec<Prompt>,
    resources: Vec<Resource>,
    templates: Vec<ResourceTemplate>,
    tool_names: PublishedNames,
    prompt_names: PublishedNames,
    addresses: HashMap<String, String>,
    patterns: Vec<(UriTemplate, String)>,
    template_owners: HashMap<String, String>,
    clashes: Vec<Clash>,
}

/// Something that two children, or one child twice, claim to have.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Clash {
    /// The name, address or template.
    pub what: String,
    /// Who has it.
    pub kept: String,
    /// The server that is passed over.
    pub passed_over: String,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, kept, passed_over } = self;
        if kept == passed_over {
            write!(f, "the server `{kept}` lists `{what}` twice; the first one counts")
        } else {
            write!(
                f,
                "the servers `{kept}` and `{passed_over}` both list `{what}`; `{kept}` comes first and has it"
            )
        }
    }
}

/// Which lists differ, each with a `list_changed` of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Changes {
    /// `notifications/tools/list_changed` is due.
    pub tools: bool,
    /// `notifications/prompts/list_changed` is due.
    pub prompts: bool,
    /// `notifications/resources/list_changed` is due: resources or their templates differ.
    pub resources: bool,
}

impl Listing {
    /// One listing of these offers, which stand in the order of the file.
    pub fn of(offers: &[ChildOffer], naming: &ToolNaming) -> Self {
        let mut listing = Self {
            tool_names: naming.publish(offers.iter().flat_map(shown_tools).map(|(origin, _)| origin)),
            prompt_names: naming.publish(offers.iter().flat_map(prompts).map(|(origin, _)| origin)),
            ..Self::default()
        };
        for offer in offers {
            listing.add_tools(offer);
            listing.add_prompts(offer);
            listing.add_resources(offer);
            listing.add_templates(offer);
        }
        listing
    }

    fn add_tools(&mut self, offer: &ChildOffer) {
        let mut seen = HashSet::new();
        for (origin, tool) in shown_tools(offer) {
            if !seen.insert(tool.name.as_ref()) {
                self.clash(&tool.name, &offer.server, &offer.server);
            } else if let Some(name) = self.tool_names.published(&origin) {
                self.tools.push(tool.renamed(name));
            }
        }
    }

    fn add_prompts(&mut self, offer: &ChildOffer) {
        let mut seen = HashSet::new();
        for (origin, prompt) in prompts(offer) {
            if !seen.insert(prompt.name.as_str()) {
                self.clash(&prompt.name, &offer.server, &offer.server);
            } else if let Some(name) = self.prompt_names.published(&origin) {
                let mut prompt = prompt.clone();
                prompt.name = name.to_owned();
                self.prompts.push(prompt);
            }
        }
    }

    fn add_resources(&mut self, offer: &ChildOffer) {
        for resource in &offer.resources {
            if let Some(first) = self.addresses.get(&resource.uri).cloned() {
                self.clash(&resource.uri, &first, &offer.server);
                continue;
            }
            self.addresses.insert(resource.uri.clone(), offer.server.clone());
            self.resources.push(resource.clone());
        }
    }

    fn add_templates(&mut self, offer: &ChildOffer) {
        for template in &offer.templates {
            if let Some(first) = self.template_owners.get(&template.uri_template).cloned() {
                self.clash(&template.uri_template, &first, &offer.server);
                continue;
            }
            self.template_owners.insert(template.uri_template.clone(), offer.server.clone());
            self.patterns.push((UriTemplate::new(&template.uri_template), offer.server.clone()));
            self.templates.push(template.clone());
        }
    }

    fn clash(&mut self, what: &str, kept: &str, passed_over: &str) {
        let [what, kept, passed_over] = [what, kept, passed_over].map(str::to_owned);
        self.clashes.push(Clash { what, kept, passed_over });
    }

    /// All tools, by their published names.
    pub fn tools(&self) -> &[PassedTool] {
        &self.tools
    }

    /// All prompts, by their published names.
    pub fn prompts(&self) -> &[Prompt] {
        &self.prompts
    }

    /// All resources.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// All templates of resources.
    pub fn templates(&self) -> &[ResourceTemplate] {
        &self.templates
    }

    /// The server and its own name of a published tool. A tool that the filter hides is not found.
    pub fn tool(&self, published: &str) -> Option<&ToolOrigin> {
        self.tool_names.origin(published)
    }

    /// The server and its own name of a published prompt.
    pub fn prompt(&self, published: &str) -> Option<&ToolOrigin> {
        self.prompt_names.origin(published)
    }

    /// The server of a resource: the one that lists the address, else the first with a template that fits.
    pub fn resource(&self, address: &str) -> Option<&str> {
        let fitting = || self.patterns.iter().find(|(template, _)| template.fits(address));
        self.addresses.get(address).or_else(|| fitting().map(|(_, server)| server)).map(String::as_str)
    }

    /// The server of a template, which completions name as it is written.
    pub fn template(&self, text: &str) -> Option<&str> {
        self.template_owners.get(text).map(String::as_str)
    }

    /// What was claimed twice: warnings for the log.
    pub fn clashes(&self) -> &[Clash] {
        &self.clashes
    }

    /// The lists that a client with the earlier listing must be notified of.
    pub fn changes_since(&self, earlier: &Listing) -> Changes {
        Changes {
            tools: self.tools != earlier.tools,
            prompts: self.prompts != earlier.prompts,
            resources: self.resources != earlier.resources || self.templates != earlier.templates,
        }
    }
}

fn shown_tools(offer: &ChildOffer) -> impl Iterator<Item = (ToolOrigin, &PassedTool)> {
    let shown = offer.tools.iter().filter(|tool| offer.filter.admits(&tool.name));
    shown.map(|tool| (ToolOrigin::new(&offer.server, &tool.name), tool))
}

fn prompts(offer: &ChildOffer) -> impl Iterator<Item = (ToolOrigin, &Prompt)> {
    offer.prompts.iter().map(|prompt| (ToolOrigin::new(&offer.server, &prompt.name), prompt))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tool(name: &str) -> PassedTool {
        serde_json::from_value(serde_json::json!({"name": name, "inputSchema": {}})).unwrap()
    }

    fn prompt(name: &str) -> Prompt {
        Prompt::new(name, None::<String>, None)
    }

    fn offer(server: &str, tools: &[&str], addresses: &[&str]) -> ChildOffer {
        ChildOffer {
            server: server.to_owned(),
            tools: tools.iter().map(|name| tool(name)).collect(),
            resources: addresses.iter().map(|&address| Resource::new(address, "r")).collect(),
            ..ChildOffer::default()
        }
    }

    fn listing(offers: &[ChildOffer]) -> Listing {
        Listing::of(offers, &ToolNaming::default())
    }

    fn names(listing: &Listing) -> Vec<&str> {
        listing.tools().iter().map(|tool| tool.name.as_ref()).collect()
    }

    #[test]
    fn tools_of_all_children_stand_in_the_order_of_the_file_and_lead_back() {
        let listing = listing(&[offer("b", &["x", "y"], &[]), offer("a", &["x"], &[])]);
        assert_eq!(names(&listing), ["b__x", "b__y", "a__x"]);
        assert_eq!(listing.tool("a__x"), Some(&ToolOrigin::new("a", "x")));
        assert_eq!(listing.tool("x"), None);
    }

    #[test]
    fn only_the_name_of_a_tool_is_changed() {
        let one = offer("a", &["x"], &[]);
        let published = listing(std::slice::from_ref(&one)).tools()[0].clone();
        assert_eq!(published, one.tools[0].renamed("a__x"));
    }

    #[test]
    fn a_tool_that_is_not_shown_cannot_be_called() {
        let mut one = offer("a", &["get", "drop"], &[]);
        one.filter.deny.push("drop".to_owned());
        let listing = listing(&[one]);
        assert_eq!(names(&listing), ["a__get"]);
        assert_eq!(listing.tool("a__drop"), None);
    }

    #[test]
    fn the_first_in_the_file_has_an_address_and_the_clash_is_told() {
        let listing = listing(&[offer("b", &[], &["note://1"]), offer("a", &[], &["note://2", "note://1"])]);
        assert_eq!(listing.resource("note://1"), Some("b"));
        assert_eq!(listing.resource("note://2"), Some("a"));
        assert_eq!(listing.resources().len(), 2);
        let told: Vec<String> = listing.clashes().iter().map(ToString::to_string).collect();
        assert_eq!(told, ["the servers `b` and `a` both list `note://1`; `b` comes first and has it"]);
    }

    #[test]
    fn a_tool_listed_twice_by_one_child_is_one() {
        let listing = listing(&[offer("a", &["x", "x"], &[])]);
        assert_eq!(names(&listing), ["a__x"]);
        assert_eq!(listing.clashes()[0].to_string(), "the server `a` lists `x` twice; the first one counts");
    }

    #[test]
    fn an_address_goes_to_who_lists_it_before_who_has_a_template_for_it() {
        let mut first = offer("first", &[], &[]);
        first.templates.push(ResourceTemplate::new("note://{id}", "n"));
        let listing = listing(&[first, offer("second", &[], &["note://2"])]);
        assert_eq!(listing.resource("note://1"), Some("first"));
        assert_eq!(listing.resource("note://2"), Some("second"));
        assert_eq!(listing.resource("other://1"), None);
        assert_eq!(listing.template("note://{id}"), Some("first"));
    }

    #[test]
    fn prompts_have_names_of_their_own() {
        let mut one = offer("a", &["x"], &[]);
        one.prompts.push(prompt("greet"));
        let listing = listing(&[one]);
        assert_eq!(listing.prompts()[0].name, "a__greet");
        assert_eq!(listing.prompt("a__greet"), Some(&ToolOrigin::new("a", "greet")));
        assert_eq!(listing.prompt("a__x"), None);
    }

    #[test]
    fn only_lists_that_differ_are_told_of() {
        let before = listing(&[offer("a", &["x"], &["note://1"])]);
        assert_eq!(before.changes_since(&before), Changes::default());
        let tools = listing(&[offer("a", &["x", "y"], &["note://1"])]);
        assert_eq!(tools.changes_since(&before), Changes { tools: true, ..Changes::default() });
        let mut described = offer("a", &["x"], &["note://1"]);
        let said = serde_json::json!({"name": "x", "inputSchema": {}, "description": "new words"});
        let was = std::mem::replace(&mut described.tools[0], serde_json::from_value(said).unwrap());
        assert!(listing(std::slice::from_ref(&described)).changes_since(&before).tools);
        described.tools[0] = was;
        described.templates.push(ResourceTemplate::new("note://{id}", "n"));
        described.prompts.push(prompt("p"));
        let changes = listing(&[described]).changes_since(&before);
        assert_eq!(changes, Changes { tools: false, prompts: true, resources: true });
    }

    #[test]
    fn a_clash_that_goes_away_behind_the_same_lists_is_no_change_for_clients() {
        let before = listing(&[offer("a", &[], &["note://1"]), offer("b", &[], &["note://1"])]);
        let after = listing(&[offer("b", &[], &["note://1"])]);
        assert_eq!(after.changes_since(&before), Changes::default());
        assert_eq!(after.resource("note://1"), Some("b"));
    }

    fn offers() -> impl Strategy<Value = Vec<ChildOffer>> {
        let words = || prop::collection::vec("[ab_.]{0,3}", 0..5);
        let offers = prop::collection::btree_map("[ab_]{1,3}", (words(), words()), 0..5);
        offers.prop_map(|offers| {
            let build = |(server, (tools, addresses)): (String, (Vec<String>, Vec<String>))| ChildOffer {
                server,
                tools: tools.iter().map(|name| tool(name)).collect(),
                resources: addresses.into_iter().map(|address| Resource::new(address, "r")).collect(),
                ..ChildOffer::default()
            };
            offers.into_iter().map(build).collect()
        })
    }

    proptest! {
        #[test]
        fn everything_listed_is_listed_once_and_leads_to_a_child_that_has_it(offers in offers()) {
            let listing = listing(&offers);
            let find = |server: &str| offers.iter().find(|offer| offer.server == server).unwrap();
            let different: HashSet<_> = names(&listing).into_iter().collect();
            prop_assert_eq!(different.len(), listing.tools().len());
            for name in different {
                let origin = listing.tool(name).unwrap();
                prop_assert!(find(&origin.server).tools.iter().any(|tool| tool.name == origin.name));
            }
            for resource in listing.resources() {
                let server = listing.resource(&resource.uri).unwrap();
                let first = offers.iter().find(|offer| offer.resources.iter().any(|one| one.uri == resource.uri));
                prop_assert_eq!(server, &first.unwrap().server);
            }
            let claims: usize = offers.iter().map(|offer| offer.tools.len() + offer.resources.len()).sum();
            prop_assert_eq!(claims, listing.tools().len() + listing.resources().len() + listing.clashes().len());
        }
    }
}
