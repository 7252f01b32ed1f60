//! Argument injection, row by row.

use super::*;

fn no(lines: &[&str]) {
    all_refused("readonly", lines);
}

#[test]
fn a01_find_that_runs_or_deletes() {
    no(&[
        "find . -execdir touch x ;",
        "find . -ok touch x ;",
        "find . -okdir touch x ;",
        "find . -delete",
        "find . -name x -delete",
        "find . ( -name x -o -delete )",
        "find -delete",
        "find . -name -delete -delete",
    ]);
    assert_eq!(
        refused("readonly", "find . -delete"),
        "`find -delete` is not among the options that `readonly` allows"
    );
}

#[test]
fn a02_find_that_writes() {
    no(&[
        "find . -fprint f",
        "find . -fprint0 f",
        "find . -fprintf f x",
        "find . -fls f",
        "find . -files0-from f",
    ]);
}

#[test]
fn a03_rg_that_starts_programs() {
    no(&[
        "rg --pre ./e p f",
        "rg --pre=./e p f",
        "rg p --pre ./e",
        "rg --hostname-bin ./e p",
        "rg --hostname-bin=./e p",
        "rg -z p",
        "rg -nz p",
        "rg --search-zip p",
        "rg --pre-glob x p",
    ]);
    assert!(allowed("readonly", "rg p").unset.contains(&"RIPGREP_CONFIG_PATH"));
}

#[test]
fn a04_sort_compress_program_in_every_spelling() {
    no(&[
        "sort --compress-program=./e f",
        "sort --compress-program ./e f",
        "sort f --compress-program=./e",
        "sort --compress-prog=./e f",
        "sort --compress=./e f",
        "sort --comp ./e",
        "sort -o f f",
        "sort -of f",
        "sort -nof f",
        "sort -no f f",
        "sort f -o f",
        "sort --output=f f",
        "sort --outp f f",
        "sort -T /etc/cron.d f",
        "sort -T/etc/cron.d f",
        "sort -nT /etc f",
        "sort --temporary-directory=/etc f",
        "sort -k -o f",
        "sort -k -ofile f",
    ]);
}

#[test]
fn a06_sed_that_writes_or_runs() {
    no(&[
        "sed -n 'w f' x",
        "sed '1e touch p' x",
        "sed e x",
        "sed 's/a/touch p/e' x",
        "sed 's/a/b/w f' x",
        "sed 's/a/b/gw f' x",
        "sed 's/a/b/2ge' x",
        "sed -i s/a/b/ x",
        "sed -i.bak s/a/b/ x",
        "sed -ni p x",
        "sed -nEi p x",
        "sed --in-place s/a/b/ x",
        "sed --in-place=.bak s/a/b/ x",
        "sed --in-pl s/a/b/ x",
        "sed s/a/b/ x -i",
        "sed -f script x",
        "sed -fscript x",
        "sed --file=script x",
        "sed -e p -e 'w f' x",
        "sed -e 'a\\' -e 'w f' x",
        "sed --expression='w f' x",
        "sed --expression 'w f' x",
        "sed -ne 'W f' x",
    ]);
}

#[test]
fn a07_awk_that_writes_runs_or_loads() {
    no(&[
        "awk BEGIN{system(\"c\")}",
        "awk 'BEGIN{system (\"c\")}'",
        "awk BEGIN{\"c\"|getline}",
        "awk 'BEGIN { \"c\" | getline x }'",
        "awk '{print > \"f\"}' x",
        "awk '{print $1 >> \"f\"}' x",
        "awk '{printf \"%s\", $1 > \"f\"}' x",
        "awk '{print | \"c\"}' x",
        "awk '{print |& \"c\"}' x",
        "awk -f file x",
        "awk -ffile x",
        "awk --file=file x",
        "gawk -l lib 1 x",
        "gawk --load=lib 1 x",
        "gawk '@load \"x\"; 1' x",
        "gawk '@include \"x\"' x",
        "gawk -i inplace 1 x",
        "gawk 'BEGIN{f=\"system\"; @f(\"c\")}'",
        "gawk -e BEGIN{} x",
        "gawk --source 1 x",
        "gawk -o x",
        "mawk -W exec x",
    ]);
}

