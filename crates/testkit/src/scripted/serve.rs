//! The loop: reads a line, answers it, and remembers what the client said about itself.

use super::calls::{self, ScriptedWaits};
use super::listings::{ScriptedListings, holds};
use super::offers::{self, refusal};
use super::options::{Options, note};
use super::wire::ScriptedWire;
use super::{hostile, odd, pages, tools};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::BufRead;
use std::sync::Arc;

const REVISIONS: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The server's state. One thread owns it; what waits has a thread of its own and only the wire.
struct ScriptedServer {
    options: Options,
    wire: Arc<ScriptedWire>,
    waits: ScriptedWaits,
    listings: ScriptedListings,
    subscribed: BTreeSet<String>,
    greeted_with: Value,
    level: usize,
    hangs: bool,
    /// A call that is answered after the next request.
    held: Option<Value>,
}

/// Serves until stdin ends.
pub(crate) fn serve(options: Options) {
    let listings = ScriptedListings::new(&options);
    let mut server = ScriptedServer {
        options,
        wire: Arc::default(),
        waits: ScriptedWaits::default(),
        listings,
        subscribed: BTreeSet::new(),
        greeted_with: Value::Null,
        level: 0,
        hangs: false,
        held: None,
    };
    let mut line = Vec::new();
    let mut input = std::io::stdin().lock();
    while input.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        server.line(&line);
        line.clear();
    }
}

type ScriptedReply = Result<Value, Value>;

