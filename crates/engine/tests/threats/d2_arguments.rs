//! Arguments: options and scripts by which a program that only reads writes a file or starts another.
//!
//! Each is tried as words and as a text of the same words.

use crate::policies::{Place, RO, RO_NAMES};

fn ro() -> Place {
    filled(RO)
}

fn filled(config: &str) -> Place {
    let place = Place::with(config);
    place.repository();
    place.file("f", "a b c\nd e f\n");
    place.file("g", "a b c\n");
    place.file("data.tsv", "1\t2\n");
    place.file("p.awk", "BEGIN { system(\"touch pwned\") }\n");
    place.file("p.sed", "w pwned\n");
    place.program("e", "exec cat");
    place
}

#[test]
fn a01_find_runs_and_deletes_nothing() {
    let commands: &[&[&str]] = &[
        &["find", ".", "-exec", "touch", "pwned", ";"],
        &["find", ".", "-execdir", "touch", "pwned", ";"],
        &["find", ".", "-ok", "touch", "pwned", ";"],
        &["find", ".", "-okdir", "touch", "pwned", ";"],
        &["find", ".", "-exec", "touch", "pwned", "{}", "+"],
        &["find", ".", "-name", "f", "-o", "-exec", "touch", "pwned", ";"],
        &["find", "-exec", "touch", "pwned", ";", "-name", "f"],
        &["find", ".", "(", "-exec", "sh", "-c", "touch pwned", ";", ")"],
        &["find", ".", "!", "-exec", "touch", "pwned", ";"],
        &["find", ".", "-exec", "env", "touch", "pwned", ";"],
        &["find", ".", "-exec", "{}", ";"],
        &["find", "-H", ".", "-exec", "./e", ";"],
        &["find", "--", ".", "-exec", "touch", "pwned", ";"],
        &["/usr/bin/find", ".", "-exec", "touch", "pwned", ";"],
    ];
    ro().refuses_words(commands);
    filled(RO_NAMES).refuses_words(commands);
    ro().refuses_words(&[
        &["find", ".", "-delete"],
        &["find", ".", "-name", "f", "-delete"],
        &["find", "-delete"],
        &["find", ".", "-type", "f", "-a", "-delete"],
        &["find", ".", "-unlink"],
        &["find", ".", "-exec", "cat", "{}", ";"],
        &["find", ".", "-D", "exec", "-delete"],
        &["find", ".", "-files0-from", "f", "-delete"],
    ]);
    ro().runs_words(&[
        &["find", ".", "-name", "delete"],
        &["find", ".", "-iname", "*.TXT", "-not", "-path", "./.git/*"],
        &["find", ".", "-type", "f", "-size", "+1k", "-print0"],
        &["find", ".", "-newer", "f", "-o", "-empty"],
        &["find", ".", "-maxdepth", "1", "-printf", "%p\\n"],
        &["find", ".", "(", "-name", "a", "-or", "-name", "b", ")", "-print"],
    ]);
}

#[test]
fn a02_find_writes_no_lists() {
    ro().refuses_lines(&[
        "find . -fprint pwned",
        "find . -fprint0 pwned",
        "find . -fprintf pwned x",
        "find . -fls pwned",
        "find . -name f -fprint pwned",
        "find -fls pwned -name x",
        "find . -fprint /dev/shm/pwned-by-a-test",
        "find . -print -fprint0 pwned",
        "find -L . -fprintf pwned %p",
    ]);
    ro().runs_lines(&["find . -ls", "find . -name fprint", "find . -path ./-fls"]);
}

#[test]
fn a03_rg_starts_nothing() {
    let place = ro();
    place.refuses_lines(&[
        "rg --pre ./e p f",
        "rg --pre=./e p f",
        "rg --hostname-bin ./e p",
        "rg --hostname-bin=./e p",
        "rg -z p f",
        "rg --search-zip p f",
        "rg -nz p f",
        "rg p f --pre ./e",
        "rg p --pre=./e f",
        "rg --pre-glob *.x --pre ./e p",
        "rg --no-pre --pre ./e p",
        "rg -ziz p",
        "rg --generate man",
        "rg --hyperlink-format x://{host} --hostname-bin=./e p",
        "rg -e p -z",
        "rg --pr ./e p",
        "rg -uz p f",
    ]);
    filled(RO_NAMES).refuses_lines(&["rg --pre ./e p f", "rg --pre=./e p f", "rg --hostname-bin ./e p"]);
}

