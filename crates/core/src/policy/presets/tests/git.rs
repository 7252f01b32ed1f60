//! The terms on which git is harmless.

use super::*;
use crate::policy::Additions;

fn terms(line: &str, form: CommandForm) -> PresetTerms {
    match fit("readonly", line, form) {
        Fit::Fits(terms) => terms,
        Fit::Refuses(why) => panic!("{line}: {why}"),
    }
}

#[test]
fn e04_settings_of_a_repository_are_overridden() {
    let terms = terms("git status", CommandForm::Text);
    let git = terms.git.unwrap();
    for setting in [
        ("core.fsmonitor", "false"),
        ("core.hooksPath", "/dev/null"),
        ("core.pager", "cat"),
        ("gpg.program", "false"),
    ] {
        assert!(git.settings.contains(&setting), "{setting:?}");
    }
    assert!(terms.env.contains(&("GIT_OPTIONAL_LOCKS", "0".to_owned())));
    assert!(terms.unset.contains(&"GIT_EXTERNAL_DIFF"));
}

#[test]
fn arguments_are_added_behind_the_subcommand() {
    let shown = |line| {
        let args = terms(line, CommandForm::Argv).args;
        args.iter().map(|arg| (arg.before, arg.text)).collect::<Vec<_>>()
    };
    assert_eq!(shown("git log -p"), [(2, "--no-ext-diff"), (2, "--no-textconv")]);
    assert_eq!(shown("git --no-pager show HEAD"), [(3, "--no-ext-diff"), (3, "--no-textconv")]);
    assert_eq!(shown("git stash show"), [(3, "--no-ext-diff"), (3, "--no-textconv")]);
    assert_eq!(shown("git blame f"), [(2, "--no-textconv")]);
    assert_eq!(shown("git status"), [(2, "--ignore-submodules=dirty")]);
    assert_eq!(shown("git rev-parse HEAD"), []);
    assert_eq!(terms("git diff", CommandForm::Text).args, []);
    let argv = ["git", "--no-pager", "diff", "HEAD"].map(std::ffi::OsString::from);
    let added =
        Additions::of(&terms("git --no-pager diff HEAD", CommandForm::Argv), &[]).in_argv(argv.to_vec());
    let wanted =
        ["git", "--no-pager", "diff", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "HEAD"];
    assert_eq!(added, wanted);
}

#[test]
fn a_text_is_told_what_it_would_run() {
    let open = |line, form| {
        let git = terms(line, form).git.unwrap();
        (git.external_diff_would_run, git.submodules_would_be_entered)
    };
    assert_eq!(open("git diff", CommandForm::Argv), (false, false));
    assert_eq!(open("git diff", CommandForm::Text), (true, true));
    assert_eq!(open("git diff --no-ext-diff --ignore-submodules=all", CommandForm::Text), (false, false));
    assert_eq!(open("git status", CommandForm::Text), (false, true));
    assert_eq!(open("git log -p", CommandForm::Text), (false, false));
}

#[test]
fn only_listing_remotes_may_speak_to_another_repository() {
    let protocol = |line| {
        let terms = terms(line, CommandForm::Argv);
        terms
            .env
            .into_iter()
            .filter(|(name, _)| *name == "GIT_ALLOW_PROTOCOL")
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    assert_eq!(protocol("git ls-remote"), ["file"]);
    assert_eq!(protocol("git log"), ["none"]);
}
