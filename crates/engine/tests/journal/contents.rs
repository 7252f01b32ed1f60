//! What a record says, and what it never says.

use crate::place::Place;
use runward_engine::journal::{AskedRecord, JournalRecord, Outputs, RecordState, RecordedCommand};
use runward_engine::toolkit::{ExecCommandOptions, ToolErrorCode, ToolkitGround, create_agent_toolkit};
use runward_engine::{Caller, CommandSpec, Door, Outcome, Policy, Request, Stream, Workspace};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

#[test]
fn a_command_is_written_down_with_everything_about_it() {
    let place = Place::new();
    let engine = place.engine();
    let spec = CommandSpec::shell("echo out; echo err >&2; exit 3").cwd(place.path()).env("EXTRA", "1");
    let receipt = place.ran(&engine, spec.stdin("typed"));
    let all = place.all();
    let [found] = &all[..] else { panic!("{all:?}") };
    assert_eq!((found.summary.state, found.summary.code), (RecordState::Ended, Some(3)));
    assert_eq!(
        (found.summary.line.as_str(), found.summary.door.as_str()),
        ("echo out; echo err >&2; exit 3", "library")
    );
    let whole = place.reader().whole(found).unwrap();
    let JournalRecord::Begin(begin) = &whole.first else { panic!("{whole:?}") };
    assert_eq!(begin.id, receipt.id.to_string());
    assert_eq!(begin.plan, receipt.plan.to_string());
    assert!(matches!(begin.asked, AskedRecord::Shell(_)));
    assert!(begin.program.starts_with('/') && begin.argv.len() == 3, "{begin:?}");
    assert!(begin.env.contains(&"PATH".into()) && begin.env.contains(&"EXTRA".into()));
    assert_eq!((begin.stdin.as_str(), begin.rule.as_ref()), ("5 bytes", "everything"));
    assert!(begin.limits.iter().any(|limit| limit.name == "timeout_ms" && limit.by == "runward"));
    let json: Value = serde_json::to_value(&whole).unwrap();
    assert_eq!(json["exit_code"], 3);
    assert_eq!((&json["stdout"]["bytes"], &json["leftovers"]), (&4.into(), &0.into()));
    let digest = blake3::hash(b"out\n").to_hex().to_string();
    assert_eq!(json["stdout"]["digest"], digest);
    assert_eq!(place.reader().output(found, Stream::Stderr).unwrap().unwrap(), b"err\n");
}

#[test]
fn a_refused_command_is_written_down_too() {
    let place = Place::new();
    let engine = place.engine_of(place.rules(), Policy::allow_programs(["ls"]));
    assert!(matches!(place.run(&engine, CommandSpec::exec("echo").arg("hi")), Ok(Outcome::Refused(_))));
    let all = place.all();
    let found = &all[0];
    assert_eq!((found.summary.state, found.summary.line.as_str()), (RecordState::Refused, "echo hi"));
    let whole = place.reader().whole(found).unwrap();
    assert_eq!(whole.trouble().unwrap().code, "policy.denied");
}

#[test]
fn a_folder_outside_the_workspace_is_written_down_as_a_refusal() {
    let place = Place::new();
    let engine = place.engine();
    let inside = place.path().join("inside");
    std::fs::create_dir(&inside).unwrap();
    let workspace = Workspace::at(&inside, engine.facts(), &runward_engine::host::Disk);
    let request = Request::by(Caller::library(), CommandSpec::exec("true").cwd(place.path()));
    let outcome = place.runtime.block_on(engine.run(request.within(workspace)));
    assert!(matches!(outcome, Ok(Outcome::Refused(_))), "{outcome:?}");
    let toolkit = create_agent_toolkit(ToolkitGround::new(engine.clone(), &inside));
    let asked = ["true".to_owned()];
    let told = place.runtime.block_on(toolkit.exec_command("..", &asked, ExecCommandOptions::default()));
    assert_eq!(told.unwrap_err().code, ToolErrorCode::SandboxViolation);
    let told = place.runtime.block_on(toolkit.exec_command("none", &asked, ExecCommandOptions::default()));
    assert_eq!(told.unwrap_err().code, ToolErrorCode::NotDirectory);
    engine.journal().unwrap().flush();
    let all = place.all();
    let told = |found| {
        let whole = place.reader().whole(found).unwrap();
        (found.summary.state, whole.trouble().unwrap().code.to_string())
    };
    let told: Vec<_> = all.iter().map(told).collect();
    let outside = (RecordState::Refused, "policy.outside-workspace".to_owned());
    assert_eq!(told, [outside.clone(), outside, (RecordState::Failed, "resolve.cwd-missing".to_owned())]);
}

#[test]
fn where_the_words_come_from_is_written_down() {
    let place = Place::new();
    let engine = place.engine_of(place.rules(), Policy::default());
    for caller in [Caller::person(), Caller::file(Door::Flow), Caller::file(Door::Gateway), Caller::library()]
    {
        let request = Request::by(caller, CommandSpec::exec("true"));
        place.runtime.block_on(engine.run(request)).unwrap();
    }
    engine.journal().unwrap().flush();
    let hands = || -> Vec<(String, Option<String>)> {
        let told = |found: &RecordedCommand| match place.reader().whole(found).unwrap().first {
            JournalRecord::Begin(begin) => (begin.asker.hand.to_string(), Some(begin.rule.to_string())),
            JournalRecord::Refused(refused) => (refused.asker.hand.to_string(), refused.rule),
            other => panic!("{other:?}"),
        };
        place.all().iter().map(told).collect()
    };
    let expected =
        [("typed", Some("typed")), ("file", Some("file")), ("file", Some("servers")), ("program", None)];
    let expected = expected.map(|(hand, rule)| (hand.to_owned(), rule.map(str::to_owned)));
    assert_eq!(hands(), expected);
}