#[test]
fn a04_sort_in_every_spelling() {
    let place = ro();
    place.refuses_lines(&[
        "sort --compress-program=./e f",
        "sort --compress-program ./e f",
        "sort --compress ./e f",
        "sort --comp=./e f",
        "sort -o pwned f",
        "sort -opwned f",
        "sort f -o pwned",
        "sort f -opwned",
        "sort -no pwned f",
        "sort -nopwned f",
        "sort -rno pwned f",
        "sort --output=pwned f",
        "sort --output pwned f",
        "sort --out=pwned f",
        "sort --o=pwned f",
        "sort -T /etc/cron.d f",
        "sort -T. f",
        "sort -nT . f",
        "sort --temporary-directory=. f",
        "sort --temp . f",
        "sort -S 1b --compress-program ./e f",
        "sort -t : -o pwned f",
        "sort -k1o pwned f -o f",
    ]);
    filled(RO_NAMES).refuses_lines(&["sort --compress-program=./e f", "sort --comp ./e -S 1b f"]);
    place.runs_lines(&[
        "sort -t : -k2 f",
        "sort -nru f",
        "sort -to f",
        "sort -k1,1n f",
        "sort -- f",
        "sort -t o f",
    ]);
}

#[test]
fn a06_sed_writes_and_runs_nothing() {
    let place = ro();
    place.refuses_words(&[
        &["sed", "-n", "w pwned", "f"],
        &["sed", "1e touch pwned", "f"],
        &["sed", "s/a/touch pwned/e", "f"],
        &["sed", "s/a/b/w pwned", "f"],
        &["sed", "-i", "s/a/b/", "f"],
        &["sed", "--in-place", "s/a/b/", "f"],
        &["sed", "-i.bak", "s/a/b/", "f"],
        &["sed", "--in-place=.bak", "s/a/b/", "f"],
        &["sed", "-ni", "s/a/b/", "f"],
        &["sed", "-n", "-i", "p", "f"],
        &["sed", "-Ei", "s/a/b/", "f"],
        &["sed", "s/a/b/", "f", "-i"],
        &["sed", "--in", "s/a/b/", "f"],
        &["sed", "-e", "w pwned", "f"],
        &["sed", "-e", "p", "-e", "w pwned", "f"],
        &["sed", "-ew pwned", "f"],
        &["sed", "--expression=w pwned", "f"],
        &["sed", "-f", "p.sed", "f"],
        &["sed", "--file=p.sed", "f"],
        &["sed", "-fp.sed", "f"],
        &["sed", "e", "f"],
        &["sed", "e touch pwned", "f"],
        &["sed", "1,$e touch pwned", "f"],
        &["sed", "/a/e touch pwned", "f"],
        &["sed", "s/a/b/ge", "f"],
        &["sed", "s/a/b/Ie", "f"],
        &["sed", "s/a/b/2e", "f"],
        &["sed", "s|a|touch pwned|e", "f"],
        &["sed", "s,a,b,w pwned", "f"],
        &["sed", "s/a/b/gw pwned", "f"],
        &["sed", "W pwned", "f"],
        &["sed", "p;w pwned", "f"],
        &["sed", "{p;w pwned\n}", "f"],
        &["sed", "p\nw pwned", "f"],
        &["sed", "1!w pwned", "f"],
        &["sed", "s/a/b/;e touch pwned", "f"],
        &["sed", "/x/!{e touch pwned\n}", "f"],
        &["sed", "y/a/b/;w pwned", "f"],
        &["sed", "s/[/]/x/w pwned", "f"],
        &["sed", "b;w pwned", "f"],
        &["sed", ":a;w pwned", "f"],
        &["sed", "--posix", "w pwned", "f"],
        &["sed", "-s", "--", "w pwned", "f"],
        &["sed", "-n", "$!{$!w pwned\n}", "f"],
        &["sed", "s/a/b/m;w pwned", "f"],
        &["sed", "\\,a,w pwned", "f"],
        &["sed", "0~2w pwned", "f"],
        &["sed", "a\\\nx\nw pwned", "f"],
    ]);
    filled(RO_NAMES).refuses_words(&[
        &["sed", "1e touch pwned", "f"],
        &["sed", "s/a/touch pwned/e", "f"],
        &["sed", "1p", "f", "-e", "1e touch pwned"],
        &["sed", "-iep", "1e touch pwned", "f"],
        &["sed", "-f", "p.sed", "f"],
        &["sed", "p", "-fp.sed", "f"],
    ]);
    place.runs_words(&[
        &["sed", "-n", "1,5p", "f"],
        &["sed", "s/a/w pwned/", "f"],
        &["sed", "s/e/w/g", "f"],
        &["sed", "-e", "s/x/e/", "-e", "s/y/w/", "f"],
        &["sed", "/e w/d", "f"],
        &["sed", "-E", "s/(a|b)+/\\1/", "f"],
        &["sed", "$!d", "f"],
        &["sed", "a\\\nw pwned", "f"],
        &["sed", "-n", "/a/,/d/p", "f"],
        &["sed", "y/we/ew/", "f"],
        &["sed", "1q", "f"],
    ]);
}