#[test]
fn a08_tar_that_runs_or_writes() {
    no(&[
        "tar cf a f --checkpoint=1 --checkpoint-action=exec=c",
        "tar tf a --checkpoint=1 --checkpoint-action=exec=c",
        "tar tf a --checkpoint-action exec=c",
        "tar -tf a -I ./e",
        "tar -tI ./e -f a",
        "tar -I./e -tf a",
        "tar tf a --use-compress-program=./e",
        "tar tf a --use-compress ./e",
        "tar xf a --to-command=c",
        "tar tf h:a --rsh-command=c",
        "tar tf h:a",
        "tar -tfh:a",
        "tar --list --file=h:a",
        "tar cIf ./e o f",
        "tar tIf ./e o f",
        "tar xfC a /etc",
        "tar tfC a /etc",
        "tar tf a -C /etc",
        "tar tf a --absolute-names",
        "tar tf a -T list",
        "tar tf a -F script",
        "tar xf a",
        "tar -x -f a",
        "tar cf a f",
        "tar --delete -f a f",
        "tar f a",
        "tar",
    ]);
    assert!(allowed("readonly", "tar tf a").unset.contains(&"TAR_OPTIONS"));
}

#[test]
fn a09_git_with_other_settings_or_places() {
    no(&[
        "git -c alias.x=!c x",
        "git -c core.fsmonitor=c status",
        "git -ccore.fsmonitor=c status",
        "git -c diff.external=c diff",
        "git -c core.pager=c log",
        "git --config-env=alias.x=V x",
        "git --config-env alias.x=V status",
        "git --exec-path=d status",
        "git --exec-path d status",
        "git -p log",
        "git --paginate log",
        "git --git-dir=d status",
        "git --git-dir d status",
        "git --work-tree=d status",
        "git --work-tree d status",
        "git --namespace=n log",
        "git --namespace n log",
        "git --super-prefix=p status",
        "git --no-pager -c core.pager=c log",
        "git x",
        "git logs",
        "git lo",
    ]);
    assert_eq!(
        refused("readonly", "git -c a=b log"),
        "`git -c` is not among the options that `readonly` allows"
    );
}

#[test]
fn a11_git_that_writes_or_runs_a_diff() {
    for command in ["diff", "log", "show", "stash show"] {
        for option in ["--output=f", "--output f", "--outp=f", "--ext-diff", "--textconv", "-o f"] {
            refused("readonly", &format!("git {command} {option}"));
            refused("readonly", &format!("git {command} HEAD {option}"));
        }
    }
    no(&[
        "git diff --no-index -- a b",
        "git diff --no-index a b",
        "git blame --contents=/etc/passwd f",
        "git blame --contents /etc/passwd f",
        "git blame --textconv f",
        "git cat-file --textconv HEAD:f",
        "git cat-file --filters HEAD:f",
        "git grep -O p",
        "git grep -Oc p",
        "git grep --open-files-in-pager=c p",
        "git grep --textconv p",
        "git log --show-signature",
        "git log --remerge-diff",
        "git log --diff-merges=remerge",
        "git log --alternate-refs",
        "git diff --submodule=diff",
        "git diff --ignore-submodules=none",
        "git status --ignore-submodules=none",
        "git show --help",
        "git describe --dirty",
    ]);
}

#[test]
fn a12_git_that_starts_the_other_side() {
    no(&[
        "git ls-remote --upload-pack=c u",
        "git ls-remote --upload-pack c u",
        "git ls-remote --exec=c u",
        "git ls-remote --upload=c u",
        "git ls-remote ext::sh",
        "git ls-remote 'ext::sh -c touch% p'",
        "git ls-remote https://example.org/x",
        "git ls-remote git@example.org:x",
        "git ls-remote host:x",
        "git ls-remote //host/x",
        "git ls-remote -o x",
        "git clone -u c u",
        "git clone u",
        "git clone --config protocol.ext.allow=always ext::sh",
        "git archive --remote=. --exec=c HEAD",
        "git archive HEAD",
        "git push --receive-pack=c",
        "git fetch",
        "git fetch --upload-pack=c",
        "git pull",
    ]);
}