impl ScriptedServer {
    fn line(&mut self, line: &[u8]) {
        if let Some(file) = &self.options.record {
            note(file, String::from_utf8_lossy(line).trim_end());
        }
        if self.hangs {
            return;
        }
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            self.wire.answer(&Value::Null, Err(refusal(-32700, "no JSON")));
            return;
        };
        let params = &message["params"];
        match (message["method"].as_str(), message.get("id")) {
            (Some(method), Some(id)) => {
                let held = self.held.take();
                self.request(method, id, params);
                if let Some(held) = held {
                    self.wire.answer(&held, Ok(tools::text("late")));
                }
            }
            (Some("notifications/cancelled"), None) => self.waits.cancel(&params["requestId"]),
            (Some(_), None) => {}
            (None, _) => self.wire.answered(message),
        }
    }

    fn request(&mut self, method: &str, id: &Value, params: &Value) {
        let answer = match method {
            "initialize" => return self.initialize(id, params),
            "tools/call" if self.options.has("tools") => return self.call(id, params),
            _ => self.known(method, params),
        };
        self.wire.answer(id, answer);
    }

    fn known(&mut self, method: &str, params: &Value) -> ScriptedReply {
        let (kind, _) = method.split_once('/').unwrap_or((method, ""));
        let kind = if kind == "completion" { "completions" } else { kind };
        if !self.options.has(kind) {
            return Err(refusal(-32601, &format!("no such method: {method}")));
        }
        let size = self.options.page;
        let word = |key: &str| params[key].as_str().unwrap_or_default();
        match method {
            "ping" => Ok(json!({})),
            "tools/list" => pages::page("tools", &self.listings.tools, size, params),
            "resources/list" => pages::page("resources", &self.listings.resources, size, params),
            "resources/templates/list" => {
                pages::page("resourceTemplates", &offers::templates(), size, params)
            }
            "resources/read" => {
                offers::read(word("uri"), holds(&self.listings.resources, "uri", word("uri")))
            }
            "resources/subscribe" | "resources/unsubscribe" => {
                if method == "resources/subscribe" {
                    self.subscribed.insert(word("uri").to_owned());
                } else {
                    self.subscribed.remove(word("uri"));
                }
                Ok(json!({}))
            }
            "prompts/list" => pages::page("prompts", &self.listings.prompts, size, params),
            "prompts/get" => {
                let known = holds(&self.listings.prompts, "name", word("name"));
                offers::prompt(word("name"), known, &params["arguments"])
            }
            "completion/complete" => offers::complete(params),
            "logging/setLevel" => self.set_level(word("level")),
            _ => Err(refusal(-32601, &format!("no such method: {method}"))),
        }
    }

    fn set_level(&mut self, level: &str) -> ScriptedReply {
        self.level = rank(level).ok_or_else(|| refusal(-32602, &format!("no such level: {level}")))?;
        Ok(json!({}))
    }

    fn initialize(&mut self, id: &Value, params: &Value) {
        self.greeted_with = params.clone();
        let answer = if self.options.refuse_initialize {
            Err(refusal(-32600, "greeting refused, as asked"))
        } else {
            Ok(self.greeting(params))
        };
        let Some(file) = self.options.start_when.clone() else { return self.wire.answer(id, answer) };
        let (wire, id) = (Arc::clone(&self.wire), id.clone());
        std::thread::spawn(move || {
            calls::wait_for(&file);
            wire.answer(&id, answer);
        });
    }

    fn greeting(&self, params: &Value) -> Value {
        let asked = params["protocolVersion"].as_str().filter(|asked| REVISIONS.contains(asked));
        let revision = self.options.revision.as_deref().or(asked).unwrap_or("2025-11-25");
        let all = [
            ("tools", json!({"listChanged": true})),
            ("resources", json!({"subscribe": true, "listChanged": true})),
            ("prompts", json!({"listChanged": true})),
            ("completions", json!({})),
            ("logging", json!({})),
        ];
        let can = all.into_iter().filter(|(what, _)| self.options.has(what));
        let can = can.map(|(what, how)| (what.to_owned(), how)).collect();
        let name = self.options.name.as_deref().unwrap_or("scripted-child");
        let mut greeting = json!({
            "protocolVersion": revision, "capabilities": Value::Object(can),
            "serverInfo": {"name": name, "version": "1.0.0"},
        });
        if let Some(text) = &self.options.instructions {
            greeting["instructions"] = json!(text);
        }
        greeting
    }

    fn call(&mut self, id: &Value, params: &Value) {
        let name = params["name"].as_str().unwrap_or_default();
        let arguments = &params["arguments"];
        let wire = &self.wire;
        if let Some((method, params)) = calls::question(name, arguments) {
            return calls::relay(wire, id, method, &params);
        }
        match name {
            "progress" => return calls::progress(wire, id, params),
            "wait" => return self.waits.begin(wire, id, arguments),
            "late" => return self.held = Some(id.clone()),
            "junk" => return odd::junk(wire, id),
            "twice" => return odd::twice(wire, id),
            "flood" => return odd::flood(wire, id, arguments),
            "spawn" => return odd::spawn(wire, id),
            "die" => odd::die(arguments),
            "hang" => return self.hang(arguments),
            "storm" => return hostile::storm(wire, id, params),
            "raw" => return hostile::raw(wire, id, arguments),
            "id_last" => return hostile::id_last(wire, id, arguments),
            "endless" => return hostile::endless(wire, id, arguments),
            "shut" => return hostile::shut(wire, id, arguments),
            _ => {}
        }
        let answer = tools::plain(name, arguments).unwrap_or_else(|| self.changing(name, arguments));
        self.wire.answer(id, answer);
    }

    /// Tools that change or tell the server's state.
    fn changing(&mut self, name: &str, arguments: &Value) -> ScriptedReply {
        let word = |key: &str, otherwise: &str| arguments[key].as_str().unwrap_or(otherwise).to_owned();
        let changed = match name {
            "ask_capabilities" => {
                let mut answer = tools::text(&self.greeted_with.to_string());
                answer["structuredContent"] = self.greeted_with.clone();
                return Ok(answer);
            }
            "touch" => return Ok(self.touch(&word("uri", "test://a"))),
            "log" => return Ok(self.log(&word("level", "info"), &word("text", "logged"))),
            "add_tool" => {
                self.listings.add_tool(&word("name", "extra"));
                "tools"
            }
            "remove_tool" => {
                self.listings.remove_tool(&word("name", "extra"));
                "tools"
            }
            "add_resource" => {
                self.listings.add_resource(&word("uri", "test://extra"));
                "resources"
            }
            "add_prompt" => {
                self.listings.add_prompt(&word("name", "extra"));
                "prompts"
            }
            _ if holds(&self.listings.tools, "name", name) => return Ok(tools::text(name)),
            _ => return Err(refusal(-32602, &format!("no such tool: {name}"))),
        };
        self.wire.tell(&format!("notifications/{changed}/list_changed"), &json!({}));
        Ok(tools::text(&format!("{changed} changed")))
    }

    fn touch(&self, uri: &str) -> Value {
        let subscribed = self.subscribed.contains(uri);
        if subscribed {
            self.wire.tell("notifications/resources/updated", &json!({"uri": uri}));
        }
        tools::text(if subscribed { "told" } else { "nobody subscribed" })
    }

    fn log(&self, level: &str, text: &str) -> Value {
        let told = rank(level).is_some_and(|rank| rank >= self.level);
        if told {
            let message = json!({"level": level, "logger": "scripted", "data": text});
            self.wire.tell("notifications/message", &message);
        }
        tools::text(if told { "logged" } else { "below the level" })
    }

    /// Answers nothing from now on; deaf, it does not even hear that its stdin ended.
    fn hang(&mut self, arguments: &Value) {
        self.hangs = true;
        if arguments["deaf"] == true {
            loop {
                std::thread::park();
            }
        }
    }
}

fn rank(level: &str) -> Option<usize> {
    LEVELS.iter().position(|known| *known == level)
}