#[test]
fn a07_awk_writes_and_runs_nothing() {
    let place = ro();
    place.refuses_words(&[
        &["awk", "BEGIN{system(\"touch pwned\")}"],
        &["awk", "BEGIN{\"touch pwned\"|getline}"],
        &["awk", "BEGIN{print > \"pwned\"}"],
        &["awk", "-f", "p.awk"],
        &["awk", "-fp.awk"],
        &["awk", "--file=p.awk"],
        &["gawk", "-l", "filefuncs", "BEGIN{}"],
        &["gawk", "@load \"filefuncs\"; BEGIN{}"],
        &["gawk", "-i", "inplace", "{print}", "f"],
        &["gawk", "--include=inplace", "{print}", "f"],
        &["gawk", "-i", "./p.awk", "BEGIN{}"],
        &["gawk", "-E", "p.awk"],
        &["gawk", "--exec=p.awk"],
        &["gawk", "-o", "BEGIN{}"],
        &["gawk", "--dump-variables=pwned", "BEGIN{}"],
        &["gawk", "-dpwned", "BEGIN{}"],
        &["gawk", "-ppwned", "BEGIN{}"],
        &["gawk", "-D", "BEGIN{}"],
        &["awk", "BEGIN{print \"x\" >> \"pwned\"}"],
        &["awk", "BEGIN{print \"touch pwned\" | \"sh\"}"],
        &["awk", "BEGIN{printf \"x\" > \"pwned\"}"],
        &["awk", "{print > $1}", "f"],
        &["awk", "BEGIN { system (\"touch pwned\") }"],
        &["awk", "BEGIN{c=\"touch pwned\"; c | getline x}"],
        &["awk", "BEGIN{print \"x\" |& \"sh\"}"],
        &["gawk", "BEGIN{f=\"system\"; @f(\"touch pwned\")}"],
        &["awk", "-e", "BEGIN{system(\"touch pwned\")}"],
        &["awk", "--source=BEGIN{system(\"touch pwned\")}"],
        &["awk", "#\nBEGIN{system(\"touch pwned\")}"],
        &["awk", "/a/{system(\"touch pwned\")}", "f"],
        &["awk", "function f(){system(\"touch pwned\")} BEGIN{f()}"],
        &["awk", "BEGIN{print(1)>\"pwned\"}"],
        &["awk", "-v", "x=1", "BEGIN{system(\"touch pwned\")}"],
        &["awk", "-F", ":", "BEGIN{system(\"touch pwned\")}"],
        &["mawk", "-W", "exec", "p.awk"],
        &["awk", "--", "BEGIN{system(\"touch pwned\")}"],
        &["awk", "BEGIN{\\\nsystem(\"touch pwned\")}"],
        &["awk", "--", "-system(\"touch pwned\")"],
    ]);
    filled(RO_NAMES).refuses_words(&[
        &["awk", "BEGIN{system(\"touch pwned\")}"],
        &["awk", "BEGIN{\"touch pwned\"|getline}"],
        &["awk", "-f", "p.awk"],
        &["awk", "--", "-system(\"touch pwned\")"],
        &["awk", "--", "-1{}BEGIN{system(\"touch pwned\")}"],
    ]);
    place.runs_words(&[
        &["awk", "{print $1}", "f"],
        &["awk", "-F:", "{print $NF}", "f"],
        &["awk", "NR==1", "f"],
        &["awk", "/a/ {n++} END {print n}", "f"],
        &["awk", "BEGIN { OFS=\",\" } { $1=$1; print }", "f"],
        &["awk", "-v", "n=2", "NR<=n", "f"],
        &["awk", "{ print \"the system | > x\" }", "f"],
        &["awk", "length($0) >= 3", "f"],
        &["awk", "{ s += $1 } END { printf \"%d\\n\", s }", "f"],
    ]);
}

