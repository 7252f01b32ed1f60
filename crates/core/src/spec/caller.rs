//! The caller: who asks, and through which door. A client's name is its own word: nothing is proven by it.

use serde::Serialize;

/// The way a request came in. Rules can hold for some doors only, and records name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Door {
    /// The command line.
    Cli,
    /// The Rust library.
    Library,
    /// The MCP server.
    Mcp,
    /// A markdown agent.
    Flow,
    /// A child server of the gateway.
    Gateway,
    /// A hook of a client that has a shell tool of its own.
    Hook,
}

impl Door {
    /// Every door.
    pub const ALL: &'static [Door] =
        &[Door::Cli, Door::Library, Door::Mcp, Door::Flow, Door::Gateway, Door::Hook];

    /// Its stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            Door::Cli => "cli",
            Door::Library => "library",
            Door::Mcp => "mcp",
            Door::Flow => "flow",
            Door::Gateway => "gateway",
            Door::Hook => "hook",
        }
    }
}

/// Where the words of a command come from. What a person typed, or put into a file that they run, is allowed without a
/// rule, unless the policy says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// A person typed this very command.
    Typed,
    /// It stands in a file that a person runs or names: a markdown agent, a list of servers.
    File,
    /// A program (an agent, a script, a server) asked for it.
    Program,
}

impl Hand {
    /// Its stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            Hand::Typed => "typed",
            Hand::File => "file",
            Hand::Program => "program",
        }
    }
}

/// Who asks. Rules can depend on it, and records name it. A client's name is its own word: nothing is proven by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Caller {
    /// The door.
    pub door: Door,
    /// Where the words come from.
    pub hand: Hand,
    /// The client's own name, if it gave one.
    pub name: Option<String>,
    /// The tool that was called, such as `exec_command`, where the door has tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl Caller {
    /// A person at the command line. What they type is allowed without a rule: never use this for a command that a model or
    /// another program wrote.
    pub fn person() -> Self {
        Self { door: Door::Cli, hand: Hand::Typed, name: None, tool: None }
    }

    /// A file that a person runs or names, through the door that reads such files.
    pub fn file(door: Door) -> Self {
        Self { door, hand: Hand::File, name: None, tool: None }
    }

    /// A program that calls a tool of that name, which the operator may have granted (`Policy::grant`).
    pub fn tool(door: Door, tool: impl Into<String>) -> Self {
        Self { door, hand: Hand::Program, name: None, tool: Some(tool.into()) }
    }

    /// A program that uses the library: what a spec without a caller is taken to come from. It needs a rule.
    pub fn library() -> Self {
        Self { door: Door::Library, hand: Hand::Program, name: None, tool: None }
    }
}
