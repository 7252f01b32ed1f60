//! What `exec` exits with, and the one sentence that goes with it.

use crate::runner::{Place, run};

#[test]
fn a_command_keeps_its_own_code() {
    for code in [0, 1, 3, 124, 255] {
        let said = run(["exec", "--", "sh", "-c", &format!("exit {code}")]);
        assert_eq!((said.code, said.stderr.as_str()), (code, ""));
    }
}

#[test]
fn a_signal_is_128_and_its_number() {
    assert_eq!(run(["exec", "--", "sh", "-c", "kill -9 $$"]).code, 137);
    assert_eq!(run(["exec", "--", "sh", "-c", "kill -15 $$"]).code, 143);
}

#[test]
fn a_timeout_is_124_with_a_sentence() {
    let said = run(["exec", "--timeout", "100ms", "--", "sh", "-c", "echo before; exec sleep 60"]);
    assert_eq!((said.code, said.stdout.as_str()), (124, "before\n"));
    assert_eq!(
        said.stderr,
        "runward: stopped at its time limit of 100ms\nhint: Give it more with --timeout 10m, or 0 for no limit; limits.timeout_ms changes the default.\n"
    );
}

#[test]
fn silence_and_too_much_output_are_told_too() {
    let idle = run(["exec", "--idle-timeout", "100ms", "--", "sleep", "60"]);
    assert_eq!(
        (idle.code, idle.stderr.as_str()),
        (143, "runward: stopped after printing nothing for 100ms\n")
    );
    let output = run(["exec", "--output-limit", "1KiB", "--", "yes"]);
    assert_eq!(output.stderr, "runward: stopped at its output limit of 1 KiB\n");
    assert!(output.stdout.len() >= 1024 && output.code == 143, "{}", output.code);
}

#[test]
fn what_outlived_the_command_is_told() {
    let said = run(["exec", "--shell", "sleep 60 & echo done"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "done\n"));
    assert_eq!(said.stderr, "runward: 1 process outlived the command and was killed\n");
}

#[test]
fn quiet_says_nothing_of_all_this() {
    let timeout = run(["exec", "--quiet", "--timeout", "50ms", "--", "sleep", "60"]);
    assert_eq!((timeout.code, timeout.stderr.as_str()), (124, ""));
    let leftovers = run(["exec", "-q", "--shell", "sleep 60 & echo done"]);
    assert_eq!((leftovers.code, leftovers.stderr.as_str()), (0, ""));
}

#[test]
fn usage_errors_are_125() {
    for args in [&["exec"][..], &["exec", "echo"], &["nosuchverb"], &["exec", "--nosuch", "--", "ls"]] {
        let said = run(args);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{args:?}");
        assert!(!said.stderr.is_empty());
    }
}

#[test]
fn a_slip_in_a_flag_gets_a_suggestion() {
    let said = run(["exec", "--timeot", "1s", "--", "ls"]);
    assert!(said.stderr.contains("unexpected argument '--timeot'"), "{}", said.stderr);
    assert!(said.stderr.contains("'--timeout'"), "{}", said.stderr);
}

#[test]
fn limits_that_cannot_be_are_errors_that_name_the_value() {
    for (flag, value, why) in [
        ("--timeout", "5", "`5` has no unit"),
        ("--timeout", "25h", "25h is not between 1ms and 24h"),
        ("--idle-timeout", "soon", "`soon` is not a number with a unit"),
        ("--max-output", "1", "1 is not between 2 and 1073741824"),
        ("--open-files", "1", "1 is not between 3 and 1048576"),
        ("--memory", "lots", "`lots` is not a number with a unit"),
        ("--env", "novalue", "write it like `NAME=VALUE`"),
    ] {
        let said = run(["exec", flag, value, "--", "ls"]);
        assert_eq!(said.code, 125);
        assert!(said.stderr.contains(why) && said.stderr.contains(flag), "{}", said.stderr);
    }
}

#[test]
fn no_limit_on_time_can_be_asked_for() {
    let said = run(["explain", "--timeout", "0", "--", "ls"]);
    assert!(!said.stdout.contains("timeout_ms"), "{}", said.stdout);
}

#[test]
fn not_found_is_127_and_not_executable_126() {
    let missing = run(["exec", "--", "no-such-program-anywhere"]);
    assert_eq!(missing.code, 127);
    assert!(missing.stderr.contains("[resolve.not-found]\nhint: "), "{}", missing.stderr);
    let place = Place::new();
    place.file("plain", "text");
    let plain = place.run(["exec", "--", "./plain"]);
    assert_eq!(plain.code, 126);
    assert!(plain.stderr.contains("[resolve.not-executable]"), "{}", plain.stderr);
}

#[test]
fn a_refusal_is_126_and_starts_nothing() {
    let place = Place::new();
    place.owner("policy.deny = [\"touch\"]");
    let said = place.run(["exec", "--", "touch", "made"]);
    assert_eq!((said.code, said.stdout.as_str()), (126, ""));
    assert_eq!(
        said.stderr,
        "runward: `touch` is refused by the rule `policy.deny: touch`: the configuration denies it [policy.denied]\n\
         hint: Ask the owner of the configuration to change the rule.\n"
    );
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_missing_cwd_and_a_forbidden_variable_are_125() {
    let cwd = run(["exec", "--cwd", "/no/such/folder", "--", "ls"]);
    assert_eq!(cwd.code, 125);
    assert!(cwd.stderr.starts_with("runward: cwd does not exist: /no/such/folder [resolve.cwd-missing]"));
    let env = run(["exec", "--env", "LD_PRELOAD=x", "--", "ls"]);
    assert_eq!(env.code, 125);
    assert!(env.stderr.contains("[spec.bad-env]"), "{}", env.stderr);
}

#[test]
fn cwd_and_env_reach_the_command() {
    let place = Place::new();
    std::fs::create_dir(place.work().join("inner")).unwrap();
    let said =
        place.run(["exec", "--cwd", "inner", "--env", "A=1=2", "--env", "B=", "--shell", "pwd; echo $A-$B-"]);
    assert_eq!(said.stdout, format!("{}\n1=2--\n", place.work().join("inner").display()));
}

#[test]
fn a_result_that_cannot_be_written_is_told() {
    let place = crate::runner::Place::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = place.command(["exec", "--json", "--", "echo", "x"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("the result could not be written"), "{words}");
}

#[test]
fn what_was_ignored_when_runward_was_started_stays_ignored() {
    let place = crate::runner::Place::new();
    // The command signals Runward itself: its grandparent's parent is this very `nohup`, which became Runward.
    let script =
        "p=$PPID; s=$(cut -d' ' -f4 /proc/$p/stat); kill -HUP $(cut -d' ' -f4 /proc/$s/stat); echo survived";
    let mut command = crate::runner::program(std::path::Path::new("nohup"));
    let output = command
        .arg(env!("CARGO_BIN_EXE_runward"))
        .args(["exec", "--shell", script])
        .env("RUNWARD_STATE_DIR", place.state())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "survived\n");
}
