//! One scenario: a made-up host, one question, and the result as a flat table.

use crate::host::MadeUpHost;
use runward_core::error::ErrorView;
use runward_core::facts::Naming;
use runward_core::resolve::{
    Because, Defaults, FoundNode, NodeHints, ResolveError, ResolvedCommand, find_program,
    resolution_log_line, resolve, resolve_command, resolve_interpreter, search_node,
};
use runward_core::spec::CommandSpec;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A scenario as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    /// The sentence of the specification that it is about.
    pub(crate) says: String,
    #[serde(default)]
    host: Host,
    ask: Ask,
    pub(crate) golden: toml::Table,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Host {
    windows: bool,
    cwd: Option<String>,
    home: Option<String>,
    env: BTreeMap<String, String>,
    node: Option<String>,
    node_place: Option<String>,
    programs: Vec<String>,
    folders: Vec<String>,
    files: BTreeMap<String, String>,
    links: BTreeMap<String, String>,
}

/// The question: one of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Ask {
    /// `resolve_command`.
    Command(String),
    /// `resolve` of a program and its arguments.
    Exec {
        argv: Vec<String>,
        cwd: Option<String>,
        #[serde(default)]
        env: BTreeMap<String, String>,
    },
    /// `resolve` of a script.
    Shell { script: String },
    /// `search_node`.
    Discover { configured: Option<PathBuf> },
    /// `resolve_interpreter`.
    Interpreter { name: String, version: Option<String> },
    /// `find_program` in the host's PATH.
    Find(String),
}

impl Host {
    fn build(&self) -> MadeUpHost {
        let mut host = if self.windows { MadeUpHost::windows() } else { MadeUpHost::unix() };
        host = self.env.iter().fold(host, |host, (name, value)| host.env(name, value));
        host = self.programs.iter().fold(host, |host, path| host.program(path));
        host = self.folders.iter().fold(host, |host, path| host.folder(path));
        host = self.files.iter().fold(host, |host, (path, text)| host.text(path, text));
        host = self.links.iter().fold(host, |host, (path, to)| host.link(path, to));
        let facts = host.facts_mut();
        facts.cwd = self.cwd.as_ref().map_or(facts.cwd.clone(), PathBuf::from);
        facts.home = self.home.as_ref().map_or(facts.home.clone(), |home| Some(PathBuf::from(home)));
        let place = self.node_place.clone().unwrap_or_else(|| "PATH".to_owned());
        facts.node = self.node.as_ref().map(|path| FoundNode { path: path.into(), place });
        if self.windows {
            facts.naming = Naming::windows(self.env.get("PATHEXT").map(String::as_str));
        }
        host
    }
}

impl Scenario {
    /// What comes of it.
    pub(crate) fn outcome(&self) -> toml::Table {
        let host = self.host.build();
        match &self.ask {
            Ask::Command(name) => command(name, &host),
            Ask::Exec { argv, cwd, env } => {
                let mut spec = CommandSpec::exec(&argv[0]).args(&argv[1..]);
                spec.cwd = cwd.as_ref().map(PathBuf::from);
                let spec = env.iter().fold(spec, |spec, (name, value)| spec.env(name, value));
                resolved(&spec, &host)
            }
            Ask::Shell { script } => resolved(&CommandSpec::shell(script), &host),
            Ask::Discover { configured } => discovered(configured.as_deref(), &host),
            Ask::Interpreter { name, version } => interpreter(name, version.as_deref(), &host),
            Ask::Find(name) => {
                let path = host.facts().env_var("PATH").unwrap_or_default();
                let found = find_program(OsStr::new(name), path, host.facts(), &host);
                table([("path", found.map(|path| shown(&path)))])
            }
        }
    }
}

fn table<const N: usize>(entries: [(&str, Option<String>); N]) -> toml::Table {
    let said = entries.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
    said.collect()
}

fn shown(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn failed(error: &ResolveError) -> toml::Table {
    let view = ErrorView::of(error);
    let code = serde_json::to_value(view.code).unwrap();
    let code = code.as_str().map(str::to_owned);
    table([("code", code), ("message", Some(view.message)), ("hint", view.hint)])
}

fn command(name: &str, host: &MadeUpHost) -> toml::Table {
    let after = resolve_command(name, host.facts(), host);
    let log = resolution_log_line(name, &after);
    table([("resolved", Some(after)), ("log", log)])
}

fn resolved(spec: &CommandSpec, host: &MadeUpHost) -> toml::Table {
    match resolve(spec, host.facts(), &Defaults::default(), host) {
        Ok(command) => told(&command, host),
        Err(error) => failed(&error),
    }
}

fn told(command: &ResolvedCommand, host: &MadeUpHost) -> toml::Table {
    let words = |because: &Because| match because {
        Because::Caller => "caller".to_owned(),
        Because::Default => "default".to_owned(),
        Because::Host(how) => how.clone(),
    };
    let why = command.because();
    let path_before = host.facts().env_var("PATH").map(OsStr::to_owned);
    let paths: Vec<String> = command
        .env()
        .iter()
        .filter(|(name, value)| name.eq_ignore_ascii_case("PATH") && Some(*value) != path_before.as_ref())
        .map(|(name, value)| format!("{}={}", name.to_str().unwrap(), value.to_str().unwrap()))
        .collect();
    let real = Some(shown(command.real_program())).filter(|real| *real != shown(command.program()));
    let mut told = table([
        ("program", Some(shown(command.program()))),
        ("real_program", real),
        ("because", why.of("program").or(why.of("shell")).map(words)),
        ("child_path", (!paths.is_empty()).then(|| paths.join(" and "))),
        ("child_path_because", why.of("env.PATH").map(words)),
    ]);
    let argv = command.argv().iter().map(|word| toml::Value::from(word.to_str().unwrap()));
    told.insert("argv".to_owned(), argv.collect::<Vec<_>>().into());
    told
}

fn discovered(configured: Option<&Path>, host: &MadeUpHost) -> toml::Table {
    let search = search_node(&NodeHints::of(host.facts(), configured), host);
    let found = search.found;
    let mut told = table([
        ("path", found.as_ref().map(|node| shown(&node.path))),
        ("place", found.map(|node| node.place)),
    ]);
    let skipped = search
        .skipped
        .iter()
        .map(|skip| toml::Value::from(format!("{}: {}: {}", skip.place, shown(&skip.path), skip.because)));
    let skipped: Vec<_> = skipped.collect();
    if !skipped.is_empty() {
        told.insert("skipped".to_owned(), skipped.into());
    }
    told
}

fn interpreter(name: &str, version: Option<&str>, host: &MadeUpHost) -> toml::Table {
    match resolve_interpreter(name, version, host.facts(), host) {
        Ok(found) => table([
            ("path", Some(shown(&found.path))),
            ("place", Some(found.place)),
            ("version", found.version),
        ]),
        Err(error) => failed(&error),
    }
}