#[test]
fn a08_tar_lists_and_no_more() {
    let place = ro();
    place.git(&["archive", "-o", "a.tar", "HEAD"]);
    place.refuses_lines(&[
        "tar cf pwned f --checkpoint=1 --checkpoint-action=exec=./e",
        "tar tf a.tar --checkpoint=1 --checkpoint-action=exec=./e",
        "tar tf a.tar --checkpoint-action=exec=./e",
        "tar -tf a.tar -I ./e",
        "tar tIf ./e a.tar",
        "tar -I./e -tf a.tar",
        "tar --use-compress-program ./e -tf a.tar",
        "tar --use-compress-program=./e -tf a.tar",
        "tar --use=./e -tf a.tar",
        "tar xf a.tar --to-command=./e",
        "tar tf a.tar --to-command ./e",
        "tar tf x:a.tar --rsh-command=./e",
        "tar --rsh-command ./e -tf x:a.tar",
        "tar tf x:a.tar",
        "tar --file=host:a.tar -t",
        "tar cIf ./e o f",
        "tar xfC a /etc",
        "tar xf a.tar --absolute-names",
        "tar -xPf a.tar",
        "tar xf a.tar",
        "tar -x -f a.tar",
        "tar --extract --file=a.tar",
        "tar --get -f a.tar",
        "tar cf pwned f",
        "tar -cf pwned f",
        "tar --create --file pwned f",
        "tar rf a.tar f",
        "tar uf a.tar f",
        "tar Af a.tar a.tar",
        "tar --delete -f a.tar a.txt",
        "tar -tf a.tar -F ./e",
        "tar -tMf a.tar --info-script=./e",
        "tar -tMf a.tar --new-volume-script ./e",
        "tar -tf a.tar --index-file=pwned",
        "tar -tg pwned -f a.tar",
        "tar --listed-incremental=pwned -tf a.tar",
        "tar tf a.tar --volno-file=pwned",
        "tar tf a.tar -T f",
        "tar -tf a.tar --files-from=f",
        "tar -t --xf a.tar",
        "tar tfx a.tar",
        "tar tf a.tar --transform=s/a/touch/e",
        "tar tf a.tar -C / -x",
        "tar tf a.tar --remove-files",
        "tar --rmt-command=./e -tf x:a",
        "tar -tZf a.tar --compress",
        "tar f a.tar",
        "tar vf a.tar x",
    ]);
    filled(RO_NAMES).refuses_lines(&[
        "tar tf a.tar --checkpoint=1 --checkpoint-action=exec=./e",
        "tar -tf a.tar -I ./e",
        "tar xf a.tar --to-command=./e",
        "tar cIf ./e o f",
        "tar tf x:a.tar --rsh-command=./e",
        "tar -tMf a.tar --info-script=./e",
    ]);
    place.runs_lines(&[
        "tar tf a.tar",
        "tar -tvf a.tar",
        "tar --list --file=a.tar",
        "tar -tf a.tar a.txt",
        "tar tvf a.tar",
    ]);
}

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
        "git -C . status",
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
        "git --no-optional-locks -C / status",
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

#[test]
fn a13_git_changes_nothing() {
    ro().refuses_lines(&[
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
    ]);
    ro().runs_lines(&["git branch", "git branch -a", "git tag", "git config --list", "git remote -v"]);
}

