//! What a command's sandbox costs.

use super::spawn::{engine, one_thread, ours};
use runward_engine::core::facts::HostFacts;
use runward_engine::{Engine, Layer, Mode, Network, Policy, SandboxSettings};
use std::path::{Path, PathBuf};
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, time};

/// A workspace as most are: a repository, without rules of its own.
fn workspace() -> tempfile::TempDir {
    let folder = testkit::aside(env!("CARGO_TARGET_TMPDIR"));
    let git = folder.path().join(".git");
    std::fs::create_dir_all(git.join("hooks")).expect("a folder");
    for name in ["HEAD", "config"] {
        std::fs::write(git.join(name), "").expect("a file");
    }
    folder
}

fn walled(layers: &[Layer], workspace: &Path) -> Engine {
    let settings = SandboxSettings {
        mode: Mode::WorkspaceWrite,
        network: Network::Off,
        layers: layers.to_vec(),
        ..SandboxSettings::default()
    };
    let facts = HostFacts {
        cwd: workspace.canonicalize().expect("a folder"),
        ..runward_engine::host::probe().expect("facts of this host")
    };
    let builder = Engine::builder().policy(Policy::allow_everything("a benchmark")).facts(facts);
    builder.sandbox(settings).build().expect("an engine")
}

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let (runtime, plain, workspace) = (one_thread(), engine(), workspace());
    let still = testkit::seen(&testkit::still(), workspace.path());
    let light = walled(&[Layer::Landlock, Layer::Seccomp], workspace.path());
    let full = walled(&Layer::ALL, workspace.path());
    let bwrap = Bubblewrap::around(&still, workspace.path());
    for _ in 0..50 {
        ours(&runtime, &plain, &still);
        ours(&runtime, &light, &still);
        ours(&runtime, &full, &still);
        bwrap.run();
    }
    let turns = 500 * plan.rounds;
    vec![
        in_turns(
            "static program, Landlock and seccomp, against none",
            TargetSide::AtMost(2.0),
            turns,
            || ours(&runtime, &plain, &still),
            || ours(&runtime, &light, &still),
        ),
        in_turns(
            "static program, with namespaces, against bwrap",
            TargetSide::AtMost(1.0),
            turns / 2,
            || time(|| assert_eq!(bwrap.run(), 0)),
            || ours(&runtime, &full, &still),
        ),
    ]
}

/// The same by bubblewrap: everything read-only, the workspace writable, a temporary folder, no network.
struct Bubblewrap {
    program: PathBuf,
    words: Vec<String>,
}

impl Bubblewrap {
    fn around(still: &Path, workspace: &Path) -> Self {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path).map(|folder| folder.join("bwrap")).find(|it| it.is_file());
        let program = program.expect("`bwrap`, which `cargo xtask install` brings");
        let work = workspace.to_str().expect("a path of letters");
        let mut words = vec!["--ro-bind", "/", "/", "--bind", work, work, "--tmpfs", "/tmp"];
        words.extend(["--unshare-user", "--unshare-ipc", "--unshare-net"]);
        words.push(still.to_str().expect("a path of letters"));
        let bwrap = Self { program, words: words.into_iter().map(str::to_owned).collect() };
        assert_eq!(bwrap.run(), 0, "bwrap runs the program");
        bwrap
    }

    fn run(&self) -> i32 {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        testkit::bare::captured(&self.program, &words).expect("it runs").status
    }
}
