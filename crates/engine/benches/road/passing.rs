//! What it costs to pass a gigabyte through a whole `runward exec` to a pipe.

use std::io::Read;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns, time};

const BYTES: u64 = 1 << 30;

pub(crate) fn row(plan: &Plan) -> ResultRow {
    let home = tempfile::tempdir().expect("a folder");
    let (fixture, runward) = (testkit::fixture(), testkit::binary("runward"));
    let many = BYTES.to_string();
    let baseline = || {
        time(|| {
            let (writer, out) = started(program(&fixture, &home).args(["spew", &many]));
            let (cat, out) = started(program(Path::new("cat"), &home).stdin(Stdio::from(out)));
            finished([writer, cat], out);
        })
    };
    let product = || {
        time(|| {
            let mut command = program(&runward, &home);
            command.args(["exec", "--timeout", "10m", "--"]).arg(&fixture).args(["spew", &many]);
            let (child, out) = started(&mut command);
            finished([child], out);
        })
    };
    let what = "1 GiB passed through `runward exec` to a pipe, against `cat`";
    in_turns(what, TargetSide::AtMost(1.6), 8 * plan.rounds, baseline, product)
}

fn program(program: &Path, home: &TempDir) -> Command {
    #[expect(clippy::disallowed_methods, reason = "a benchmark stands outside and looks in")]
    let mut command = Command::new(program);
    command.env("HOME", home.path()).env("RUNWARD_STATE_DIR", home.path().join("state"));
    command.current_dir(home.path()).stdin(Stdio::null());
    command
}

fn started(command: &mut Command) -> (Child, ChildStdout) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it is there");
    let out = child.stdout.take().expect("a pipe");
    (child, out)
}

/// Reads everything, and forgets it.
fn finished<const COUNT: usize>(children: [Child; COUNT], mut out: ChildStdout) {
    let (mut buffer, mut total) = (vec![0; 64 * 1024], 0);
    loop {
        match out.read(&mut buffer).expect("a pipe") {
            0 => break,
            len => total += len as u64,
        }
    }
    assert_eq!(total, BYTES);
    for mut child in children {
        assert!(child.wait().expect("a child").success());
    }
}