/// Wrappers, each with the words that stand before the command.
const WRAPPERS: &[&str] = &[
    "env",
    "env -i",
    "env -u X",
    "env A=b",
    "timeout 5",
    "timeout -s KILL 5",
    "timeout --signal=KILL 5",
    "nice",
    "nice -n 5",
    "nice -5",
    "nohup",
    "setsid",
    "setsid -w",
    "stdbuf -o0",
    "stdbuf -oL -eL",
    "time",
    "time -p",
    "flock l",
    "flock -n l",
    "xargs",
    "xargs -n 1",
    "xargs -I x",
    "watch",
    "watch -n 1",
    "watch -x",
    "sudo",
    "sudo -n",
    "sudo -u root",
    "doas",
    "chroot .",
    "chroot /",
    "unshare",
    "unshare -r",
    "ionice",
    "ionice -c 3",
    "taskset 1",
    "taskset -c 0",
    "parallel",
    "parallel -j 1",
    "env timeout 5 nice",
    "sudo env",
    "/usr/bin/env",
    "/usr/bin/timeout 5",
    "setarch x86_64",
    "chrt -i 0",
    "prlimit",
    "setpriv",
    "nsenter -a",
    "busybox",
    "strace",
    "strace -f",
    "ltrace",
    "script -c",
    "faketime x",
    "unbuffer",
    "runuser -u root --",
    "su -c",
    "systemd-run",
    "systemd-run --user",
    "dbus-run-session",
    "setpriv --nnp",
    "linux64",
    "choom -n 1 --",
    "uclampset -m 1",
    "pkexec",
    "start-stop-daemon --start --exec",
    "ssh-agent",
    "gdb --args",
    "valgrind",
    "fakeroot",
    "bwrap",
    "command",
    "exec",
    "builtin command",
    "xvfb-run",
    "expect -c",
    "coreutils --coreutils-prog=env",
    "coproc",
    "ld.so",
    "/lib64/ld-linux-x86-64.so.2",
    "rlwrap",
    "torsocks",
    "entr",
    "hyperfine",
    "perf stat",
    "tmux new",
    "screen -dm",
    "at now -f",
];

