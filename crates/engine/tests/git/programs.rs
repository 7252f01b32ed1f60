//! Programs that settings name outright: monitors, hooks, pagers, signatures.

use crate::planted::{Planted, terms};
use runward_engine::core::policy::CommandForm;
use std::fs;
use std::os::unix::fs::PermissionsExt;

#[test]
fn e04_a_file_system_monitor_does_not_run() {
    let planted = Planted::new("");
    planted.set("core.fsmonitor", &planted.program("monitor", ""));
    for line in ["git status", "git diff", "git ls-files", "git grep one"] {
        assert_eq!(planted.plainly(line), ["monitor"], "{line}");
        planted.harmless(line);
    }
}

#[test]
fn e04_hooks_do_not_run() {
    let planted = Planted::new("");
    let hooks = planted.beside("hooks");
    fs::create_dir(&hooks).unwrap();
    fs::copy(planted.program("hook", ""), hooks.join("post-index-change")).unwrap();
    fs::set_permissions(hooks.join("post-index-change"), fs::Permissions::from_mode(0o755)).unwrap();
    planted.set("core.hooksPath", hooks.to_str().unwrap());
    // A file that was touched and not changed makes git write what it found to its index.
    let touched = || {
        let file = fs::File::options().write(true).open(planted.repository().join("a.txt")).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000))
            .unwrap();
    };
    touched();
    assert_eq!(planted.plainly("git status"), ["hook"]);
    planted.git("checkout -q .");
    touched();
    planted.harmless("git status");
    planted.harmless("git diff");
}

#[test]
fn e04_a_pager_does_not_run_on_a_terminal() {
    let planted = Planted::new("");
    let pager = planted.program("pager", "cat");
    planted.set("core.pager", &pager);
    planted.set("pager.log", &pager);
    let on_a_terminal = || {
        let mut command = planted.command("script", &planted.repository());
        command.args(["-qec", "git log", "/dev/null"]).stdin(std::process::Stdio::null());
        command
    };
    on_a_terminal().output().unwrap();
    assert_eq!(planted.seen(), ["pager"]);
    let mut command = on_a_terminal();
    planted.apply(&mut command, &terms("git log", CommandForm::Text));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(planted.seen(), Vec::<String>::new());
}

#[test]
fn e04_an_alias_does_not_take_the_place_of_a_subcommand() {
    let planted = Planted::new("");
    let alias = format!("!{}", planted.program("alias", ""));
    planted.set("alias.x", &alias);
    assert_eq!(planted.plainly("git x"), ["alias"]);
    for line in
        ["git status", "git log", "git diff", "git show", "git blame a.txt", "git grep one", "git ls-files"]
    {
        let subcommand = line.split(' ').nth(1).unwrap();
        planted.set(&format!("alias.{subcommand}"), &alias);
        planted.harmless(line);
    }
}

#[test]
fn e04_signatures_are_not_checked() {
    let planted = Planted::new("");
    let commit = planted.beside("commit");
    let text = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor a <a@example.org> 1 +0000\n\
                committer a <a@example.org> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n";
    fs::write(&commit, text).unwrap();
    let mut hash = planted.command("git", &planted.repository());
    hash.args(["hash-object", "-t", "commit", "-w"]).arg(&commit);
    let name = String::from_utf8(hash.output().unwrap().stdout).unwrap();
    let line = format!("git log -1 {}", name.trim());
    planted.set("gpg.program", &planted.program("gpg", ""));
    planted.set("gpg.openpgp.program", &planted.program("gpg", ""));
    planted.set("format.pretty", "%G?");
    assert_eq!(planted.plainly(&line), ["gpg"]);
    planted.harmless(&line);
    planted.set("format.pretty", "oneline");
    planted.set("log.showSignature", "true");
    assert_eq!(planted.plainly(&line), ["gpg"]);
    planted.harmless(&line);
}
