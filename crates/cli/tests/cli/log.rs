//! `runward log` and `runward replay`: the journal as a person reads it.

use crate::runner::{Place, Said};
use serde_json::Value;

fn json(said: &Said) -> Vec<Value> {
    said.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{said:?}")))
        .collect()
}

fn log(place: &Place, args: &[&str]) -> Vec<Value> {
    let said = place.run(["log", "--json"].iter().chain(args));
    assert_eq!(said.code, 0, "{said:?}");
    json(&said)
}

#[test]
fn before_anything_ran_there_is_nothing_to_show() {
    let place = Place::new();
    let said = place.run(["log"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "no commands are recorded yet\n"));
    assert_eq!(place.run(["log", "019c8f2e"]).code, 125);
    assert!(!place.state().join("journal").exists(), "looking makes nothing");
}

#[test]
fn what_ran_is_shown_in_a_table_that_fits_and_has_no_colours() {
    let place = Place::new();
    place.run(["exec", "--", "echo", "hello"]);
    place.run(["exec", "--shell", "exit 3"]);
    let said = place.run(["log"]);
    let lines: Vec<&str> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{said:?}");
    assert!(
        lines[0].starts_with("AGE") && lines[1].ends_with("echo hello") && lines[2].contains("exit 3"),
        "{said:?}"
    );
    assert!(!said.stdout.contains('\u{1b}'));
}

#[test]
fn one_object_per_command_has_everything() {
    let place = Place::new();
    place.run(["exec", "--env", "MY_VAR=its-value", "--", "sh", "-c", "printf out; printf err >&2; exit 4"]);
    let all = log(&place, &[]);
    let [one] = &all[..] else { panic!("{all:?}") };
    assert_eq!((&one["state"], &one["exit_code"], &one["door"]), (&"ended".into(), &4.into(), &"cli".into()));
    assert_eq!((&one["stdout"]["bytes"], &one["stderr"]["bytes"]), (&3.into(), &3.into()));
    assert!(one["env"].as_array().unwrap().contains(&"MY_VAR".into()), "{one}");
    assert!(!one.to_string().contains("its-value"), "{one}");
    for name in [
        "id",
        "at",
        "program",
        "argv",
        "cwd",
        "rule",
        "sandbox",
        "limits",
        "leftovers",
        "duration_ms",
        "plan",
    ] {
        assert!(one.get(name).is_some(), "{name}: {one}");
    }
}

