//! Programs that attributes choose by a name: filters, textconv, external diffs.

use crate::planted::{Planted, terms};
use runward_engine::core::policy::CommandForm;

#[test]
fn e04_textconv_does_not_run() {
    let planted = Planted::new("*.txt diff=d\n");
    planted.write("a.txt", "two\n");
    planted.commit("second");
    planted.write("a.txt", "three\n");
    planted.set("diff.d.textconv", &planted.program("textconv", "cat \"$1\""));
    for line in ["git diff", "git show", "git log -p -1", "git log -Gtwo --oneline", "git blame a.txt"] {
        assert_eq!(planted.plainly(line), ["textconv"], "{line}");
        planted.harmless(line);
    }
    planted.set("diff.d.cachetextconv", "true");
    planted.harmless("git show");
    planted.harmless("git grep three");
    planted.git("stash -q");
    planted.harmless("git stash show -p");
}

#[test]
fn e04_an_external_diff_does_not_run() {
    let planted = Planted::new("*.txt diff=d\n");
    planted.write("a.txt", "two\n");
    let program = planted.program("external", "");
    for key in ["diff.d.command", "diff.external"] {
        planted.set(key, &program);
        assert_eq!(planted.plainly("git diff"), ["external"], "{key}");
        let argv = terms("git diff", CommandForm::Argv);
        assert!(planted.on_terms("git diff", &argv).status.success());
        assert_eq!(planted.seen(), Vec::<String>::new(), "{key}");
        planted.harmless("git diff --no-ext-diff");
        planted.harmless("git log -p");
        planted.harmless("git show");
        planted.harmless("git status");
        planted.git("stash -q");
        planted.harmless("git stash show -p");
        planted.git("stash pop -q");
        // A text cannot be given the argument, and no setting takes its place: it has to be refused.
        let text = terms("git diff", CommandForm::Text).git.unwrap();
        let config = std::fs::read_to_string(planted.repository().join(".git/config")).unwrap();
        assert!(text.overrides(&config).is_err(), "{key}");
    }
}

#[test]
fn e04_filters_do_not_run() {
    let planted = Planted::new("*.txt filter=f\n*.md filter=g\n");
    planted.write("a.md", "one\n");
    planted.commit("second");
    // As long as before: git has to look into them to see that they changed.
    planted.write("a.txt", "two\n");
    planted.write("a.md", "two\n");
    planted.set("filter.f.clean", &planted.program("clean", "cat"));
    planted.set("filter.f.required", "true");
    planted.set("filter.g.process", &planted.program("process", "cat"));
    for line in ["git status", "git diff", "git ls-files -m", "git diff HEAD --stat"] {
        assert_eq!(planted.plainly(line), ["clean", "process"], "{line}");
        planted.harmless(line);
    }
}
