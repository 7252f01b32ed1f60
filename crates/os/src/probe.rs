//! Gathers the facts of this host, once.

use runward_core::facts::{HostFacts, System};
use runward_core::resolve::{NodeHints, discover_node};
use runward_core::sandbox::Layer;
use std::env;
use std::io;
use std::sync::OnceLock;

/// What is true here, now.
pub fn probe() -> io::Result<HostFacts> {
    let naming = crate::sys::host_naming();
    let mut facts = HostFacts {
        system: System::named(std::env::consts::OS),
        cwd: crate::sys::real_path(&env::current_dir()?)?,
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

/// Files this process may have open at once; `None` where there is no such limit.
pub fn open_files_limit() -> Option<u64> {
    crate::sys::open_files_limit()
}
