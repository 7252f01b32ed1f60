//! What a scripted model does, line by line.
//!
//! May not know in which words a client is answered: see the dialects.

use serde_json::Value;
use std::fmt;

/// Arguments that are known only once earlier results were shown.
type ArgumentsFrom = Box<dyn Fn(&[String]) -> Option<Value> + Send + Sync>;

/// One line: answered to the request that holds as many results as there are lines before it.
pub(super) enum ScriptLine {
    /// Calls the first of these tools that is offered.
    Call { tools: ToolWish, arguments: ArgumentsFrom },
    /// Keeps the client waiting until the model ends.
    Hold,
}

/// Which tool a line wants.
#[derive(Debug, Clone)]
pub(super) enum ToolWish {
    /// A tool of a server: clients put the server's name before it, each in its own way.
    EndingIn(String),
    /// A tool of the client's own, by the first of these names that it has.
    Named(Vec<String>),
}

/// Lines, and the text after them that ends the turn.
#[derive(Debug)]
pub struct ModelScript {
    pub(super) lines: Vec<ScriptLine>,
    pub(super) last: String,
}

impl Default for ModelScript {
    fn default() -> Self {
        Self::new()
    }
}

impl ModelScript {
    /// Says `done` at once.
    pub fn new() -> Self {
        Self { lines: Vec::new(), last: "done".to_owned() }
    }

    /// Then calls a server's tool, whatever the client puts before its name.
    #[must_use]
    pub fn call(self, tool: &str, arguments: Value) -> Self {
        self.call_after(tool, move |_| Some(arguments.clone()))
    }

    /// Then calls a server's tool with arguments that are made from the texts of the results before. Where they cannot be
    /// made, the script ends as if the tool were missing.
    #[must_use]
    pub fn call_after(
        mut self,
        tool: &str,
        arguments: impl Fn(&[String]) -> Option<Value> + Send + Sync + 'static,
    ) -> Self {
        let tools = ToolWish::EndingIn(tool.to_owned());
        self.lines.push(ScriptLine::Call { tools, arguments: Box::new(arguments) });
        self
    }

    /// Then calls a tool of the client's own, such as its shell: the first of these names that it offers.
    #[must_use]
    pub fn call_own(mut self, names: &[&str], arguments: Value) -> Self {
        let tools = ToolWish::Named(names.iter().map(|&name| name.to_owned()).collect());
        self.lines.push(ScriptLine::Call { tools, arguments: Box::new(move |_| Some(arguments.clone())) });
        self
    }

    /// Then keeps the client waiting until the model ends.
    #[must_use]
    pub fn hold(mut self) -> Self {
        self.lines.push(ScriptLine::Hold);
        self
    }

    /// The text that ends the turn.
    #[must_use]
    pub fn say(mut self, text: &str) -> Self {
        text.clone_into(&mut self.last);
        self
    }
}

impl fmt::Debug for ScriptLine {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call { tools, .. } => to.debug_tuple("Call").field(tools).finish(),
            Self::Hold => to.write_str("Hold"),
        }
    }
}

impl ToolWish {
    /// The place of the tool among those that are offered. One of a server comes before one of the client's own that
    /// goes by the same name.
    pub(super) fn among(&self, offered: &[super::OfferedTool]) -> Option<usize> {
        match self {
            Self::Named(names) => {
                names.iter().find_map(|name| offered.iter().position(|tool| &tool.name == name))
            }
            Self::EndingIn(wanted) => {
                let of_server = |tool: &super::OfferedTool| {
                    let before = tool.name.strip_suffix(wanted.as_str());
                    before.is_some_and(|before| match before.chars().last() {
                        None => tool.space.is_some(),
                        Some(last) => !last.is_alphanumeric(),
                    })
                };
                let plain = |tool: &super::OfferedTool| &tool.name == wanted;
                offered.iter().position(of_server).or_else(|| offered.iter().position(plain))
            }
        }
    }
}
