//! A made-up host: paths, what they are, and the questions of `Browse` answered from them.
//!
//! Shared by the unit tests of `resolve` and the integration tests; its parent brings `facts` into scope.

use super::facts::{
    Abilities, Backslashes, Browse, FileKind, FileStamp, HostFacts, Look, Naming, Shell, System,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What lies at a path.
#[derive(Debug, Clone)]
enum Thing {
    Program,
    Text(String),
    Folder,
    Link(String),
}

/// A host that exists only here. Folders above a path exist because the path does.
#[derive(Debug)]
pub(crate) struct MadeUpHost {
    facts: HostFacts,
    things: BTreeMap<String, Thing>,
    spellings: BTreeMap<String, String>,
}

impl MadeUpHost {
    pub(crate) fn unix() -> Self {
        Self::with(Naming::unix(), "/home/u/app", "/home/ada")
            .shell("/bin/bash", &["-c"])
            .folder("/home/u/app")
            .program("/bin/bash")
    }

    pub(crate) fn windows() -> Self {
        let naming = Naming::windows(None);
        Self::with(naming, r"C:\work", r"C:\Users\Ada").folder(r"C:\work")
    }

    fn with(naming: Naming, cwd: &str, home: &str) -> Self {
        let windows = naming.backslashes == Backslashes::Separate;
        let facts = HostFacts {
            system: if windows { System::Windows } else { System::Linux },
            cwd: cwd.into(),
            home: Some(home.into()),
            env: BTreeMap::new(),
            naming,
            shell: None,
            node: None,
            abilities: Abilities::default(),
        };
        Self { facts, things: BTreeMap::new(), spellings: BTreeMap::new() }
    }

    pub(crate) fn facts(&self) -> &HostFacts {
        &self.facts
    }

    pub(crate) fn facts_mut(&mut self) -> &mut HostFacts {
        &mut self.facts
    }

    pub(crate) fn shell(mut self, path: &str, before: &[&str]) -> Self {
        let before = before.iter().map(ToString::to_string).collect();
        self.facts.shell = Some(Shell { path: path.into(), before });
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.facts.env.insert(name.into(), value.into());
        self
    }

    pub(crate) fn program(self, path: &str) -> Self {
        self.put(path, Thing::Program)
    }

    pub(crate) fn text(self, path: &str, text: &str) -> Self {
        self.put(path, Thing::Text(text.to_owned()))
    }

    pub(crate) fn folder(self, path: &str) -> Self {
        self.put(path, Thing::Folder)
    }

    pub(crate) fn link(self, path: &str, to: &str) -> Self {
        self.put(path, Thing::Link(to.to_owned()))
    }

    fn put(mut self, path: &str, thing: Thing) -> Self {
        let parts = self.parts(path);
        for length in 1..parts.len() {
            let folder = self.spell(&parts[..length]);
            self.spellings.entry(self.key(&folder)).or_insert(folder.clone());
            self.things.entry(self.key(&folder)).or_insert(Thing::Folder);
        }
        let spelled = self.spell(&parts);
        self.things.insert(self.key(&spelled), thing);
        self.spellings.insert(self.key(&spelled), spelled);
        self
    }

    fn is_windows(&self) -> bool {
        self.facts.naming.backslashes == Backslashes::Separate
    }

    /// File names ignore case on Windows.
    fn key(&self, path: &str) -> String {
        if self.is_windows() { path.to_lowercase() } else { path.to_owned() }
    }

    fn parts(&self, path: &str) -> Vec<String> {
        let windows = self.is_windows();
        let mut parts: Vec<String> = Vec::new();
        for part in path.split(|letter| letter == '/' || (windows && letter == '\\')) {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name.to_owned()),
            }
        }
        parts
    }

    fn spell(&self, parts: &[String]) -> String {
        if self.is_windows() { parts.join("\\") } else { format!("/{}", parts.join("/")) }
    }

    /// The path with every link followed, as this host spells it.
    fn real(&self, path: &Path, patience: u8) -> Option<String> {
        let text = path.to_str()?;
        // The answer would depend on where the test happens to run, as it would for Runward.
        assert!(self.facts.naming.is_absolute(path), "asked about the relative path `{text}`");
        if patience == 0 {
            return None;
        }
        let parts = self.parts(text);
        for length in 1..=parts.len() {
            let so_far = self.spell(&parts[..length]);
            if let Thing::Link(to) = self.things.get(&self.key(&so_far))? {
                let parent = self.spell(&parts[..length - 1]);
                let mut target = self.facts.naming.join(Path::new(&parent), to);
                for part in &parts[length..] {
                    target = self.facts.naming.join(&target, part);
                }
                return self.real(&target, patience - 1);
            }
        }
        let spelled = self.spell(&parts);
        Some(self.spellings.get(&self.key(&spelled)).cloned().unwrap_or(spelled))
    }

    fn thing(&self, path: &Path) -> Option<&Thing> {
        self.things.get(&self.key(&self.real(path, 16)?))
    }
}

impl Look for MadeUpHost {
    fn stamp(&self, _: &Path) -> Option<FileStamp> {
        None
    }

    fn is_executable(&self, path: &Path) -> bool {
        matches!(self.thing(path), Some(Thing::Program))
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.thing(path).map(|thing| match thing {
            Thing::Folder => FileKind::Directory,
            _ => FileKind::File,
        })
    }

    fn leads_nowhere(&self, path: &Path) -> bool {
        let leads = |thing: &Thing| matches!(thing, Thing::Link(_));
        let own = path.to_str().and_then(|path| self.things.get(&self.key(path)));
        own.is_some_and(leads) && self.real_path(path).is_none()
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        self.real(path, 16).map(PathBuf::from)
    }
}

impl Browse for MadeUpHost {
    fn list(&self, dir: &Path) -> Vec<OsString> {
        let Some(dir) = self.real(dir, 16) else { return Vec::new() };
        let length = self.parts(&dir).len();
        let inside = |spelled: &&String| {
            let parts = self.parts(spelled);
            parts.len() == length + 1 && self.key(&self.spell(&parts[..length])) == self.key(&dir)
        };
        let name = |spelled: &String| self.parts(spelled).pop().map(OsString::from);
        self.spellings.values().filter(inside).filter_map(name).collect()
    }

    fn read_small(&self, path: &Path) -> Option<String> {
        match self.thing(path)? {
            Thing::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    fn mentions(&self, path: &Path, bytes: &[u8]) -> bool {
        let held = self.read_small(path).unwrap_or_default().into_bytes();
        held.windows(bytes.len()).any(|window| window == bytes)
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        let parts = self.parts(path.to_str()?);
        match self.things.get(&self.key(&self.spell(&parts)))? {
            Thing::Link(to) => Some(to.into()),
            _ => None,
        }
    }

    fn may_enter(&self, path: &Path) -> bool {
        matches!(self.thing(path), Some(Thing::Folder | Thing::Program))
    }
}
