//! The promises of Windows' half of this crate, kept by real processes.
#![cfg(windows)]

#[path = "windows/drive.rs"]
mod drive;
#[path = "windows/fixture.rs"]
mod fixture;

use drive::{Ran, is_gone, launch, run};
use runward_core::error::{Code, Coded};
use runward_core::life::LifeInput;
use runward_core::record::{EndedBy, Leftovers, StopCause};
use runward_core::spec::{CommandSpec, StdinSpec, Streams};
use runward_os::{Child, Got, Launcher, Notice};
use std::time::Duration;

#[test]
fn output_and_exit_code_come_back() {
    let ran = run(&CommandSpec::shell("echo out& echo err>&2& exit 7"));
    assert_eq!((ran.stdout(), ran.stderr()), ("out\r\n".to_owned(), "err\r\n".to_owned()));
    assert_eq!(ran.end.how, EndedBy::Exited(7));
    assert_eq!(ran.end.leftovers, Leftovers::None);
}

#[test]
fn joined_streams_keep_their_order() {
    let mut spec = CommandSpec::shell("echo one& echo two>&2& echo three");
    spec.streams = Streams::Joined;
    assert_eq!(run(&spec).stdout(), "one\r\ntwo\r\nthree\r\n");
}

#[test]
fn a_script_reaches_cmd_letter_by_letter() {
    let spec = CommandSpec::shell(r#"echo "a & b" ^& %WORD% \" "#).env("WORD", "w");
    assert_eq!(run(&spec).stdout().trim_end(), r#""a & b" & w \""#);
}

#[test]
fn arguments_come_back_as_they_were_given() {
    let words = ["two words", r#"say "hi""#, r"C:\dir\", "", "&|<>^%PATH%", r#"a\"b\\"#, "é☃"];
    let ran = run(&fixture::spec("arguments").args(words));
    assert_eq!(ran.found("word: "), words.map(str::to_owned));
}

#[test]
fn the_environment_and_the_directory_are_as_planned() {
    let dir = tempfile::tempdir().unwrap();
    let ran = run(&fixture::spec("surroundings").cwd(dir.path()).env("WORD", "a=b c"));
    assert_eq!(ran.found("WORD: "), ["a=b c"]);
    let here = std::fs::canonicalize(&ran.found("cwd: ")[0]).unwrap();
    assert_eq!(here, std::fs::canonicalize(dir.path()).unwrap());
    assert!(!ran.found("cwd: ")[0].starts_with(r"\\?\"), "cmd.exe could not work there");
}

#[test]
fn a_batch_file_gets_data_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("show me.cmd");
    std::fs::write(&file, "@echo [%1] [%2]\r\n").unwrap();
    let ran = run(&CommandSpec::exec(&file).arg("a & echo b").arg("plain"));
    assert_eq!(ran.stdout().trim_end(), r#"["a & echo b"] [plain]"#);
    let refused = drive::refused(&CommandSpec::exec(&file).arg("fine").arg("a\nb"));
    assert_eq!(refused.code(), Code::SpecBadValue);
    assert!(refused.to_string().contains("argument 2 "), "{refused}");
}

#[test]
fn input_of_any_size_is_fed_while_output_is_read() {
    let bytes = vec![0xA5; 3 * 1024 * 1024];
    let ran = run(&fixture::spec("echo").stdin(bytes.clone()));
    assert_eq!(ran.stdout.iter().filter(|byte| **byte == 0xA5).count(), bytes.len());
    assert_eq!(ran.end.how, EndedBy::Exited(0));
}

#[test]
fn a_command_that_wants_no_input_is_no_error() {
    let ran = run(&CommandSpec::shell("exit 0").stdin(vec![b'x'; 1024 * 1024]));
    assert_eq!(ran.end.how, EndedBy::Exited(0));
}

#[test]
fn input_can_be_given_later_and_closed() {
    drive::block_on(async {
        let mut spec = fixture::spec("echo");
        spec.stdin = StdinSpec::Open;
        let mut child = launch(&spec).await;
        assert!(child.feed(b"first "));
        while child.next(true).await != Notice::Fed {}
        assert!(child.feed(b"second"));
        child.close_input();
        let ran = drive::live(child).await;
        assert!(ran.stdout().contains("first second"), "{}", ran.stdout());
    });
}

#[test]
fn what_is_still_in_the_pipe_is_read_at_the_end() {
    drive::block_on(async {
        let mut child = launch(&CommandSpec::shell("echo last words")).await;
        while !matches!(child.next(false).await, Notice::Life(LifeInput::Exited { .. })) {}
        let mut buffer = [0; 100];
        let got = child.read_rest(runward_core::output::Stream::Stdout, &mut buffer);
        assert_eq!(got, Got::Bytes(12));
        assert_eq!(&buffer[..12], b"last words\r\n");
    });
}

#[test]
fn a_timeout_ends_the_whole_tree() {
    let ran = run(&fixture::spec("tree").timeout(Duration::from_secs(2)));
    assert_eq!(ran.end.stopped, Some(StopCause::Timeout));
    assert_nothing_is_left(&ran);
}

#[test]
fn what_outlives_the_command_is_counted_and_ended() {
    let ran = run(&fixture::spec("tree").env("FIXTURE_LEAVES", "1"));
    assert_eq!(ran.end.how, EndedBy::Exited(0));
    assert_eq!(ran.end.leftovers, Leftovers::Killed { count: 2 });
    assert_nothing_is_left(&ran);
}

#[test]
fn dropping_a_child_ends_its_tree() {
    let pids = drive::block_on(async {
        let mut child: Child = launch(&fixture::spec("tree")).await;
        drive::read_until(&mut child, "pid: ", 2).await
    });
    assert!(pids.iter().all(|pid| is_gone(*pid)));
}

#[test]
fn killing_runward_ends_the_tree() {
    let pids = fixture::kill_a_runward();
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| is_gone(*pid)));
}

#[test]
fn what_cannot_be_started_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("nonsense.exe");
    std::fs::write(&file, "this is no program").unwrap();
    assert_eq!(drive::refused(&CommandSpec::exec(&file)).code(), Code::SpawnExecFormat);
    let long = CommandSpec::shell("x".repeat(40_000));
    assert_eq!(drive::refused(&long).code(), Code::SpawnTooLarge);
}

#[test]
fn a_launcher_starts_many_at_once() {
    drive::block_on(async {
        let launcher = Launcher::new();
        let mut children = Vec::new();
        for _ in 0..8 {
            children.push(drive::begin(&launcher, &CommandSpec::shell("exit 5")).await.unwrap());
        }
        for child in children {
            assert_eq!(drive::live(child).await.end.how, EndedBy::Exited(5));
        }
    });
}

#[track_caller]
fn assert_nothing_is_left(ran: &Ran) {
    let pids: Vec<u32> = ran.found("pid: ").iter().map(|pid| pid.parse().unwrap()).collect();
    assert_eq!(pids.len(), 2, "{}", ran.stdout());
    assert!(pids.iter().all(|pid| is_gone(*pid)));
}

#[test]
fn a_name_is_found_with_the_hosts_endings() {
    assert_eq!(run(&CommandSpec::exec("cmd").args(["/d", "/c", "exit 4"])).end.how, EndedBy::Exited(4));
}
