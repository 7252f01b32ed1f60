//! Gathers the facts of this host, once: abilities, sandbox layers, limits.

use runward_core::facts::{HostFacts, System};
use runward_core::output::Stream;
use runward_core::resolve::{NodeHints, discover_node};
use runward_core::sandbox::Layer;
use std::env;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

/// What is true here, now.
pub fn probe() -> io::Result<HostFacts> {
    let naming = crate::sys::host_naming();
    let mut facts = HostFacts {
        system: System::named(std::env::consts::OS),
        cwd: start()?,
        home: env::home_dir(),
        env: env::vars_os().collect(),
        naming,
        shell: None,
        node: None,
        abilities: crate::sys::abilities(),
    };
    facts.shell = crate::sys::host_shell(&facts);
    facts.node = discover_node(&NodeHints::of(&facts, None), &crate::Disk);
    Ok(facts)
}

/// Where this process was started, with every link followed. A call that is forbidden is named: the folder is not at fault.
fn start() -> io::Result<PathBuf> {
    let named = |call: &'static str| {
        move |error: io::Error| match crate::disk::is_refused(&error) {
            true => io::Error::new(error.kind(), format!("`{call}` failed: {error}")),
            false => error,
        }
    };
    let shown = env::current_dir().map_err(named("getcwd"))?;
    crate::sys::real_path(&shown).map_err(named("readlink"))
}

/// The layers of a sandbox that can be put on here. Found out once, by trying.
pub fn sandbox_layers() -> &'static [Layer] {
    static LAYERS: OnceLock<Vec<Layer>> = OnceLock::new();
    LAYERS.get_or_init(crate::sys::sandbox_layers)
}

/// Whether this process' own stdout and stderr lead to the same place: then their order can be seen there.
pub fn outputs_share_a_file() -> bool {
    crate::sys::outputs_share_a_file()
}

/// Characters in a line of the terminal behind this process' stderr, if it is a terminal that tells.
pub fn terminal_width() -> Option<u16> {
    crate::sys::terminal_width()
}

/// Holds that a command could be started here, as far as that can be found out without running one.
pub fn trial_start() -> Result<(), crate::SpawnError> {
    crate::sys::trial_start()
}

/// Which limit of this host stands in the way where an error says that something ran out, and what is needed of it.
pub fn shortage(error: &io::Error) -> Option<String> {
    crate::sys::missing(error)
}

/// Whether one of this process' own outputs takes something now without letting the writer wait, as far as can be told.
pub fn takes_output(stream: Stream) -> bool {
    crate::sys::takes_output(stream)
}

/// Writes all of it to one of this process' own outputs, and keeps nothing of it in a buffer. Waits for the reader.
pub fn put_output(stream: Stream, bytes: &[u8]) -> io::Result<()> {
    crate::sys::put_output(stream, bytes)
}

/// Files this process may have open at once; `None` where there is no such limit.
pub fn open_files_limit() -> Option<u64> {
    crate::sys::open_files_limit()
}
