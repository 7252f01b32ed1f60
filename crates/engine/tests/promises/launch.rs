//! A command starts with exactly what the plan says, and nothing of ours.

use crate::ground::{builder, containments, engine, part, run, run_on, script, stdout};
use runward_engine::{Coded, CommandSpec, Error};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::{PermissionsExt, symlink};

/// promise: P03
#[tokio::test]
async fn a_child_sees_descriptors_0_1_2_and_no_more() {
    for containment in containments() {
        let engine = builder().containment(containment).build().unwrap();
        for _ in 0..3 {
            assert_eq!(stdout(&run_on(&engine, part(["fds"])).await), "[0, 1, 2]\n");
        }
        let fed = part(["fds"]).stdin(*b"some input");
        assert_eq!(stdout(&run_on(&engine, fed).await), "[0, 1, 2]\n");
    }
}

/// promise: P03
#[tokio::test]
async fn signals_are_neither_blocked_nor_ignored() {
    // The test's own process ignores SIGPIPE, as every Rust program does.
    let receipt = run(CommandSpec::exec("grep").args(["-E", "Sig(Blk|Ign)", "/proc/self/status"])).await;
    assert_eq!(stdout(&receipt), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

/// promise: P03
#[tokio::test]
async fn a_child_leads_a_session_of_its_own_without_a_terminal() {
    assert_eq!(stdout(&run(part(["session"])).await), "leads\n");
    assert!(stdout(&run(part(["tty"])).await).contains("/dev/tty no terminal"));
}

/// promise: P03
#[tokio::test]
async fn its_parent_has_no_environment_to_read() {
    let receipt = run(script("tr '\\0' '\\n' < /proc/$PPID/environ | wc -l")).await;
    assert_eq!(stdout(&receipt).trim(), "0");
}

/// promise: P03
#[tokio::test]
async fn the_environment_is_inherited_and_overlaid_but_for_our_secrets() {
    let mut facts = runward_engine::host::probe().unwrap();
    facts.env.insert("RUNWARD_TOKEN".into(), "secret".into());
    facts.env.insert("KEPT".into(), "yes".into());
    facts.env.insert("GONE".into(), "yes".into());
    let engine = builder().facts(facts).build().unwrap();
    let mut spec = part(["env"]).env("ADDED", "a b");
    spec.env.unset.insert("GONE".into());
    let shown = stdout(&run_on(&engine, spec).await);
    assert!(shown.contains("KEPT=yes\n") && shown.contains("ADDED=a b\n"), "{shown}");
    assert!(!shown.contains("RUNWARD_TOKEN") && !shown.contains("GONE"), "{shown}");
}

/// promise: P12
#[tokio::test]
async fn arguments_reach_the_program_byte_for_byte() {
    let strange = ["", " ", "a b", "$(x)", "`x`", "'\"\\", "*", "-n", "ü\u{202e}", "a\nb\tc"];
    let mut spec = part(["args"]).args(strange);
    let raw = OsString::from_vec(vec![0xff, 0xfe, b'x']);
    spec = spec.arg(raw);
    let mut expected: String =
        strange.iter().map(|s| s.bytes().map(|b| format!("{b:02x}")).collect::<String>() + "\n").collect();
    expected.push_str("fffe78\n");
    assert_eq!(stdout(&run(spec).await), expected);
}

/// promise: P12
#[tokio::test]
async fn a_script_reaches_the_shell_byte_for_byte() {
    let text =
        "printf '%s' \"$0|$#|\"; tr '\\0' '\\n' < /proc/$$/cmdline | tail -n 1 | wc -c # ü  trailing  ";
    let receipt = run(script(text)).await;
    assert!(stdout(&receipt).ends_with(&format!("{}\n", text.len() + 1)), "{}", stdout(&receipt));
}

/// promise: P12
#[tokio::test]
async fn a_very_large_command_line_passes() {
    let many: Vec<String> =
        (0..10_000).map(|n| format!("argument-number-{n}-with-some-length-to-it")).collect();
    let receipt = run(CommandSpec::exec("printf").arg("%s\\n").args(many.iter().map(String::as_str))).await;
    assert_eq!(receipt.end.exit_code(), 0, "{:?}", receipt.end);
    assert_eq!(receipt.stdout.kept.total, many.iter().map(|word| word.len() as u64 + 1).sum::<u64>());
}

async fn fails(spec: CommandSpec) -> (String, String) {
    let error: Error = engine().run(spec).await.unwrap_err();
    (error.code().name().to_owned(), runward_engine::core::error::chain(&error))
}

/// promise: P13
#[tokio::test]
async fn a_command_line_that_is_too_large_says_so() {
    let (code, message) = fails(CommandSpec::exec("true").arg("x".repeat(200_000))).await;
    assert_eq!(code, "spawn.too-large");
    assert!(message.contains("true` could not be executed"), "{message}");
}

/// promise: P13
#[tokio::test]
async fn a_file_without_a_known_format_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("nonsense");
    std::fs::write(&file, b"\x01\x02\x03").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(fails(CommandSpec::exec(&file)).await.0, "spawn.exec-format");
    std::fs::write(&file, "#!/no/such/interpreter\n").unwrap();
    assert_eq!(fails(CommandSpec::exec(&file)).await.0, "spawn.not-found");
    std::fs::write(&file, "#!/etc/passwd\n").unwrap();
    assert_eq!(fails(CommandSpec::exec(&file)).await.0, "spawn.permission");
}

/// promise: P13
#[tokio::test]
async fn what_is_missing_is_named() {
    let (code, message) = fails(CommandSpec::exec("no-such-program-anywhere")).await;
    assert_eq!(code, "resolve.not-found");
    assert!(message.contains("no-such-program-anywhere"), "{message}");
    let (code, message) = fails(CommandSpec::exec("true").cwd("/no/such/folder")).await;
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("resolve.cwd-missing", "cwd does not exist: /no/such/folder")
    );
    let (code, message) = fails(CommandSpec::exec("true").cwd("/dev/null")).await;
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("resolve.cwd-not-directory", "cwd is not a directory: /dev/null")
    );
}

