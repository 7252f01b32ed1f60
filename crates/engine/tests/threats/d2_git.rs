//! Arguments of git: settings, outputs, transports and commands by which reading becomes something else.

use crate::d2_arguments::{filled, ro};
use crate::policies::RO_NAMES;

#[test]
fn a09_git_takes_no_settings_from_arguments() {
    let commands = [
        "git -c alias.x=!touch_pwned x",
        "git -c alias.status=!touch status",
        "git -calias.x=!touch x",
        "git -c core.fsmonitor=./e status",
        "git -c diff.external=./e diff",
        "git -c core.pager=./e log",
        "git --config-env=alias.x=V x",
        "git --config-env alias.x=V x",
        "git --config-env=core.pager=V log",
        "git --exec-path=. status",
        "git --exec-path=. x",
        "git -c core.sshCommand=./e ls-remote x",
        "git -c core.editor=./e log",
        "git -c pager.log=./e log",
        "git -c include.path=./f status",
        "git -c diff.x.textconv=./e show",
        "git -c gpg.program=./e log --show-signature",
        "git -c protocol.ext.allow=always ls-remote ext::./e",
        "git -c core.hooksPath=. status",
        "git --super-prefix=x/ status",
    ];
    let place = ro();
    place.refuses_lines(&commands);
    filled(RO_NAMES).refuses_lines(&commands);
    place.refuses_lines(&[
        "git -p log",
        "git --paginate log",
        "git -C.. status",
        "git --git-dir=.git status",
        "git --git-dir .git status",
        "git --work-tree=. status",
        "git --work-tree . status",
        "git --namespace=x log",
        "git --namespace x log",
        "git --bare log",
        "git --attr-source=HEAD diff",
        "git --no-replace-objects -p log",
        "git --no-pager -c core.pager=./e log",
        "git --no-pager --paginate log",
        "git --html-path -p log",
    ]);
    place.runs_lines(&[
        "git status",
        "git --no-pager log",
        "git log -p -1",
        "git --no-optional-locks status",
    ]);
}

#[test]
fn a11_git_reads_what_is_in_the_repository_and_writes_nothing() {
    let place = ro();
    place.refuses_lines(&[
        "git diff --output=pwned",
        "git diff --output pwned",
        "git log --output=pwned",
        "git log -p --output pwned",
        "git show --output=pwned",
        "git show HEAD --output pwned",
        "git show --outpu=pwned",
        "git log --out=pwned",
        "git diff --no-index -- f g",
        "git diff --no-index f g",
        "git diff --no-inde f g",
        "git diff --ext-diff",
        "git log -p --ext-diff",
        "git show --ext-diff",
        "git diff --textconv",
        "git show --textconv",
        "git log -p --textconv",
        "git blame --contents=/etc/passwd a.txt",
        "git blame --contents /etc/passwd a.txt",
        "git blame --cont=/etc/passwd a.txt",
        "git grep --open-files-in-pager=./e one",
        "git grep -O./e one",
        "git grep -nO one",
        "git grep --textconv one",
        "git blame --textconv a.txt",
        "git cat-file --textconv HEAD:a.txt",
        "git cat-file --filters HEAD:a.txt",
        "git format-patch -1",
        "git archive -o pwned HEAD",
        "git bundle create pwned HEAD",
        "git diff --ext",
        "git stash",
        "git log --show-signature",
        "git diff --submodule=diff",
    ]);
    place.runs_lines(&[
        "git diff -- a.txt",
        "git show HEAD:a.txt",
        "git blame a.txt",
        "git log -p -1 -- a.txt",
        "git diff HEAD --stat",
        "git grep -n one",
        "git show --stat HEAD",
        "git diff -- --output=pwned",
        "git log --no-ext-diff -p",
    ]);
}

#[test]
fn a12_git_starts_nothing_to_reach_another_repository() {
    let commands = [
        "git ls-remote --upload-pack=./e .",
        "git ls-remote --upload-pack ./e .",
        "git ls-remote --upload=./e .",
        "git ls-remote --exec=./e .",
        "git ls-remote --exe ./e .",
        "git clone -u ./e . x",
        "git clone -u./e . x",
        "git clone --upload-pack=./e . x",
        "git clone --config protocol.ext.allow=always ext::./e x",
        "git clone -c core.fsmonitor=./e . x",
        "git archive --remote=. --exec=./e HEAD",
        "git push --receive-pack=./e . HEAD",
        "git push --exec=./e . HEAD",
        "git fetch --upload-pack ./e .",
        "git fetch-pack --upload-pack=./e . HEAD",
        "git pull --upload-pack=./e .",
        "git ls-remote ext::./e",
        "git ls-remote fd::0",
        "git remote-ext x ./e",
        "git send-pack --receive-pack=./e . HEAD",
        "git ls-remote -o x --upload-pack=./e .",
        "git ls-remote . --upload-pack=./e",
        "git submodule add ext::./e x",
    ];
    ro().refuses_lines(&commands);
    filled(RO_NAMES).refuses_lines(&commands);
    ro().runs_lines(&["git ls-remote .", "git ls-remote --heads ."]);
}

/// Lines of `git` that change something.
const GIT_CHANGES: &[&str] = &[
    "git rebase -x ./e HEAD",
    "git rebase --exec ./e HEAD",
    "git rebase --exec=./e HEAD",
    "git bisect run ./e",
    "git bisect start",
    "git submodule foreach ./e",
    "git submodule --quiet foreach ./e",
    "git filter-branch --tree-filter ./e",
    "git branch -D master",
    "git branch -d master",
    "git branch --delete master",
    "git branch -m x",
    "git branch x",
    "git push --force",
    "git push . +HEAD:x",
    "git push . :x",
    "git push",
    "git tag -d x",
    "git tag x",
    "git tag -a x -m y",
    "git config alias.x !touch",
    "git config --add alias.x !touch",
    "git config --unset user.name",
    "git config set alias.x y",
    "git config -e",
    "git config --global core.pager ./e",
    "git config --replace-all a.b c",
    "git config --file pwned --get a.b --edit",
    "git commit -m x --allow-empty",
    "git checkout -f",
    "git reset --hard",
    "git clean -fd",
    "git add -A",
    "git rm f",
    "git apply f",
    "git am f",
    "git gc",
    "git update-ref HEAD HEAD",
    "git symbolic-ref HEAD refs/heads/x",
    "git worktree add x",
    "git remote add x y",
    "git stash drop",
    "git reflog expire --all",
    "git reflog delete HEAD@{0}",
    "git notes add -m x",
    "git difftool -x ./e",
    "git mergetool",
    "git send-email x",
    "git daemon",
    "git instaweb",
    "git help status",
    "git status-x",
    "git x",
    "git hash-object -w f",
    "git init x",
    "git update-index --refresh",
    "git maintenance run",
    "git replace a b",
];

#[test]
fn a13_git_changes_nothing() {
    ro().refuses_lines(GIT_CHANGES);
    ro().runs_lines(&["git branch", "git branch -a", "git tag", "git config --list", "git remote -v"]);
}
