//! Runward on strange hosts: without `/proc` or `/dev`, without a home, in a folder that is gone, with closed streams. It
//! works, or says once what is missing and what to do about that.

use crate::runner::{Place, Said, said};

/// Verbs that start nothing, and one that does.
const VERBS: &[&[&str]] = &[
    &["--version"],
    &["exec", "--", "echo", "hi"],
    &["explain", "--", "echo", "hi"],
    &["resolve", "sh"],
    &["doctor"],
    &["log"],
    &["ps"],
    &["approvals"],
    &["config", "show"],
    &["policy", "test"],
    &["flows"],
];

/// Runs it in a view of mounts of its own, after these steps of a shell.
fn after(place: &Place, steps: &str, args: &[&str]) -> Said {
    let text = format!("{steps}\nexec \"$0\" \"$@\"");
    let wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-e", "-c", &text];
    said(&place.behind(&wrapper, args).output().unwrap())
}

/// It worked, or told with words of ours why not, each of them once.
fn is_answer(said: &Said) -> bool {
    let odd = ["panicked", "went wrong"].iter().any(|word| said.stderr.contains(word));
    let mut lines: Vec<&str> = said.stderr.lines().collect();
    lines.sort_unstable();
    let once = lines.windows(2).all(|pair| pair[0] != pair[1]);
    let told = said.code == 0 || (said.code == 125 && said.stderr.contains("runward: "));
    told && once && !odd
}

#[test]
fn without_proc_every_verb_answers_and_a_command_is_told_what_is_missing() {
    let place = Place::new();
    for args in VERBS {
        let said = after(&place, "umount -l /proc", args);
        // What the doctor finds is no failure of the doctor.
        assert!(is_answer(&said) || args[0] == "doctor", "{args:?}: {said:?}");
    }
    let said = after(&place, "umount -l /proc", &["exec", "--", "echo", "hi"]);
    assert_eq!(said.code, 125, "{said:?}");
    assert_eq!(said.stderr.matches("`/proc`").count(), 2, "the message and the hint: {said:?}");
    assert!(said.stderr.contains("hint: Mount `/proc`"), "{said:?}");
    let doctor = after(&place, "umount -l /proc", &["doctor"]);
    assert_eq!(doctor.code, 125, "{doctor:?}");
    assert!(
        doctor.stdout.starts_with("broken   starting            looking at processes in `/proc`"),
        "{doctor:?}"
    );
    assert!(!doctor.stdout.contains("CONFIG_SECCOMP_FILTER"), "no hint is about something else: {doctor:?}");
}

#[test]
fn without_devices_every_verb_answers_and_a_command_is_told_what_is_missing() {
    let place = Place::new();
    let steps = "mount -t tmpfs none /dev";
    for args in VERBS {
        let said = after(&place, steps, args);
        assert!(is_answer(&said) || args[0] == "doctor", "{args:?}: {said:?}");
    }
    let said = after(&place, steps, &["exec", "--", "echo", "hi"]);
    assert_eq!(said.code, 125, "{said:?}");
    assert!(said.stderr.contains("hint: Mount `/proc` and `/dev`"), "{said:?}");
}

#[test]
fn without_a_home_or_with_a_relative_one_a_command_runs() {
    let place = Place::new();
    for steps in ["unset HOME", "HOME=", "HOME=here", "HOME=$TMPDIR/new"] {
        let steps = format!(
            "unset RUNWARD_STATE_DIR XDG_CONFIG_HOME; TMPDIR={}; export TMPDIR; {steps}",
            place.home().display()
        );
        let said = after(&place, &steps, &["exec", "--", "echo", "hi"]);
        assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{steps}: {said:?}");
        assert!(said.stderr.matches("runward:").count() <= 1, "{steps}: {said:?}");
    }
}

#[test]
fn in_a_folder_that_is_gone_every_verb_says_so_once() {
    let place = Place::new();
    let steps = "mkdir gone; cd gone; rmdir ../gone";
    for args in VERBS {
        let said = after(&place, steps, args);
        assert!(is_answer(&said), "{args:?}: {said:?}");
        if args[0] == "exec" {
            assert_eq!(said.code, 125, "{said:?}");
            assert!(said.stderr.contains("[resolve.cwd-missing]"), "{said:?}");
            assert_eq!(said.stderr.lines().count(), 2, "{said:?}");
        }
    }
}

#[test]
fn where_nothing_can_be_written_a_command_runs_and_the_journal_says_so() {
    let place = Place::new();
    let steps = "mkdir -p \"$RUNWARD_STATE_DIR\"; mount -t tmpfs -o ro none \"$RUNWARD_STATE_DIR\"";
    let said = after(&place, steps, &["exec", "--", "echo", "hi"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{said:?}");
    assert!(said.stderr.contains("Read-only file system"), "{said:?}");
    for args in VERBS {
        assert!(is_answer(&after(&place, steps, args)), "{args:?}");
    }
}

#[test]
fn with_closed_streams_every_verb_ends() {
    let place = Place::new();
    for closed in ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        for args in VERBS {
            let text = format!("exec \"$0\" \"$@\" {closed}");
            let mut command = place.behind(&["sh", "-c", &text], *args);
            let said = said(&command.output().unwrap());
            let ended = said.code == 0 || said.code == 125;
            assert!(ended && !said.stderr.contains("panicked"), "{closed} {args:?}: {said:?}");
        }
        let text = format!("exec \"$0\" mcp {closed}");
        let said = said(&place.behind(&["sh", "-c", &text], [] as [&str; 0]).output().unwrap());
        assert!([0, 125].contains(&said.code), "{closed} mcp: {said:?}");
    }
}

#[test]
fn a_program_in_tmp_is_told_that_the_sandbox_has_a_tmp_of_its_own() {
    let place = Place::aside();
    let hidden = tempfile::tempdir_in("/tmp").unwrap();
    let program = hidden.path().join("program");
    std::fs::copy("/bin/true", &program).unwrap();
    let program = program.to_str().unwrap();
    let said = place.run(["exec", "--sandbox", "workspace-write", "--", program]);
    assert_eq!(said.code, 127, "{said:?}");
    assert!(said.stderr.contains("which has a `/tmp` of its own [spawn.not-found]"), "{said:?}");
    assert!(said.stderr.contains("hint: Put the program into the workspace"), "{said:?}");
    assert!(!said.stderr.contains("interpreter"), "{said:?}");
    // A script there with a missing interpreter is another matter.
    let script = place.file("script", "#!/no/such/interpreter\n");
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let said = place.run(["exec", "--sandbox", "workspace-write", "--", script.to_str().unwrap()]);
    assert!(said.stderr.contains("Check the interpreter"), "{said:?}");
}
