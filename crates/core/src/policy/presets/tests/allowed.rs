//! What must run: a preset that refuses everyday commands is of no use.

use super::*;

#[test]
fn a19_everyday_commands_are_allowed() {
    all_allowed(
        "readonly",
        &[
            "find . -name x -type f -maxdepth 3",
            "sort -t : -k2 f",
            "sort -nru",
            "git log -p -1",
            "git log --oneline",
            "git --no-pager log",
            "git diff -- f",
            "sed -n 1,5p f",
            "tar tf a.tar",
            "rg -n p",
            "cut -d / -f1",
            "awk '{print $1}' f",
        ],
    );
}

const READING: &str = r"
ls
ls -la
ls -lahtr src
ls -1
ls --color=never x
/usr/bin/ls -l
cat f
cat -n f g
cat -
head -20 f
head -n 20 f
head -n20 f
head -n -5 f
head --lines=5 f
head -c 100 f
tail -50 f
tail -n +5 f
tail -f log
wc -l f
wc -lc f g
grep -rn 'a|b' src
grep -E 'x > y' f
grep -rnE -A3 -B 2 x --include=*.rs .
grep -e -x f
grep -3 x f
grep --color=never -i x f
egrep -v x f
rg
rg -n -i --glob !target p src
rg -uu p
rg --files
rg -e -x
rg -tjs -C3 p
fd -e rs
uniq -c
uniq -c f
cut -f1,2 f
cut -d '' f
tr a-z A-Z
tr -d x
diff -u a b
diff -r a b
diff --color=always a b
cmp a b
comm -12 a b
join -t , a b
paste -sd, f
nl f
tac f
rev f
fold -80 f
od -c f
od -A x -t x1z f
xxd f
xxd -l 16 f
hexdump -C f
strings -n 8 bin
file *
file -b --mime-type f
stat -c %s f
stat f
du -sh .
du -h -d 1
df -h
basename a/b .rs
dirname a/b
realpath .
readlink -f x
pwd
echo -n hi
echo --anything $x
printf '%s\n' a
test -f x
test a = b
date
date +%s
date -u +%F
date -d yesterday +%F
uname -a
whoami
id -u
which git
tree -L 2
tree -aI target
jq .x f
jq -r '.a | .b' f
jq --arg a b '.x == $a' f
column -t
seq 1 10
seq -5 5
md5sum f
sha256sum -c f
cksum f
ps aux
ps -ef
ps -o pid,comm -p 1
ps -eo pid,args
uptime
free -h
nproc
hostname
hostname -f
locale
getconf PAGESIZE
sleep 1
true
false
cd src
cd
base64 -d f
zcat f.gz
type ls
";

#[test]
fn programs_that_read_files_are_allowed() {
    every_line_allowed("readonly", READING);
}

#[test]
fn finding_is_allowed() {
    all_allowed(
        "readonly",
        &[
            "find",
            "find .",
            "find src tests -name '*.rs' -print",
            "find . ( -name a -o -name b ) -not -path './target/*'",
            "find . ! -name x -mtime -7 -size +10k",
            "find . -type d -name .git -prune -o -type f -print0",
            "find . -printf '%p %s\\n'",
            "find -L . -newermt '2 days ago' -ls",
            "find . -perm -u+x -empty",
            "find . -name -delete",
        ],
    );
}

#[test]
fn archives_are_listed() {
    all_allowed(
        "readonly",
        &[
            "tar tvf a.tar",
            "tar -tf a.tar",
            "tar -tzf a.tgz",
            "tar tzvf a.tgz dir/f",
            "tar --list --file=a.tar",
            "tar -t -f a",
            "tar --list -f ./h:a",
            "tar tf dir/h:a",
        ],
    );
}

const GIT: &str = r"
git status
git status -s
git status --porcelain=v2 --branch
git status -uno
git status src
git log
git log -5
git log -n 5 --oneline --graph --all
git log --since=yesterday --author=me
git log --format=%H%x09%s -3
git log --pretty=oneline a..b -- src
git log --grep='a|b'
git log --stat
git log -S needle --oneline
git log -L 1,5:f
git log --follow -- f
git -P log
git show
git show HEAD:f
git show --stat HEAD~2
git show --name-only abc123
git diff
git diff HEAD~1 HEAD
git diff --cached
git diff --staged --stat
git diff main...HEAD --name-only
git diff -U10 -w
git diff --word-diff=color
git blame f
git blame -L 1,20 f
git blame -w -C HEAD -- f
git grep -n p
git grep -e a --and -e b
git ls-files
git ls-files -o --exclude-standard
git ls-remote
git ls-remote .
git ls-remote --tags origin
git ls-tree -r HEAD
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git branch
git branch -a
git branch -vv
git branch --list feature/*
git branch --show-current
git branch --contains abc
git tag
git tag -l v1*
git tag --sort=-v:refname
git remote
git remote -v
git remote get-url origin
git describe --tags --always
git shortlog -sn HEAD
git cat-file -p HEAD
git cat-file blob HEAD:f
git merge-base a b
git rev-list --count HEAD
git for-each-ref --format=%(refname)
git stash list
git stash show -p
git reflog
git reflog -5
git worktree list
git config --get user.name
git config --list
git config -l --show-origin
git check-ignore -v f
git --version
git version
git count-objects -vH
git show-ref --heads
";

#[test]
fn reading_a_repository_is_allowed() {
    every_line_allowed("readonly", GIT);
}
