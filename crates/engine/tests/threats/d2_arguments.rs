//! Arguments: options and scripts by which a program that only reads writes a file or starts another.
//!
//! Each is tried as words and as a text of the same words.

use crate::policies::{Place, RO, RO_NAMES};

pub(crate) fn ro() -> Place {
    filled(RO)
}

pub(crate) fn filled(config: &str) -> Place {
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

/// Scripts and options of `sed` that write or run.
const SED: &[&[&str]] = &[
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
];

#[test]
fn a06_sed_writes_and_runs_nothing() {
    let place = ro();
    place.refuses_words(SED);
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

/// Lines of `tar` that do more than list.
const TAR: &[&str] = &[
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
];

#[test]
fn a08_tar_lists_and_no_more() {
    let place = ro();
    place.git(&["archive", "-o", "a.tar", "HEAD"]);
    place.refuses_lines(TAR);
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
    let draft = place.engine().explain(runward_engine::Request::by(
        crate::policies::words_tool(),
        crate::policies::exec(&["rg", "-n", "p"]),
    ));
    assert_eq!(draft.unwrap().ruling().decision(), runward_engine::Decision::Allow);
}

#[test]
fn a19_everyday_texts_run_too() {
    let place = ro();
    place.file("src/main.rs", "fn main() {}\n");
    place.runs(&[
        "git log --oneline | head -5",
        "git diff | cat",
        "git status && git diff --stat",
        "git show HEAD | head -n 20",
        "cat f | sort | uniq -c | sort -rn",
        "ls -la && git status --short",
        "grep -rn one . | wc -l",
        "find . -name '*.rs' | head -20",
        "find . -name '*.txt' -not -path './.git/*' | sort",
        "cat f 2>/dev/null | wc -l",
        "for f in *.txt; do wc -l -- \"$f\"; done",
        "head -n 5 ./*.txt",
        "cd src && grep -n fn main.rs",
        "cd src && git status",
        "pwd; echo done",
        "test -f f && cat f",
        "[ -d src ] && ls src",
        "x=$(cat g); echo \"$x\"",
        "if grep -q a f; then echo yes; fi",
        "printf '%s\\n' hi",
        "cat <<'EOF' | wc -l\na\nb\nEOF",
        "grep -n fn src/*.rs",
        "cat src/*.rs | wc -l",
        "git ls-files | grep txt | wc -l",
        "git log -1 --format=%H",
        "git branch --show-current",
        "sed -n '1,3p' f | cat -A",
        "awk '{print $1}' f | sort -u",
        "diff f f && grep -c a f",
        "git log --oneline -- a.txt | cat",
        "git blame a.txt | head -3",
        "wc -l -- $(git ls-files -- a.txt)",
    ]);
}
