//! Two tools in place of all: `find_tool` looks among the children's tools, `call_tool` calls one. For gateways with so many
//! tools that their list alone fills a model's window.
//!
//! Pure: it ranks and writes. May not ask a child.

use super::passed_tool::PassedTool;
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::sync::Arc;

/// Looks for tools.
pub(super) const FIND: &str = "find_tool";
/// Calls one.
pub(super) const CALL: &str = "call_tool";

const DEFAULT_MATCHES: u64 = 5;
const MOST_MATCHES: u64 = 50;

/// Characters that the schemas of one answer may take together.
const ROOM: usize = 8000;
/// Characters of a description that are shown.
const DESCRIPTION: usize = 400;

/// The two definitions.
pub(super) fn definitions() -> [Tool; 2] {
    let schema = |value: Value| Arc::new(value.as_object().cloned().unwrap_or_default());
    let find = schema(json!({
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "Words of what it should do"},
            "limit": {"type": "integer", "description": "At most so many; default 5"},
        },
        "required": ["query"],
        "additionalProperties": false,
    }));
    let call = schema(json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "As find_tool gave it"},
            "arguments": {"type": "object", "properties": {}, "description": "As its inputSchema says"},
        },
        "required": ["name"],
        "additionalProperties": false,
    }));
    let about = "Find tools of the connected servers by words in their names and descriptions. Gives names, \
                 descriptions and input schemas for `call_tool`.";
    let looks = ToolAnnotations::new().read_only(true).destructive(false).open_world(false);
    let does = ToolAnnotations::new().read_only(false).destructive(true).open_world(true);
    [
        Tool::new(FIND, about, find).with_annotations(looks),
        Tool::new(CALL, "Call a tool that `find_tool` found.", call).with_annotations(does),
    ]
}

/// A call of `find_tool`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ToolQuery {
    words: Vec<String>,
    limit: usize,
}

impl ToolQuery {
    /// Reads the arguments.
    pub(super) fn read(arguments: Option<&JsonObject>) -> Result<Self, CallFailure> {
        let given = |name: &str| arguments.and_then(|all| all.get(name)).filter(|value| !value.is_null());
        only(arguments, FIND, &["query", "limit"])?;
        let Some(Value::String(query)) = given("query") else {
            let message = "`query` is missing, or no text".to_owned();
            return Err(CallFailure::bad_value(message, "Say in a few words what the tool should do."));
        };
        let limit = match given("limit") {
            None => DEFAULT_MATCHES,
            Some(value) => {
                let number = value.as_u64().or_else(|| value.as_str().and_then(|text| text.parse().ok()));
                number.filter(|number| (1..=MOST_MATCHES).contains(number)).ok_or_else(|| {
                    let message = format!("`limit` is {value}, which is not between 1 and {MOST_MATCHES}");
                    CallFailure::bad_value(message, "Leave it out for 5.")
                })?
            }
        };
        let words = words(query).collect();
        Ok(Self { words, limit: usize::try_from(limit).unwrap_or(1) })
    }

    /// The answer: the best matches first, then which servers are down.
    pub(super) fn answer(&self, tools: &[PassedTool], down: &[String]) -> ToolAnswer {
        let ranked = self.ranked(tools);
        let (mut shown, mut room) = (Vec::new(), ROOM);
        for tool in ranked.iter().take(self.limit) {
            let mut entry = json!({"name": tool.name});
            if let Some(about) = &tool.description {
                entry["description"] = Value::from(about.chars().take(DESCRIPTION).collect::<String>());
            }
            let schema = json!(tool.input_schema);
            let cost = schema.to_string().len();
            if cost <= room {
                room -= cost;
                entry["inputSchema"] = schema;
            } else {
                entry["note"] = json!("its inputSchema is too long here: ask for it alone, with limit 1");
                if self.limit == 1 {
                    entry["inputSchema"] = schema;
                }
            }
            shown.push(entry);
        }
        let mut fields = json!({ "tools": shown });
        if ranked.len() > shown.len() {
            fields["more"] = json!(ranked.len() - shown.len());
        }
        if !down.is_empty() {
            fields["down"] = json!(down);
        }
        ToolAnswer { text: fields.to_string(), fields, verdict: CallVerdict::Well, meta: None }
    }

    /// Tools that have any of the words, best first; what comes first in the file is first among equals. A word that few tools
    /// have counts more.
    fn ranked<'t>(&self, tools: &'t [PassedTool]) -> Vec<&'t PassedTool> {
        let texts: Vec<SearchText> = tools.iter().map(SearchText::of).collect();
        let mut scores = vec![0.0_f64; tools.len()];
        for word in &self.words {
            let hits: Vec<u32> = texts.iter().map(|text| text.hit(word)).collect();
            let having = hits.iter().filter(|hit| **hit > 0).count();
            for (score, hit) in scores.iter_mut().zip(hits) {
                *score += f64::from(hit) / f64::from(u32::try_from(having.max(1)).unwrap_or(u32::MAX)).sqrt();
            }
        }
        let mut found: Vec<(f64, &PassedTool)> = scores.into_iter().zip(tools).collect();
        if !self.words.is_empty() {
            found.retain(|(score, _)| *score > 0.0);
        }
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        found.into_iter().map(|(_, tool)| tool).collect()
    }
}

/// The words of a tool.
struct SearchText {
    name: Vec<String>,
    about: Vec<String>,
}

impl SearchText {
    fn of(tool: &PassedTool) -> Self {
        let title = tool.title.as_deref().unwrap_or_default();
        let about = tool.description.as_deref().unwrap_or_default();
        Self { name: words(&tool.name).collect(), about: words(title).chain(words(about)).collect() }
    }