#[test]
fn commands_are_found_by_what_is_known_of_them() {
    let place = Place::new();
    place.owner("[policy]\ndeny = [\"rm\"]\n");
    place.run(["exec", "--", "echo", "needle"]);
    place.run(["exec", "--", "false"]);
    assert_eq!(place.run(["exec", "--", "rm", "x"]).code, 126);
    assert_eq!(place.run(["exec", "--", "no-such-thing"]).code, 127);
    let lines = |args: &[&str]| -> Vec<String> {
        log(&place, args).iter().map(|one| one["asked"]["exec"][0].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(lines(&[]), ["echo", "false", "rm", "no-such-thing"]);
    assert_eq!(lines(&["--grep", "ne+dle$"]), ["echo"]);
    assert_eq!(lines(&["--failed"]), ["false", "no-such-thing"]);
    assert_eq!(lines(&["--denied"]), ["rm"]);
    assert_eq!(lines(&["--program", "false"]), ["false"]);
    assert_eq!(lines(&["--since", "1h", "-n", "2"]), ["rm", "no-such-thing"]);
    assert_eq!(lines(&["--until", "1h"]), [""; 0]);
    assert_eq!(lines(&["--door", "mcp"]), [""; 0]);
    let refused = &log(&place, &["--denied"])[0];
    assert_eq!(
        (&refused["code"], &refused["rule"]),
        (&"policy.denied".into(), &"policy.deny: rm".into()),
        "{refused}"
    );
    let wrong = place.run(["log", "--since", "yesterday"]);
    assert!(wrong.stderr.contains("`yesterday` is neither"), "{wrong:?}");
    assert!(place.run(["log", "--grep", "("]).stderr.contains("no regular expression"));
}

#[test]
fn one_command_is_shown_whole_by_the_beginning_of_its_id() {
    let place = Place::new();
    place.run(["exec", "--", "sh", "-c", "echo out; echo err >&2"]);
    let id = log(&place, &[])[0]["id"].as_str().unwrap().to_owned();
    let short = &id[..13];
    let said = place.run(["log", short]);
    for part in [id.as_str(), "exit code", "rule", "blake3", "timeout_ms=30000 (runward)"] {
        assert!(said.stdout.contains(part), "{part}: {said:?}");
    }
    let output = place.run(["log", short, "--output"]);
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("out\n", "err\n"));
    let said = place.run(["log", short, "--cast"]);
    assert!(said.stderr.contains("had no terminal"), "{said:?}");
    let said = place.run(["log", "ffffffff"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("[journal.unknown]"), "{said:?}");
}

#[test]
fn verify_says_whole_or_names_the_first_broken_record() {
    let place = Place::new();
    for _ in 0..3 {
        place.run(["exec", "--", "true"]);
    }
    let said = place.run(["log", "--verify"]);
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (0, "the journal is whole: 6 records, from 1 to 6\n"),
        "{said:?}"
    );
    let exported = place.run(["log", "--export"]);
    assert_eq!(
        json(&exported).iter().map(|one| one["seq"].as_u64().unwrap()).collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
    // As if three more had been there: the head names the last that was written.
    let head = place.state().join("journal/head");
    let text = std::fs::read_to_string(&head).unwrap().replace("00006 ", "00009 ");
    std::fs::write(&head, text).unwrap();
    let said = place.run(["log", "--verify"]);
    assert_eq!(said.code, 125, "{said:?}");
    assert!(
        said.stderr.contains("the journal is broken at record 7: it and everything up to record 9")
            && said.stderr.contains("[journal.broken]"),
        "{said:?}"
    );
}

#[test]
fn statistics_count_and_draw() {
    let place = Place::new();
    for _ in 0..3 {
        place.run(["exec", "--", "true"]);
    }
    place.run(["exec", "--", "false"]);
    let said = place.run(["log", "--stats"]);
    assert!(said.stdout.starts_with("4 commands, 1 failed, 0 refused"), "{said:?}");
    assert!(said.stdout.contains("most failing\n  false  1  ████"), "{said:?}");
}

#[test]
fn the_journal_can_be_switched_off() {
    let place = Place::new();
    let off = place.command(["exec", "--", "true"]).env("RUNWARD_JOURNAL", "off").output().unwrap();
    assert!(off.status.success());
    place.owner("[journal]\nenabled = false\n");
    place.run(["exec", "--", "true"]);
    assert!(!place.state().join("journal").exists());
    let odd = place.command(["exec", "--", "true"]).env("RUNWARD_JOURNAL", "perhaps").output().unwrap();
    assert_eq!(odd.status.code(), Some(125));
}

#[test]
fn where_it_is_required_nothing_switches_it_off_and_nothing_runs_without() {
    let place = Place::new();
    place.owner("[journal]\nrequired = true\n");
    let run = || place.command(["exec", "--", "true"]).env("RUNWARD_JOURNAL", "off").output().unwrap();
    assert!(run().status.success());
    assert_eq!(log(&place, &[]).len(), 1);
    std::fs::remove_dir_all(place.state()).unwrap();
    std::fs::write(place.state(), "in the way").unwrap();
    let said = crate::runner::said(&run());
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("[journal.unavailable]"), "{said:?}");
}

#[test]
fn a_journal_that_cannot_be_written_is_told_and_the_command_runs() {
    let place = Place::new();
    std::fs::write(place.state(), "in the way").unwrap();
    let said = place.run(["exec", "--", "echo", "hi"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{said:?}");
    assert!(said.stderr.contains("commands are not recorded"), "{said:?}");
    let said = place.run(["exec", "--json", "--", "true"]);
    assert!(said.stdout.contains("this command began before it was in the journal"), "{said:?}");
}

#[test]
fn a_command_that_nobody_ended_is_interrupted() {
    let place = Place::new();
    let mut runner = place.start(["exec", "--timeout", "0", "--", "sleep", "300"]);
    testkit::until("it runs", || log(&place, &[]).iter().any(|one| one["state"] == "running"));
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_eq!(log(&place, &[])[0]["state"], "interrupted");
    place.run(["exec", "--", "true"]);
    let said = place.run(["log", "--verify"]);
    assert!(said.stdout.contains("1 commands were interrupted"), "{said:?}");
    assert_eq!(log(&place, &["--failed"]).len(), 1);
}

#[test]
fn a_command_can_be_run_again() {
    let place = Place::new();
    place.run(["exec", "--", "sh", "-c", "echo again; exit 2"]);
    let id = log(&place, &[])[0]["id"].as_str().unwrap().to_owned();
    let said = place.run(["replay", &id]);
    assert!(said.stderr.contains("nobody is there to ask"), "{said:?}");
    let said = place.run(["replay", &id[..13], "--yes"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, "again\n"), "{said:?}");
    assert!(
        said.stderr.contains("timeout_ms") || said.stderr.contains("program"),
        "the plan is shown: {said:?}"
    );
    assert_eq!(log(&place, &[]).len(), 2);
    place.run(["exec", "--", "echo", "--password", "hunter22"]);
    let id = log(&place, &[])[2]["id"].as_str().unwrap().to_owned();
    let said = place.run(["replay", &id, "--yes"]);
    assert!(said.stderr.contains("had a secret"), "{said:?}");
}

#[test]
fn following_shows_each_command_as_it_ends() {
    use std::io::{BufRead, BufReader};
    let place = Place::new();
    place.run(["exec", "--", "echo", "one"]);
    let mut follower = place.start(["log", "-f", "--json"]);
    let mut lines = BufReader::new(follower.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("\"one\""));
    place.run(["exec", "--", "echo", "two"]);
    assert!(lines.next().unwrap().unwrap().contains("\"two\""));
    follower.kill().unwrap();
    follower.wait().unwrap();
}

#[test]
fn what_is_gone_is_told_apart_from_what_is_empty_by_every_way_to_look() {
    let place = Place::new();
    place.run(["exec", "--", "true"]);
    std::fs::remove_file(place.state().join("journal/journal.db")).unwrap();
    for args in [&["log"][..], &["log", "--verify"], &["log", "--stats"], &["log", "--json"]] {
        let said = place.run(args);
        assert_eq!(said.code, 125, "{args:?}: {said:?}");
        let words = said.stdout.clone() + &said.stderr;
        assert!(words.contains("names record 2") && words.contains("journal.taken-away"), "{said:?}");
    }
    place.run(["exec", "--", "true"]);
    let said = place.run(["log", "--verify"]);
    assert!(said.stderr.contains("taken away after record 2"), "{said:?}");
}

#[test]
fn output_that_was_changed_is_said_to_be() {
    let place = Place::new();
    let said = place.run(["exec", "--json", "--max-output", "100", "--shell", "head -c 3000 /dev/zero"]);
    assert_eq!(said.code, 0, "{said:?}");
    let id = log(&place, &[])[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(place.run(["log", &id, "--output"]).stdout.len(), 3000);
    std::fs::write(place.state().join(format!("spool/{id}.stdout")), "forged").unwrap();
    for args in [&["log", &id, "--output"][..], &["log", "--verify"]] {
        let said = place.run(args);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{said:?}");
        assert!(
            said.stderr.contains("broken at record 2") && said.stderr.contains("[journal.broken]"),
            "{said:?}"
        );
    }
}

#[test]
fn a_journal_can_be_set_aside() {
    let place = Place::new();
    assert_eq!(place.run(["log", "--set-aside"]).code, 125, "there is none");
    place.run(["exec", "--", "echo", "before"]);
    std::fs::write(place.state().join("journal/head"), "garbage").unwrap();
    let said = place.run(["log", "--verify"]);
    assert!(said.code == 125 && said.stderr.contains("runward log --set-aside"), "{said:?}");
    let said = place.run(["log", "--set-aside"]);
    assert!(said.code == 0 && said.stdout.starts_with("the journal was set aside in `"), "{said:?}");
    place.run(["exec", "--", "echo", "after"]);
    assert_eq!(log(&place, &[]).len(), 1);
    let said = place.run(["log", "--verify"]);
    assert!(said.code == 0 && said.stdout.contains("an earlier journal was set aside"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn a_home_that_is_relative_is_none_and_where_commands_are_recorded_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let temporary = place.home().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let run = |args: &[&str]| {
        let mut command = place.command(args);
        command.env_remove("RUNWARD_STATE_DIR").env("HOME", "relative").env("TMPDIR", &temporary);
        crate::runner::said(&command.output().unwrap())
    };
    if std::path::Path::new("/var/lib/runward").exists() {
        return assert!(run(&["exec", "--", "true"]).stderr.contains("/var/lib/runward"));
    }
    let said = run(&["exec", "--", "true"]);
    assert!(
        said.code == 0 && said.stderr.contains("there is no home: commands are recorded in `"),
        "{said:?}"
    );
    let own = temporary.read_dir().unwrap().next().unwrap().unwrap();
    assert_eq!(own.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(run(&["log", "--json"]).stdout.lines().count(), 1);
    let receipt = run(&["exec", "--json", "--", "true"]).stdout;
    assert!(receipt.contains("there is no home: commands are recorded in `"), "in each receipt: {receipt}");
    assert!(!place.work().join("relative").exists());
    // A link, or a folder that others may enter, is not taken.
    std::fs::set_permissions(own.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let said = run(&["exec", "--", "true"]);
    assert!(
        said.code == 0 && said.stderr.contains("commands are not recorded: there is no home"),
        "{said:?}"
    );
}
