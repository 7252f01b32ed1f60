//! Runward itself is killed: no process that it started may live on.

use crate::runner::{Place, program};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Stdio};
use testkit::TreeMark;

const TREE: &str = r#"setsid sleep MARK & (sleep MARK &) ; python3 -c "import os,time
if os.fork()==0:
 os.setsid()
 if os.fork()==0: time.sleep(300)
 os._exit(0)" MARK; nohup sleep MARK >/dev/null 2>&1 & trap "" TERM; echo ready; sleep MARK"#;

/// Starts a tree that does not want to die, and waits until all of it is there.
fn start(place: &Place, mark: &TreeMark, group: Option<i32>) -> Child {
    let text = TREE.replace("MARK", mark.text());
    let mut command = place.command(["exec", "--timeout", "0", "--shell", &text]);
    if let Some(group) = group {
        command.process_group(group);
    }
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    // Runward, three sleepers, the daemon, and the one the shell waits for or has become.
    testkit::until("the whole tree is there", || mark.carriers().len() >= 6);
    child
}

fn kill(target: &str) {
    let killed = program(Path::new("/bin/kill")).args(["-9", "--", target]).status().unwrap();
    assert!(killed.success());
}

/// promise: P04
#[test]
fn killing_runward_kills_the_tree() {
    let (place, mark) = (Place::new(), TreeMark::new());
    let mut child = start(&place, &mark, None);
    kill(&child.id().to_string());
    child.wait().unwrap();
    testkit::until("nothing is left", || mark.carriers().is_empty());
}

/// promise: P04
#[test]
fn killing_runwards_whole_process_group_kills_the_tree() {
    let (place, mark) = (Place::new(), TreeMark::new());
    let mut child = start(&place, &mark, Some(0));
    kill(&format!("-{}", child.id()));
    child.wait().unwrap();
    testkit::until("nothing is left", || mark.carriers().is_empty());
}

/// promise: P04
#[test]
fn the_keepers_go_too() {
    let (place, mark) = (Place::new(), TreeMark::new());
    let mut child = start(&place, &mark, None);
    let own = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    let steward = own.trim().to_owned();
    let line = std::fs::read(format!("/proc/{steward}/cmdline")).unwrap();
    assert!(line.starts_with(b"runward-warden"), "{line:?}");
    kill(&child.id().to_string());
    child.wait().unwrap();
    testkit::until("the steward is gone", || !Path::new(&format!("/proc/{steward}/exe")).exists());
    assert!(mark.carriers().is_empty(), "the steward waits for its wardens, and they for their trees");
}

/// promise: P02
#[test]
fn a_timeout_answers_in_time_and_leaves_nothing() {
    let (place, mark) = (Place::new(), TreeMark::new());
    let text = TREE.replace("MARK", mark.text());
    let begun = std::time::Instant::now();
    let said = place.run(["exec", "--timeout", "1s", "--shell", &text]);
    assert_eq!(said.code, 124, "{said:?}");
    assert_eq!(mark.carriers(), [0; 0]);
    // One second and the grace of half a second; the rest is room for a busy machine.
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "took {:?}", begun.elapsed());
}
