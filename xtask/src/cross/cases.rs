//! `runward.exe` as a person meets it: what is typed, what comes out, what it exits with.
//!
//! May not test what the tests of core and os test; this is whether the whole hangs together.

use super::toolchain::{CrossTarget, FOLDER};
use super::{survivors, wine};
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;
use std::path::Path;

/// One call, and what must come of it.
#[derive(Debug)]
struct Case {
    typed: &'static [&'static str],
    code: i32,
    /// What must be in what it prints, on either stream.
    says: &'static [&'static str],
}

const fn case(typed: &'static [&'static str], code: i32, says: &'static [&'static str]) -> Case {
    Case { typed, code, says }
}

const CASES: &[Case] = &[
    case(&["exec", "--", "cmd", "/c", "echo", "hello"], 0, &["hello"]),
    case(&["exec", "--", "cmd", "/c", "exit", "7"], 7, &[]),
    case(&["exec", "--shell", "echo a & echo b"], 0, &["a", "b"]),
    case(&["exec", "--shell", r#"echo "two  spaces""#], 0, &[r#""two  spaces""#]),
    case(&["exec", "--cwd", r"C:\windows", "--", "cmd", "/c", "cd"], 0, &[r"C:\windows"]),
    case(
        &["exec", "--json", "--", "cmd", "/c", "echo", "hello"],
        0,
        &[r#""exit_code":0"#, r#""containment":"job""#],
    ),
    case(&["exec", "--cwd", r"C:\nowhere", "--", "cmd"], 125, &["resolve.cwd-missing"]),
    case(&["exec", "--cpu", "1s", "--", "cmd", "/c", "cd"], 125, &["sandbox.unavailable"]),
    case(&["exec", "--", "cmmd"], 127, &["resolve.not-found", "Did you mean `cmd`?"]),
    case(
        &["exec", "--config", "CONFIG", "--", "PING.EXE", "-n", "1", "127.0.0.1"],
        126,
        &["policy.deny: ping"],
    ),
    case(&["exec", "--config", "CONFIG", "--shell", "echo %PATH%"], 126, &["policy.denied"]),
    case(
        &["config", "show", "--origin", "--config", "CONFIG"],
        0,
        &["policy.deny = [\"ping\"]", "rules.toml:2"],
    ),
    case(
        &["explain", "--", "cmd", "/c", "cd"],
        0,
        &[r"C:\windows\system32\cmd.exe", "the job is terminated"],
    ),
    case(&["resolve", "cmd"], 0, &[r"C:\windows\system32\cmd.exe (first in PATH)"]),
    case(&["resolve", "npm"], 0, &[r"C:\Program Files\nodejs\npm.cmd (our node"]),
    case(&["exec", "--", "npm", "two words", "a&b"], 0, &[r#"npm "two words" "a&b""#]),
    case(&["doctor"], 0, &["ok       job", "ok       shell", "ok       state folder"]),
];

const RULES: &str = "[policy]\ndeny = [\"ping\"]\n";

/// Every case, and the one about time.
pub(super) fn run(root: &RepositoryRoot) -> ChoreResult {
    write(&wine::folder(root).join("rules.toml"), RULES)?;
    // A node that is never run: its place and its ending are all that matters.
    let node = wine::folder(root).join("home/drive_c/Program Files/nodejs");
    write(&node.join("node.exe"), "")?;
    write(&node.join("npm.cmd"), "@echo npm %*\r\n")?;
    for case in CASES {
        check(root, case)?;
    }
    println!("{} calls came out as they should", CASES.len());
    survivors::none_after_a_timeout(root)
}

fn write(path: &Path, text: &str) -> ChoreResult {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    made.map_err(|error| format!("`{}`: {error}", path.display()))
}

/// The program, with these arguments.
pub(super) fn runward<S: AsRef<str>>(root: &RepositoryRoot, typed: impl IntoIterator<Item = S>) -> ChildTool {
    let program = format!("{FOLDER}/{}/debug/runward.exe", CrossTarget::Windows.triple());
    wine::under(ChildTool::new("wine").args([program]).args(typed), root)
}

fn check(root: &RepositoryRoot, case: &Case) -> ChoreResult {
    let line = case.typed.join(" ");
    let (code, said) =
        wine::told(|| call(root, case)).map_err(|error| format!("`runward {line}`: {error}"))?;
    let missing: Vec<_> = case.says.iter().filter(|text| !said.contains(**text)).collect();
    if code == Some(case.code) && missing.is_empty() {
        return Ok(());
    }
    Err(format!("`runward {line}` ended with {code:?}, not {}, without {missing:?}:\n{said}", case.code))
}

/// Its exit code, and all that it printed.
fn call(root: &RepositoryRoot, case: &Case) -> Result<(Option<i32>, String), String> {
    let rules = format!("{FOLDER}/wine/rules.toml");
    let typed = case.typed.iter().map(|word| if *word == "CONFIG" { rules.as_str() } else { word });
    let path = wine::folder(root).join("said.txt");
    let file = fs::File::create(&path).map_err(|error| error.to_string())?;
    let status = runward(root, typed).run_into(root, &file)?;
    let said = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    Ok((status.code(), said))
}