    /// How well one word fits: in the name before the description, whole before a part.
    fn hit(&self, word: &str) -> u32 {
        let whole = |words: &[String]| words.iter().any(|one| one == word);
        let part = |words: &[String]| word.len() >= 3 && words.iter().any(|one| one.contains(word));
        match () {
            () if whole(&self.name) => 8,
            () if part(&self.name) => 4,
            () if whole(&self.about) => 2,
            () if part(&self.about) => 1,
            () => 0,
        }
    }
}

/// Words of a text: letters and digits, with `camelCase` taken apart.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut apart = String::with_capacity(text.len() + 8);
    let mut was_small = false;
    for c in text.chars() {
        if was_small && c.is_uppercase() {
            apart.push(' ');
        }
        was_small = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() { apart.extend(c.to_lowercase()) } else { apart.push(' ') }
    }
    apart.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// What `call_tool` is to call: the name, and the arguments.
pub(super) fn called(arguments: Option<JsonObject>) -> Result<(String, Option<JsonObject>), CallFailure> {
    only(arguments.as_ref(), CALL, &["name", "arguments"])?;
    let mut given = arguments.unwrap_or_default();
    let Some(Value::String(name)) = given.remove("name") else {
        let message = "`name` is missing, or no text".to_owned();
        return Err(CallFailure::bad_value(message, "Give the name that `find_tool` gave."));
    };
    if [FIND, CALL].contains(&name.as_str()) {
        let message = format!("`{name}` is no tool of a server");
        return Err(CallFailure::bad_value(message, "Call it by itself."));
    }
    match given.remove("arguments") {
        None | Some(Value::Null) => Ok((name, None)),
        Some(Value::Object(object)) => Ok((name, Some(object))),
        // Some models write the object as a text.
        Some(Value::String(text)) if serde_json::from_str::<JsonObject>(&text).is_ok() => {
            Ok((name, serde_json::from_str(&text).ok()))
        }
        Some(_) => {
            let message = "`arguments` is no object".to_owned();
            Err(CallFailure::bad_value(message, "Give an object that fits the tool's inputSchema."))
        }
    }
}

fn only(arguments: Option<&JsonObject>, tool: &str, known: &[&str]) -> Result<(), CallFailure> {
    match arguments.into_iter().flat_map(JsonObject::keys).find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let message = format!("there is no `{key}`");
            let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            Err(CallFailure::bad_value(message, format!("`{tool}` takes {}.", names.join(" and "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Vec<PassedTool> {
        let tool = |name: &str, about: &str| {
            let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            serde_json::from_value(json!({"name": name, "description": about, "inputSchema": schema}))
                .unwrap()
        };
        vec![
            tool("files__read_file", "Reads a file"),
            tool("files__writeFile", "Writes a file to disk"),
            tool("mail__send", "Sends a letter; attaches a file"),
            tool("clock__now", "Says the time"),
        ]
    }

    fn found(query: &str) -> Vec<String> {
        let arguments = json!({"query": query});
        let query = ToolQuery::read(arguments.as_object()).unwrap();
        query.ranked(&tools()).into_iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn what_fits_best_is_first_and_what_does_not_fit_is_not_there() {
        assert_eq!(found("write a file")[0], "files__writeFile");
        assert_eq!(found("send mail"), ["mail__send"]);
        assert_eq!(found("Time")[0], "clock__now");
        assert_eq!(found("nothing-like-it"), Vec::<String>::new());
        assert_eq!(found("").len(), 4, "no word: all, in their order");
    }

    #[test]
    fn an_answer_says_what_else_there_is_and_which_servers_are_down() {
        let query = ToolQuery::read(json!({"query": "file", "limit": "1"}).as_object()).unwrap();
        let answer = query.answer(&tools(), &["the server `x` is down".to_owned()]);
        assert_eq!(answer.fields["tools"].as_array().unwrap().len(), 1);
        assert!(answer.fields["tools"][0]["inputSchema"]["properties"]["a"].is_object());
        assert_eq!(
            (&answer.fields["more"], &answer.fields["down"][0]),
            (&json!(2), &json!("the server `x` is down"))
        );
    }

    #[test]
    fn the_two_definitions_are_small() {
        let text = serde_json::to_string(&definitions()).unwrap();
        assert!(text.len() < 2000, "{}", text.len());
    }

    #[test]
    fn bad_calls_are_told_what_is_wrong() {
        let said = |result: Result<ToolQuery, CallFailure>| result.unwrap_err().sentence();
        assert!(said(ToolQuery::read(None)).contains("`query`"));
        assert!(
            said(ToolQuery::read(json!({"query": "x", "limit": 0}).as_object())).contains("between 1 and 50")
        );
        assert!(said(ToolQuery::read(json!({"query": "x", "max": 1}).as_object())).contains("no `max`"));
        let call = |value: Value| called(value.as_object().cloned());
        assert!(call(json!({"arguments": {}})).unwrap_err().sentence().contains("`name`"));
        assert!(call(json!({"name": "call_tool"})).unwrap_err().sentence().contains("no tool of a server"));
        assert!(call(json!({"name": "x", "arguments": 5})).unwrap_err().sentence().contains("no object"));
        let (name, arguments) = call(json!({"name": "x", "arguments": "{\"a\": 1}"})).unwrap();
        assert_eq!((name.as_str(), json!(arguments)), ("x", json!({"a": 1})));
    }
}
