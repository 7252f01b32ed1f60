//! What must be read: a refusal here would stop honest work.

use super::*;

#[test]
fn s30_quoted_text_is_text() {
    reads(&[
        ("echo '$(not run)'", &["echo $(not run)"]),
        ("echo \"a;b\"", &["echo a;b"]),
        ("echo 'x > y'", &["echo x > y"]),
        ("ls -la | cat", &["ls -la", "cat"]),
        ("echo a && echo b", &["echo a", "echo b"]),
        ("cat <<'EOF'\n$(x)\nEOF", &["cat"]),
        ("echo \"50% > done\"", &["echo 50% > done"]),
        ("cat file-with-#-name", &["cat file-with-#-name"]),
        ("git log --grep='a|b'", &["git log --grep=a|b"]),
        ("echo \\$x \"\\$x\" '`x`'", &["echo $x $x `x`"]),
    ]);
}

#[test]
fn s31_letters_beyond_ascii_part_nothing() {
    reads(&[
        ("echo é日本 ü", &["echo é日本 ü"]),
        ("echo a\u{a0}b; ls", &["echo a\u{a0}b", "ls"]),
        ("echo a\u{b}b; ls", &["echo a\u{b}b", "ls"]),
        ("echo \"…\" '–' — | cat", &["echo … – —", "cat"]),
    ]);
}

#[test]
fn words_are_told_as_far_as_they_are_known() {
    reads(&[
        ("ls $x \"$x\" a$x \"a$x\"", &["ls <…Any> <…One> <a…Any> <a…One>"]),
        ("ls \"$@\" \"$*\" $@ \"${a[@]}\" \"${a[*]}\"", &["ls <…Any> <…One> <…Any> <…Any> <…One>"]),
        ("ls *.rs src/*.rs [a-z] a? \"*\"", &["ls <…Each> <src/…Each> <…Each> <a…Each> *"]),
        ("ls ~ ~/x a~b --x=~/y", &["ls <…One> <…One> a~b <--x=…One>"]),
        ("ls {a,b} x{a,b} {} {a} a{1..3}", &["ls <…Any> <x…Each> {} {a} <a…Each>"]),
        ("ls [a$x", &["ls <…Any>"]),
        (
            "ls ${x:-y} ${x%.*} ${x##*a} \"${x/a/b}\" ${#x} ${x:1:2}",
            &["ls <…Any> <…Any> <…Any> <…One> <…One> <…Any>"],
        ),
        ("ls $# $? $((1+2)) $$", &["ls <…One> <…One> <…One> <…One>"]),
        ("ls a=b a= = [ ] { }", &["ls a=b a= = [ ] { }"]),
        ("echo $'a\\tb\\'\\u0041' $ a$", &["echo a\tb'A $ a$"]),
        ("echo a \\\n  b", &["echo a b"]),
        ("echo \"a\\\nb\"", &["echo ab"]),
        ("ls if then fi do time !", &["ls if then fi do time !"]),
    ]);
}

#[test]
fn builtins_that_run_nothing_are_not_listed() {
    for script in [
        ":",
        "true",
        "false",
        "[ -f x ]",
        "[ \"$a\" = b -o ! -d \"$c\" ]",
        "export A=b",
        "export A",
        "return 1",
        "exit $?",
        "break 2",
        "continue",
        "shift",
        "wait",
        "wait $!",
        "set -euo pipefail",
        "set -- \"$@\"",
        "umask 022",
        "unset A B",
        "local a=b",
        "readonly A=1",
        "declare -r A=b",
        "read -r line",
        "IFS= read -r -p 'a b' x y",
        "mapfile -t lines < f",
        "getopts ab: opt",
        "type ls",
        "a=(1 2)",
        "[[ $a == b* && -f $c ]]",
        "[[ $a =~ ^(a|b)[0-9]+$ ]]",
        "((1 + 2))",
        "exec 2>&1",
        "",
        "# only a comment",
        "a=1 b=\"$c\"",
    ] {
        assert_eq!(commands(script), [] as [&str; 0], "{script}");
    }
    reads(&[
        ("cd a && pwd; pushd b; popd", &["cd a", "pwd", "pushd b", "popd"]),
        ("test -f x && printf '%s\\n' \"$a\"", &["test -f x", "printf %s\\n <…One>"]),
    ]);
}

#[test]
fn scripts_as_agents_write_them_are_read() {
    reads(&[
        (
            "set -euo pipefail\ncd \"$(git rev-parse --show-toplevel)\"\nfor f in src/*.rs; do\n  wc -l \"$f\" # lines\ndone | sort -n | tail -5",
            &["cd <…One>", "git rev-parse --show-toplevel", "wc -l <…One>", "sort -n", "tail -5"],
        ),
        (
            "git commit -m \"$(cat <<'EOF'\nIt's a (message) with \"quotes\" and $x\nEOF\n)\"",
            &["git commit -m <…One>", "cat"],
        ),
        ("if ! command -v rg >/dev/null 2>&1; then echo missing >&2; exit 1; fi", &["echo missing"]),
        (
            "find . -name '*.rs' -exec grep -l foo {} \\; 2>/dev/null",
            &["find . -name *.rs -exec grep -l foo {} ;"],
        ),
        ("diff <(sort a) <(sort b) || true", &["diff </…One> </…One>", "sort a", "sort b"]),
        ("cat > out.txt << 'EOF'\n{ \"a\": `x` }\nEOF\ncat out.txt", &["cat", "cat out.txt"]),
        ("while IFS= read -r line; do echo \"$line\"; done < <(ls)", &["echo <…One>", "ls"]),
        ("FOO=bar BAZ=\"$x\" make -j4 all 2>&1 | tee log", &["make -j4 all", "tee log"]),
        (
            "awk '{print $1}' f | sed -e 's/a/b/' -e \"s/$x/y/\"",
            &["awk {print $1} f", "sed -e s/a/b/ -e <s/…One>"],
        ),
    ]);
}

#[test]
fn what_is_special_to_bash_is_opaque_in_other_shells() {
    opaque(
        Dialect::Posix,
        &[
            "[[ -f x ]]",
            "cat <(ls)",
            "echo $'a'",
            "ls {a,b}",
            "ls &> f",
            "ls |& cat",
            "a=(1)",
            "function f { ls; }",
            "((1))",
            "a+=b",
            "cat <<< x",
            "echo ${a/b/c}",
            "echo ${a:1:2}",
            "echo ${a[0]}",
            "time ls",
            "select a in b; do ls; done",
            "ls {fd}> f",
            "for ((i=0;i<2;i++)); do ls; done",
            "case a in a) ls;& esac",
            "declare a=b",
            "export a=$x",
            "[ \"$x\" -eq 1 ]",
            "printf %d \"$x\"",
            "ls >& f",
            "print x",
            "exit \"$x\"",
        ],
    );
    let reading = read(
        "if [ -f a ]; then ls \"$x\" > f; fi; for i in a b; do cat \"$i\" | wc -l; done",
        Dialect::Posix,
    );
    assert_eq!(
        reading.unwrap().commands.iter().map(shown).collect::<Vec<_>>(),
        ["ls <…One>", "cat <…One>", "wc -l"]
    );
    assert_eq!(read("f() { ls; }; f; x=$(id); echo \"$x\" `pwd`", Dialect::Posix).unwrap().commands.len(), 4);
}