#[test]
fn a13_git_that_changes_something() {
    no(&[
        "git rebase -x c",
        "git bisect run c",
        "git submodule foreach c",
        "git filter-branch",
        "git branch -D b",
        "git branch -d b",
        "git branch new",
        "git branch -m a b",
        "git branch -v new",
        "git branch --edit-description",
        "git push --force",
        "git push origin +ref",
        "git push origin :ref",
        "git tag -d t",
        "git tag new",
        "git tag -a new",
        "git tag -n new",
        "git config a.b c",
        "git config --add a.b c",
        "git config --unset a.b",
        "git config --get --unset a.b",
        "git config -e",
        "git config -f f --get a.b",
        "git remote add x u",
        "git remote set-url x u",
        "git remote show x",
        "git remote update",
        "git stash",
        "git stash pop",
        "git stash drop",
        "git reflog expire --all",
        "git reflog delete x",
        "git worktree add x",
        "git commit -m x",
        "git checkout x",
        "git reset --hard",
        "git clean -f",
        "git gc",
        "git help log",
        "git difftool",
        "git mergetool",
    ]);
}

#[test]
fn a14_other_wrappers_are_no_programs_that_read() {
    for wrapper in [
        "env",
        "nohup",
        "setsid -w",
        "flock l -c",
        "watch",
        "sudo",
        "doas",
        "chroot .",
        "unshare",
        "ionice",
        "taskset 1",
        "parallel",
        "script -qc",
    ] {
        refused("readonly", &format!("{wrapper} touch p"));
    }
}

#[test]
fn a15_programs_that_write_or_run_what_they_are_told() {
    no(&[
        "make --eval x",
        "make -f -",
        "ssh -oProxyCommand=c h",
        "rsync -e ./e a b",
        "man -P c ls",
        "vim -c :!c",
        "less f",
        "ed f",
        "curl -o f u",
        "curl -K cfg",
        "dd of=f",
        "tee f",
        "cp a b",
        "install a b",
        "openssl x -out f",
        "uniq a b",
        "xxd a b",
        "xxd -r a b",
        "base64 a b",
        "file -C -m x",
        "file -z x",
        "tree -o f",
        "tree -R -H x -L 1",
        "date -s x",
        "date --set=x",
        "date 01010101",
        "hostname evil",
        "hostname -F f",
        "hostname -b x",
        "fd -x c",
        "fd --exec c",
        "fd -X c",
        "diff -l a b",
        "printenv",
        "ps auxe",
        "ps e",
        "ps -o environ",
        "printf -v a[0] x",
        "test -v a[0]",
    ]);
}

#[test]
fn a16_interpreters_and_runners_do_not_read() {
    for program in [
        "python3.12 -c x",
        "python3 x",
        "pypy x",
        "perl -e x",
        "node -e x",
        "ruby x",
        "lua x",
        "php x",
        "deno eval x",
        "bun -e x",
        "npm run x",
        "npx x",
        "yarn",
        "cargo run",
        "go run x",
        "go test -exec c",
        "pip install .",
        "bash x",
    ] {
        refused("readonly", program);
    }
}

#[test]
fn a17_every_spelling_of_an_option_is_read_as_its_program_reads_it() {
    // An abbreviation is refused even where the whole name is allowed.
    no(&[
        "ls --al",
        "ls --reverse=x",
        "sort --numeric",
        "grep --ignore x f",
        "git log --one",
        "git log --onelin",
    ]);
    // After the value of an option, and after operands, options are still options.
    no(&[
        "sort -t : -o f",
        "sort -k 2 -o f",
        "grep -e x f --pre",
        "cat f -o",
        "head -n 5 f --x",
        "ls a b --x",
    ]);
    // Where an option behind an operand is read as an operand, it would be written to, set, or make a script.
    no(&["uniq a -c", "xxd a -b", "git config a.b --get", "sed 'w f' -e p"]);
    all_allowed("readonly", &["sed p -e p", "sed -e p f", "ls a -l", "uniq -c a"]);
    // A value that looks like an option might be one elsewhere.
    no(&["head -n -x f", "ls -I --x", "sort -k --compress-program=x"]);
    // After `--` a word is an operand, whatever it looks like.
    all_allowed(
        "readonly",
        &["cat -- -o", "sort -- --compress-program=./e", "grep -- --pre f", "git diff -- --output=f"],
    );
    // A file of arguments.
    no(&["strings @args", "strings -a @args"]);
}