/// promise: P13
#[tokio::test]
async fn what_makes_no_sense_is_refused_before_the_host_is_looked_at() {
    assert_eq!(fails(CommandSpec::exec("")).await.0, "spec.empty-program");
    assert_eq!(fails(CommandSpec::exec("true").timeout(std::time::Duration::ZERO)).await.0, "spec.bad-limit");
    assert_eq!(fails(CommandSpec::exec("true").arg("a\0b")).await.0, "spec.bad-value");
    assert_eq!(fails(CommandSpec::exec("true").env("LD_PRELOAD", "./x.so")).await.0, "spec.bad-env");
}

/// promise: P13
#[tokio::test]
async fn a_host_without_a_shell_says_so() {
    let mut facts = runward_engine::host::probe().unwrap();
    facts.shell = None;
    let error = builder().facts(facts).build().unwrap().run(script("true")).await.unwrap_err();
    assert_eq!(error.code().name(), "resolve.no-shell");
}

/// promise: P13
#[tokio::test]
async fn after_a_failed_start_the_next_one_works() {
    let engine = engine();
    for _ in 0..3 {
        assert!(engine.run(CommandSpec::exec("true").arg("x".repeat(200_000))).await.is_err());
        assert_eq!(stdout(&run_on(&engine, script("echo fine")).await), "fine\n");
    }
}

/// promise: P03
#[tokio::test]
async fn the_working_directory_is_the_one_that_was_judged() {
    let dir = tempfile::tempdir().unwrap();
    let real = dir.path().canonicalize().unwrap();
    std::fs::create_dir(real.join("inside")).unwrap();
    symlink(real.join("inside"), real.join("link")).unwrap();
    let receipt = run(part(["cwd"]).cwd(real.join("link"))).await;
    assert_eq!(stdout(&receipt).trim(), real.join("inside").to_str().unwrap());
    assert_eq!(receipt.cwd, real.join("inside"));
}

/// promise: P03
#[tokio::test]
async fn folders_with_strange_names_work() {
    let dir = tempfile::tempdir().unwrap();
    for name in [b"with space".as_slice(), b"quote'\"", b"new\nline", b"caf\xe9"] {
        let folder = dir.path().join(OsString::from_vec(name.to_vec()));
        std::fs::create_dir(&folder).unwrap();
        let receipt = run(CommandSpec::exec("pwd").cwd(&folder)).await;
        let mut shown = receipt.stdout.kept.bytes();
        shown.pop();
        assert_eq!(OsString::from_vec(shown), folder.canonicalize().unwrap().into_os_string());
    }
}