#[test]
fn what_could_not_be_made_ready_or_started_is_written_down() {
    let place = Place::new();
    let engine = place.engine();
    assert!(place.run(&engine, CommandSpec::exec("no-such-program-here")).is_err());
    let broken = place.path().join("broken");
    std::fs::write(&broken, "\x7fELF nonsense").unwrap();
    std::fs::set_permissions(&broken, PermissionsExt::from_mode(0o700)).unwrap();
    assert!(place.run(&engine, CommandSpec::exec(&broken)).is_err());
    let all = place.all();
    assert_eq!(
        all.iter().map(|found| found.summary.state).collect::<Vec<_>>(),
        [RecordState::Failed, RecordState::Failed]
    );
    let codes: Vec<_> = all
        .iter()
        .map(|found| place.reader().whole(found).unwrap().trouble().unwrap().code.to_string())
        .collect();
    assert_eq!(codes, ["resolve.not-found", "spawn.exec-format"]);
    place.reader().verify().unwrap();
}

#[test]
fn no_file_of_the_journal_holds_a_planted_secret() {
    let place = Place::new();
    let engine = place.engine();
    let (shape, value, typed) =
        ("ghp_0123456789abcdefghij0123456789abcdef", "correct-horse-battery", "typed-secret-1");
    let text = format!("echo {shape} $MY_TOKEN --password {value}; cat; x=https://u:{value}@host");
    place.ran(&engine, CommandSpec::shell(text).env("MY_TOKEN", value).stdin(typed));
    place.ran(&engine, CommandSpec::exec("printf").args(["%s", "--api-key", value]).env("A_SECRET", value));
    place.ran(&engine, CommandSpec::exec("sleep").arg("0").env("B_PASSWORD", "only-in-the-environment"));
    drop(engine);
    // What it reads it may print, and `cat` does; what it printed is masked by look and value, and this one has no look.
    let secrets = [shape, value, "only-in-the-environment"];
    testkit::until("the journal is closed", || {
        !place.journal_folder().join("alive").read_dir().unwrap().any(|_| true)
    });
    let mut files = vec![place.path()];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for secret in secrets {
            let found = bytes.windows(secret.len()).any(|part| part == secret.as_bytes());
            assert!(!found, "{secret} is in {}", path.display());
        }
    }
}

#[test]
fn what_is_read_is_never_written() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true").stdin("a secret that is typed"));
    let mut text = String::new();
    place.reader().each(|_, body, _| text.push_str(body)).unwrap();
    assert!(!text.contains("a secret") && text.contains("22 bytes"), "{text}");
    assert!(!text.contains(&blake3::hash(b"a secret that is typed").to_hex().to_string()));
}

#[test]
fn output_is_kept_only_where_the_rules_say_so() {
    let place = Place::new();
    let engine = place
        .engine_with(runward_engine::journal::JournalRules { outputs: Outputs::NotKept, ..place.rules() });
    place.ran(&engine, CommandSpec::exec("echo").arg("hello"));
    let all = place.all();
    assert_eq!(place.reader().output(&all[0], Stream::Stdout).unwrap(), None);
    assert_eq!(all[0].summary.bytes, Some(6));
}

#[test]
fn more_output_than_memory_keeps_is_in_the_spool() {
    let place = Place::new();
    let engine = place.engine();
    let mut spec = CommandSpec::shell("head -c 3000000 /dev/zero").timeout(Duration::from_secs(60));
    spec.limits.keep = runward_engine::Wish::At(1000);
    place.ran(&engine, spec);
    let found = &place.all()[0];
    assert_eq!(place.reader().output(found, Stream::Stdout).unwrap().unwrap().len(), 3_000_000);
    let json = serde_json::to_value(place.reader().whole(found).unwrap()).unwrap();
    assert_eq!(json["stdout"]["spooled"], true);
    assert_eq!(json["stdout"]["digest"], blake3::hash(&vec![0; 3_000_000]).to_hex().to_string());
}

#[test]
fn the_log_of_the_database_does_not_grow_with_what_commands_print() {
    let place = Place::new();
    let engine = place.engine();
    for _ in 0..16 {
        let mut spec = CommandSpec::shell("head -c 1000000 /dev/zero");
        spec.limits.keep = runward_engine::Wish::At(1 << 20);
        place.ran(&engine, spec);
    }
    assert_eq!(place.reader().output(&place.all()[15], Stream::Stdout).unwrap().unwrap().len(), 1_000_000);
    let log = std::fs::metadata(place.journal_folder().join("journal.db-wal")).unwrap().len();
    assert!(log < 10 << 20, "{log}");
}

#[test]
fn only_the_owner_can_read_it() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let mode = |name: &str| {
        std::fs::metadata(place.journal_folder().join(name)).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(mode(""), 0o700);
    for name in ["journal.db", "journal.db-wal", "head"] {
        assert_eq!(mode(name), 0o600, "{name}");
    }
}