#[test]
fn a14_wrappers_are_looked_through() {
    for config in [RO, RO_NAMES] {
        let place = filled(config);
        for name in "choom uclampset pkexec start-stop-daemon valgrind fakeroot bwrap xvfb-run coreutils ld.so rlwrap \
            torsocks entr hyperfine perf numactl command exec builtin coproc dbus-run-session at ssh-agent linux64"
            .split_whitespace()
        {
            place.program(&format!("../system/{name}"), "exit 0");
        }
        let lines: Vec<String> = WRAPPERS.iter().map(|wrapper| format!("{wrapper} touch pwned")).collect();
        place.refuses_lines(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        place.refuses_words(&[
            &["env", "-S", "touch pwned"],
            &["env", "-Stouch pwned"],
            &["env", "--split-string=touch pwned"],
            &["env", "-vS", "touch pwned"],
            &["env", "-i", "-S", "sh -c 'touch pwned'"],
            &["env", "-S", "A=b touch pwned"],
            &["env", "-C", ".", "touch", "pwned"],
            &["env", "--chdir=.", "touch", "pwned"],
            &["flock", "l", "-c", "touch pwned"],
            &["flock", "-c", "touch pwned", "l"],
            &["script", "-qc", "touch pwned", "/dev/null"],
            &["script", "--command=touch pwned", "/dev/null"],
            &["script", "/dev/null"],
            &["watch", "touch pwned"],
            &["xargs", "-a", "f", "touch"],
            &["xargs", "sh", "-c", "touch pwned"],
            &["sudo", "-s", "touch pwned"],
            &["sudo", "-e", "f"],
            &["sudoedit", "f"],
            &["su", "-c", "touch pwned"],
            &["parallel", "touch pwned", ":::", "a"],
            &["timeout", "5", "sh", "-c", "touch pwned"],
            &["nice", "find", ".", "-exec", "touch", "pwned", ";"],
            &["env", "git", "-c", "alias.x=!touch pwned", "x"],
            &["env", "sed", "1e touch pwned", "f"],
            &["env", "-u", "PATH", "awk", "BEGIN{system(\"touch pwned\")}"],
            &["nohup", "tar", "xf", "a.tar", "--to-command=touch pwned"],
        ]);
    }
}

#[test]
fn a14_what_a_wrapper_starts_may_be_allowed() {
    let place = Place::with(
        "policy.allowed_commands = [\"env\", \"timeout\", \"nice\", \"xargs\", \"echo\", \"cat\", \"find\", \"sh\", \"time\", \"stdbuf\"]",
    );
    place.file("f", "f\n");
    place.runs(&[
        "timeout 5 echo hi",
        "env A=b echo hi",
        "echo f | xargs cat",
        "nice -n 5 cat f",
        "find . -name f -exec cat {} +",
        "find . -name f -exec cat {} \\;",
        "sh -c 'echo hi'",
        "echo f | xargs -I{} echo {}",
        "time echo hi",
        "timeout -k 1 5 env X=y nice stdbuf -oL echo hi",
        "find . -name f -print0 | xargs -0 cat",
    ]);
    place.refuses(&[
        "timeout 5 touch pwned",
        "env A=b touch pwned",
        "echo pwned | xargs touch",
        "find . -exec touch pwned \\;",
        "sh -c 'touch pwned'",
        "sh -c 'echo hi; touch pwned'",
        "xargs sh < f",
        "echo 'touch pwned' | xargs -I{} sh -c {}",
        "env LD_PRELOAD=./x echo hi",
        "env PATH=. echo hi",
        "timeout 5 env -S 'touch pwned'",
    ]);
}

#[test]
fn a15_programs_that_run_or_write_by_an_option_are_refused() {
    let commands: &[&[&str]] = &[
        &["make", "--eval", "x:;touch pwned"],
        &["make", "--eval=$(shell touch pwned)"],
        &["make", "-E", "$(shell touch pwned)"],
        &["make", "-f", "-"],
        &["make", "-f-"],
        &["make"],
        &["ssh", "-oProxyCommand=touch pwned", "h"],
        &["ssh", "-o", "ProxyCommand=touch pwned", "h"],
        &["ssh", "-o", "LocalCommand=touch pwned", "-o", "PermitLocalCommand=yes", "h"],
        &["ssh", "-F", "f", "h"],
        &["ssh", "h", "touch pwned"],
        &["scp", "-S", "./e", "f", "h:"],
        &["rsync", "-e", "./e", "f", "h:"],
        &["rsync", "--rsh=./e", "f", "h:"],
        &["rsync", "--rsync-path=./e", "f", "h:"],
        &["man", "-P", "touch pwned", "ls"],
        &["man", "--pager=touch pwned", "ls"],
        &["man", "-H./e", "ls"],
        &["vim", "-c", ":!touch pwned"],
        &["vim", "+!touch pwned"],
        &["vim", "--cmd", "!touch pwned"],
        &["vim", "-S", "f"],
        &["less", "f"],
        &["less", "+!touch pwned", "f"],
        &["ed", "f"],
        &["curl", "-o", "pwned", "x"],
        &["curl", "-K", "f"],
        &["curl", "-O", "x"],
        &["curl", "file:///etc/passwd"],
        &["wget", "-O", "pwned", "x"],
        &["dd", "of=pwned"],
        &["dd", "if=f", "of=pwned"],
        &["tee", "pwned"],
        &["tee", "-a", "f"],
        &["cp", "f", "pwned"],
        &["mv", "f", "pwned"],
        &["ln", "-s", "/etc/passwd", "pwned"],
        &["install", "f", "pwned"],
        &["openssl", "rand", "-out", "pwned", "1"],
        &["openssl", "enc", "-in", "f", "-out", "pwned"],
        &["truncate", "-s0", "f"],
        &["mkdir", "pwned"],
        &["mkfifo", "pwned"],
        &["rm", "f"],
        &["split", "f"],
        &["split", "--filter=touch pwned", "f"],
        &["csplit", "f", "1"],
        &["shred", "f"],
        &["chmod", "777", "f"],
        &["uniq", "f", "pwned"],
        &["zip", "pwned", "f", "-T", "-TT", "touch pwned"],
        &["xxd", "-r", "f", "pwned"],
        &["file", "-C", "-m", "f"],
        &["date", "-s", "2000-01-01"],
        &["hostname", "x"],
        &["tac", "-s", "x", "f", "--output=pwned"],
        &["diff", "-l", "f", "g"],
        &["diff", "--paginate", "f", "g"],
        &["crontab", "f"],
        &["sqlite3", "pwned", ".shell touch pwned"],
        &["tmux", "new", "-d", "touch pwned"],
    ];
    for config in [RO, RO_NAMES] {
        let place = filled(config);
        if config == RO_NAMES {
            // A list names programs, not what they write: a second operand of `uniq` is its owner's business.
            let named: Vec<&[&str]> = commands.iter().copied().filter(|words| words[0] != "uniq").collect();
            place.refuses_words(&named);
        } else {
            place.refuses_words(commands);
        }
    }
}

/// The names of interpreters and of what runs projects, allowed by name.
const INTERPRETERS: &str = "policy.allowed_commands = [\"python3\", \"python3.12\", \"pypy\", \"perl\", \"node\", \"ruby\", \
    \"lua\", \"php\", \"deno\", \"bun\", \"npm\", \"npx\", \"yarn\", \"cargo\", \"go\", \"pip\", \"bash\", \"sh\", \"awk\", \"make\", \
    \"pnpm\", \"uv\", \"pipx\", \"ssh\", \"vim\", \"git\", \"sqlite3\", \"psql\", \"m4\", \"bc\", \"expect\", \"gdb\", \"docker\", \"tmux\", \
    \"sed\", \"tar\", \"sort\", \"rsync\", \"man\", \"openssl\", \"dotnet\", \"java\", \"tsx\"]";

#[test]
fn a16_the_name_of_an_interpreter_is_no_leave_for_its_code() {
    let commands: &[&[&str]] = &[
        &["python3", "-c", "open('pwned','w')"],
        &["python3.12", "-c", "open('pwned','w')"],
        &["python3", "-copen('pwned','w')"],
        &["python3", "-Bc", "open('pwned','w')"],
        &["python3", "-m", "http.server"],
        &["python3", "-"],
        &["python3"],
        &["python3", "-i"],
        &["pypy", "-c", "open('pwned','w')"],
        &["perl", "-e", "system('touch pwned')"],
        &["perl", "-ne", "system('touch pwned')", "f"],
        &["perl", "-E", "system('touch pwned')"],
        &["perl", "-Mx", "f"],
        &["perl", "-pi", "-e", "s/a/b/", "f"],
        &["node", "-e", "require('fs').writeFileSync('pwned','')"],
        &["node", "--eval=require('fs').writeFileSync('pwned','')"],
        &["node", "-p", "require('fs').writeFileSync('pwned','')"],
        &["node", "-pe", "1"],
        &["node", "-r", "./f", "x"],
        &["node", "--import=data:text/javascript,1", "x"],
        &["ruby", "-e", "system('touch pwned')"],
        &["lua", "-e", "os.execute('touch pwned')"],
        &["php", "-r", "system('touch pwned');"],
        &["deno", "eval", "1"],
        &["bun", "-e", "1"],
        &["bun", "--eval", "1"],
        &["npm", "run", "x"],
        &["npm", "exec", "x"],
        &["npx", "x"],
        &["npx", "-c", "touch pwned"],
        &["yarn", "--version"],
        &["yarn", "x"],
        &["yarn", "run", "x"],
        &["cargo", "run"],
        &["go", "run", "."],
        &["go", "test", "-exec", "./e"],
        &["go", "vet", "-vettool=./e"],
        &["go", "generate"],
        &["pip", "install", "."],
        &["bash", "-c", "touch pwned"],
        &["sh", "-c", "touch pwned"],
        &["bash"],
        &["awk", "BEGIN{system(\"touch pwned\")}"],
        &["make", "--eval=x:;touch pwned"],
        &["pnpm", "dlx", "x"],
        &["uv", "run", "x"],
        &["pipx", "run", "x"],
        &["ssh", "-oProxyCommand=touch pwned", "h"],
        &["vim", "-c", ":!touch pwned"],
        &["git", "-c", "alias.x=!touch pwned", "x"],
        &["git", "rebase", "-x", "touch pwned"],
        &["git", "bisect", "run", "touch", "pwned"],
        &["git", "submodule", "foreach", "touch pwned"],
        &["git", "filter-branch", "--tree-filter", "touch pwned"],
        &["git", "config", "alias.x", "!touch pwned"],
        &["git", "difftool", "-x", "touch pwned"],
        &["git", "grep", "-Otouch", "x"],
        &["sqlite3", "x", ".shell touch pwned"],
        &["gdb", "-ex", "shell touch pwned"],
        &["docker", "run", "x"],
        &["tmux", "new", "touch pwned"],
        &["sed", "1e touch pwned", "f"],
        &["tar", "cf", "x", "f", "--checkpoint-action=exec=touch pwned"],
        &["tar", "tf", "a", "--use-compress-program=touch pwned"],
        &["sort", "--compress-program=./e", "f"],
        &["rsync", "-e", "touch pwned", "f", "h:"],
        &["man", "-P", "touch pwned", "ls"],
        &["expect", "-c", "spawn touch pwned"],
        &["tsx", "-e", "1"],
    ];
    filled(RO).refuses_words(commands);
    let place = filled(INTERPRETERS);
    place.refuses_words(commands);
    place.runs_words(&[
        &["python3", "--version"],
        &["perl", "-v"],
        &["node", "--version"],
        &["git", "status"],
        &["git", "log", "-1"],
        &["sed", "-n", "1p", "f"],
        &["sort", "f"],
    ]);
}

#[test]
fn a17_every_spelling_of_an_option_is_the_option() {
    let place = ro();
    place.file("opts", "--output=pwned\n");
    place.refuses_lines(&[
        // Beginnings of long names, with and without `=`.
        "sort --outp pwned f",
        "sort --compr=./e f",
        "sed --in-pl s/a/b/ f",
        "grep --fi",
        "tar --lis --to-c ./e -f a",
        "wc --fil=f x --unknown",
        "cat --unknown f",
        "ls --unknown",
        "head --unknown f",
        "uniq --unknown f",
        // Glued and bundled.
        "sort -zo pwned f",
        "sort -zopwned f",
        "sort -k2o f -o",
        "sed -nEi p f",
        "ls -laK",
        "grep -rK x .",
        // Behind operands, and what stands behind `--` is none.
        "sort f g -o pwned",
        "git log HEAD --output=pwned",
        "sed p f --in-place",
        "find . . -delete",
        "uniq -c -- f pwned",
        "uniq f -c pwned",
        // Files of arguments.
        "javac @opts",
        "gcc @opts",
        "sort @opts -o pwned",
        "rg @opts --pre ./e",
        // Dashes that only look like the letter.
        "sort -\u{2010}o pwned f",
        "git log --\u{2011}output=pwned",
        "sort \u{2013}o pwned f -o",
    ]);
    place.file("-o", "x\n");
    place.file("--output=pwned", "x\n");
    place.refuses(&["sort *", "sort $x f", "git log $x", "find . $x f ;", "sed $x f", "tar tf $x"]);
    place.runs(&["sort -- *", "cat -- *", "sort ./*", "wc -l ./*", "grep -n a ./f"]);
    place.runs_lines(&[
        "sort --numeric-sort f",
        "sort -nrk1 f",
        "sort -- -o",
        "sort f g",
        "uniq -c f",
        "grep -in a f",
    ]);
}

#[test]
fn a19_everyday_reading_runs() {
    let place = ro();
    place.git(&["archive", "-o", "a.tar", "HEAD"]);
    place.runs_words(&[
        &["find", ".", "-name", "x", "-type", "f", "-maxdepth", "3"],
        &["sort", "-t", ":", "-k2", "f"],
        &["sort", "-nru", "f"],
        &["git", "log", "-p", "-1"],
        &["git", "log", "--oneline"],
        &["git", "--no-pager", "log"],
        &["git", "diff", "--", "f"],
        &["sed", "-n", "1,5p", "f"],
        &["tar", "tf", "a.tar"],
        &["cut", "-d", "/", "-f1", "f"],
        &["awk", "{print $1}", "f"],
        &["ls", "-la"],
        &["ls", "-R", "."],
        &["cat", "-n", "f"],
        &["head", "-20", "f"],
        &["head", "-n", "1", "f", "g"],
        &["tail", "-n", "+2", "f"],
        &["tail", "-5", "f"],
        &["wc", "-l", "f", "g"],
        &["grep", "-rn", "--include=*.txt", "one", "."],
        &["grep", "-E", "a|b", "f"],
        &["grep", "-v", "zzz", "f"],
        &["uniq", "-c", "f"],
        &["diff", "-u", "f", "f"],
        &["git", "status", "--short"],
        &["git", "status", "--porcelain=v2", "--branch"],
        &["git", "log", "--graph", "--all", "--decorate"],
        &["git", "log", "--since=2.weeks", "--author=a"],
        &["git", "log", "--format=%H %an %s", "-n", "5"],
        &["git", "show", "HEAD"],
        &["git", "show", "--name-only", "HEAD"],
        &["git", "diff", "HEAD"],
        &["git", "diff", "--cached"],
        &["git", "blame", "-L1,2", "a.txt"],
        &["git", "grep", "-n", "-i", "ONE"],
        &["git", "ls-files"],
        &["git", "ls-files", "-o", "--exclude-standard"],
        &["git", "rev-parse", "HEAD"],
        &["git", "log", "-S", "one"],
        &["stat", "f"],
        &["file", "--version"],
        &["du", "-sh", "."],
        &["tr", "-d", "x"],
        &["basename", "/a/b"],
        &["realpath", "f"],
        &["sha256sum", "f"],
    ]);
    // A program that is missing here has a stand-in, which leaves the canary: `rg` is judged, not started.
    let draft = place.engine().explain(runward::Request::by(
        crate::policies::words_tool(),
        crate::policies::exec(&["rg", "-n", "p"]),
    ));
    assert_eq!(draft.unwrap().ruling().decision(), runward::Decision::Allow);
}
