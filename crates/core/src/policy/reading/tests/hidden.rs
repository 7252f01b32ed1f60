//! Tricks that hide a command: each is read, or opaque.

use super::*;

#[test]
fn s01_lists_are_read() {
    reads(&[
        ("echo hi; touch pwned", &["echo hi", "touch pwned"]),
        ("echo hi && touch pwned", &["echo hi", "touch pwned"]),
        ("false || touch pwned", &["touch pwned"]),
        ("echo hi & touch pwned", &["echo hi", "touch pwned"]),
        ("echo hi;touch pwned", &["echo hi", "touch pwned"]),
    ]);
}

#[test]
fn s02_pipelines_are_read() {
    reads(&[
        ("echo hi | xargs -I_ touch pwned", &["echo hi", "xargs -I_ touch pwned"]),
        ("echo hi |& touch pwned", &["echo hi", "touch pwned"]),
    ]);
}

#[test]
fn s03_lines_are_read_and_a_carriage_return_is_a_letter() {
    reads(&[
        ("echo hi\ntouch pwned", &["echo hi", "touch pwned"]),
        ("echo hi\r\ntouch pwned", &["echo hi\r", "touch pwned"]),
        ("ls\r\n", &["ls\r"]),
    ]);
}

#[test]
fn s04_comments_end_with_their_line() {
    reads(&[
        ("echo hi #\ntouch pwned", &["echo hi", "touch pwned"]),
        ("# c\ntouch pwned", &["touch pwned"]),
        ("# c \\\ntouch pwned", &["touch pwned"]),
        ("echo a;# touch pwned", &["echo a"]),
        ("(echo a) # touch pwned", &["echo a"]),
    ]);
}

#[test]
fn s05_substitutions_are_read() {
    reads(&[
        ("echo $(touch pwned)", &["echo <…Any>", "touch pwned"]),
        ("echo `touch pwned`", &["echo <…Any>", "touch pwned"]),
        ("echo \"$(touch pwned)\"", &["echo <…One>", "touch pwned"]),
        ("echo \"a $(touch \"$(rm x)\") b\"", &["echo <a …One>", "touch <…One>", "rm x"]),
        ("x=$(touch pwned)", &["touch pwned"]),
        ("echo \"$(case x in (x) touch pwned;; esac)\"", &["echo <…One>", "touch pwned"]),
    ]);
    opaque(
        Dialect::Bash,
        &[
            "echo ${a:-$(touch pwned)}",
            "echo \"${a#`touch pwned`}\"",
            "echo `echo \\`touch pwned\\``",
            "echo $\\\n(touch x)",
        ],
    );
}

#[test]
fn s06_process_substitutions_are_read() {
    reads(&[
        ("cat <(touch pwned)", &["cat </…One>", "touch pwned"]),
        ("echo hi > >(touch pwned)", &["echo hi", "touch pwned"]),
        ("while x; do y; done < <(touch pwned)", &["x", "y", "touch pwned"]),
    ]);
    // Found by fuzzing: bash makes no word of it.
    opaque(Dialect::Bash, &["ls >()", "ls <( )"]);
}

#[test]
fn s07_here_documents_are_read() {
    reads(&[
        ("cat <<EOF\n$(touch pwned)\nEOF", &["cat", "touch pwned"]),
        ("cat <<EOF\n`touch pwned` $x\nEOF\nls", &["cat", "touch pwned", "ls"]),
        ("cat <<A <<'B'\n$(a)\nA\n$(b)\nB", &["cat", "a"]),
        ("cat <<<\"$(touch pwned)\"", &["cat", "touch pwned"]),
        ("cat <<-'E'\n\t$(x)\n\tE\nls", &["cat", "ls"]),
    ]);
    opaque(
        Dialect::Bash,
        &[
            "cat <<EOF\n$(touch pwned)",
            "cat <<E\"O\"F\n$(x)\nEOF",
            "cat <<EOF\na\\\nEOF\ntouch pwned\nEOF",
            "cat <<EOF \"\n\"\nx\nEOF",
            "echo $(cat <<EOF)\nx\nEOF",
        ],
    );
}

#[test]
fn s08_what_follows_a_here_document_is_read() {
    reads(&[
        ("cat <<'EOF' | sh\ntouch pwned\nEOF", &["cat", "sh"]),
        ("cat <<'E'; rm x\n$(y)\nE\nls", &["cat", "rm x", "ls"]),
    ]);
}

#[test]
fn s10_redirections_are_told() {
    let writes = |file: &str| Redirect::Writes(Word::known(file));
    for (script, expected) in [
        ("echo hi > pwned", writes("pwned")),
        ("echo hi >| pwned", writes("pwned")),
        ("echo hi >>pwned", writes("pwned")),
        ("echo hi &> pwned", writes("pwned")),
        ("echo hi &>> pwned", writes("pwned")),
        ("echo hi >&pwned", writes("pwned")),
        ("echo hi <>pwned", writes("pwned")),
        ("echo hi 2>pwned", writes("pwned")),
        ("> pwned echo hi", writes("pwned")),
        ("echo {fd}>pwned hi", writes("pwned")),
        ("echo hi < pwned", Redirect::Reads(Word::known("pwned"))),
        ("echo hi 2>&1", Redirect::Copies),
        ("echo hi >&-", Redirect::Copies),
        ("echo hi <<< x", Redirect::Text),
    ] {
        let reading = read(script, Dialect::Bash).unwrap();
        assert_eq!(shown(&reading.commands[0]), "echo hi", "{script}");
        assert_eq!(reading.commands[0].redirects, [expected], "{script}");
    }
    assert_eq!(read("{ ls; } > f", Dialect::Bash).unwrap().redirects, [writes("f")]);
    assert_eq!(read("> f", Dialect::Bash).unwrap().redirects, [writes("f")]);
    assert_eq!(read("exec > f", Dialect::Bash).unwrap().redirects, [writes("f")]);
    assert_eq!(read("echo 2 > f", Dialect::Bash).unwrap().commands[0].words.len(), 2);
}

#[test]
fn s11_a_target_may_be_open_and_may_run_something() {
    let reading = read("echo hi > \"$PWD/pwned\" > $(rm x)", Dialect::Bash).unwrap();
    assert_eq!(reading.commands.iter().map(shown).collect::<Vec<_>>(), ["echo hi", "rm x"]);
    // Found by fuzzing: bash expands these twice.
    opaque(Dialect::Bash, &["ls >&$x", "ls >&\"$x\"", "ls >&'$(touch pwned)'", "ls >&~", "ls >&-a b"]);
    assert!(reading.commands[0].redirects.iter().all(|to| matches!(to, Redirect::Writes(Word::Open { .. }))));
}

#[test]
fn s12_quotes_do_not_hide_a_name() {
    for script in [
        "\"touch\" pwned",
        "to\"\"uch pwned",
        "t\\ouch pwned",
        "'touch' pwned",
        "$'touch' pwned",
        "$'\\x74ouch' pwned",
    ] {
        assert_eq!(commands(script), ["touch pwned"], "{script}");
    }
}

#[test]
fn s14_a_name_that_is_made_up_is_opaque() {
    opaque(
        Dialect::Bash,
        &[
            "{touch,pwned}",
            "touch${IFS}pwned",
            "a=touch;$a pwned",
            "$(echo ls)",
            "`echo ls`",
            "~/x",
            "l*",
            "l[s]",
            "l?",
            "''",
            "<(x)",
            "\"$x\"",
        ],
    );
}

#[test]
fn s16_what_runs_its_words_is_opaque_or_lowered() {
    opaque(
        Dialect::Bash,
        &[
            "eval touch pwned",
            "builtin eval touch pwned",
            ". ./s",
            "source ./s",
            "\\eval ls",
            "e\"v\"al ls",
            "command eval ls",
            "command -p ls",
            "exec -a x ls",
            "command $x",
            "coproc ls",
            "builtin ls",
            "jobs -x ls",
        ],
    );
    reads(&[
        ("command touch pwned", &["touch pwned"]),
        ("exec touch pwned", &["touch pwned"]),
        ("builtin echo hi", &["echo hi"]),
        ("command command ls", &["ls"]),
        ("command -v ls", &[]),
    ]);
}

#[test]
fn s17_the_text_of_a_trap_is_read_and_what_binds_text_otherwise_is_opaque() {
    reads(&[
        ("trap \"touch pwned\" EXIT; echo hi", &["touch pwned", "echo hi"]),
        ("trap -- 'a; b $(c)' INT TERM SIGHUP; trap - EXIT; trap '' INT; trap", &["a", "b <…Any>", "c"]),
        ("f() { rm -f x; }; trap f EXIT; trap 'f; ls' ERR", &["rm -f x", "ls"]),
        ("trap f EXIT; f() { rm -f x; }", &["f", "rm -f x"]),
        ("trap 'trap ls EXIT' INT", &["ls"]),
    ]);
    opaque(
        Dialect::Bash,
        &[
            "trap \"rm $f\" EXIT",
            "trap \"$x\" EXIT",
            "trap 'eval x' EXIT",
            "trap ls DEBUG",
            "trap ls RETURN",
            "trap ls $sig",
            "trap ls",
            "trap -x ls EXIT",
            "trap 'ls' EXIT extra",
            "i=1; trap 'i=$x' USR1; echo $((i))",
            "f() { ls; }; trap 'unset f' USR1; f",
            "trap 'trap \"trap \\\"trap ls EXIT\\\" EXIT\" EXIT' EXIT",
            "bind -x a:b",
            "complete -C a b",
            "PROMPT_COMMAND=ls",
        ],
    );
}

#[test]
fn s18_what_stands_inside_other_commands_is_read() {
    reads(&[
        ("f(){ touch pwned; }; f", &["touch pwned"]),
        ("(touch pwned)", &["touch pwned"]),
        ("{ touch pwned; }", &["touch pwned"]),
        ("for i in a; do touch pwned; done", &["touch pwned"]),
        ("for i; do touch pwned; done", &["touch pwned"]),
        ("case a in a) touch pwned;; esac", &["touch pwned"]),
        ("case a in (a | b*) touch pwned;& c) ls;;& esac", &["touch pwned", "ls"]),
        ("if ls; then touch pwned; elif a; then b; else c; fi", &["ls", "touch pwned", "a", "b", "c"]),
        ("while ls\ndo touch pwned\ndone", &["ls", "touch pwned"]),
        ("until ls; do touch pwned; done", &["ls", "touch pwned"]),
        ("select x in a; do touch pwned; done", &["touch pwned"]),
        ("! touch pwned", &["touch pwned"]),
        ("time -p touch pwned", &["touch pwned"]),
        ("[[ -n $(touch pwned) ]]", &["touch pwned"]),
        ("a=($(touch pwned))", &["touch pwned"]),
        ("echo \"$((1))\" $(touch pwned)", &["echo <…One> <…Any>", "touch pwned"]),
    ]);
}

#[test]
fn s19_a_function_is_left_out_only_where_it_certainly_runs() {
    reads(&[
        ("echo(){ touch pwned; }; echo hi", &["touch pwned"]),
        ("f; f() { ls; }", &["f", "ls"]),
        ("if a; then f() { ls; }; fi; f", &["a", "ls", "f"]),
        ("f() { ls; } & f", &["ls", "f"]),
        ("x || f() { ls; }; f", &["x", "ls", "f"]),
        ("(f() { ls; }); f", &["ls", "f"]),
        ("f() { ls; }; command f; exec f", &["ls", "f", "f"]),
        ("f() { ls; }; A=b f > c", &["ls"]),
        // Found by fuzzing: the text is made before the function is.
        ("cat <<E; f() { ls; }\n$(f)\nE\nf", &["cat", "ls", "f", "f"]),
    ]);
    opaque(
        Dialect::Bash,
        &[
            "alias e=touch\ne pwned",
            "shopt -s expand_aliases",
            "f() { ls; }; unset -f f",
            "f() { ls; }; unset f; f",
            "eval() { ls; }",
            "f$x() { ls; }",
        ],
    );
}

/// Texts in which something is evaluated that may be more than a number or a name.
const EVALUATED: &[&str] = &[
    "echo $((a[$(touch pwned)]))",
    "[[ -v a[$(touch pwned)] ]]",
    "test -v 'a[$(touch pwned)]'",
    "[ -v 'a[$(touch pwned)]' ]",
    "printf -v 'a[$(touch pwned)]' x",
    "read 'a[$(touch pwned)]'",
    "unset 'a[$(touch pwned)]'",
    "declare 'a[$(touch pwned)]=1'",
    "a[$(touch pwned)]=1",
    "a=([$(touch pwned)]=1)",
    "let 'a[$(touch pwned)]'",
    "((a[$(touch pwned)]))",
    "x=$y; [[ $x -eq 1 ]]",
    "read x; echo $((x))",
    "x=b; echo ${a[$x]}",
    "x=b; echo ${a[x]}",
    "for x in a b; do a[x]=1; done",
    "x=$(cat f); echo $((x + 1))",
    "x=$(wc -l f); echo $((x))",
    "x=$(wc -l < f) & x=$(tee y); echo $((x))",
    "wc() { cat; }; x=$(wc -l < f); echo $((x))",
    "echo $((PWD))",
    "[[ $PWD -eq 1 ]]",
    "echo ${a[PWD]}",
    "[[ $1 -eq 1 ]]",
    "[[ x -eq 1 ]]",
    "x=1; x+=b; ((x))",
    "printf -v x %s y; ((x))",
    "printf -v x %d $y; ((x))",
    "for i in $(seq 1 $n); do echo $((i)); done",
    "for i in {a..c}; do echo $((i)); done",
    "m=([$(touch pwned)]=1)",
    "declare -A m=([$(touch pwned)]=1)",
    "echo ${a:x}",
    "echo ${!x}",
    "echo ${x@P}",
    "x=$1; (( x ))",
    "[ $x ]",
    "[ \"$x\" \"$y\" ]",
    "test \"$x\" \"$y\"",
    "printf \"$x\" y",
    "wait \"$x\"",
    "export \"$x\"",
    "declare -i n=\"$x\"",
    "declare -n r=\"$x\"",
    "read -a",
    "read -a a b",
    "read -a \"$x\"",
    "read -n 1 -a a[0]",
    "mapfile -C x a",
    "getopts a \"$x\"",
    "x=$y; for ((i=x; i<3; i++)); do ls; done",
    "RANDOM=\"$x\"",
    "echo $[x]",
    "i=1; i=$x; echo $((i))",
    "i=1; [ $i -lt 3 ]; read i",
    "IFS=1; ls $#",
    "PWD=1; cd \"$x\"; [ $PWD = 1 ]",
    "read IFS",
    "i=1; read i; echo $((i))",
    "false && i=a; echo $((i))",
    "(i=a); echo $((i))",
    "a=(1); declare a=\"$x\"",
    "wait -p \"$x\"",
    "echo ${x:=$y}",
    "$((x=1))",
    "x=$y; echo $((1 ? x : 2))",
];

#[test]
fn s20_what_evaluates_a_subscript_or_a_sum_is_opaque() {
    opaque(Dialect::Bash, EVALUATED);
    reads(&[
        ("i=1; echo $((i + 2))", &["echo <…One>"]),
        ("for ((i=0; i<3; i++)); do echo \"$i\"; done", &["echo <…One>"]),
        ("for i in 1 2; do echo $((i * 2)); done", &["echo <…One>"]),
        ("n=0; echo $n; n=$(wc -l); echo $n \"$n\"", &["echo <…Any>", "wc -l", "echo <…Any> <…One>"]),
        ("i=1; [ $i -lt 3 ] && [[ $i -lt 3 ]] && ls $i", &["ls <…One>"]),
        ("test -v a && [[ -v a ]] && ls", &["test -v a", "ls"]),
        ("[ \"$x\" -eq 1 ] && ls", &["ls"]),
    ]);
}

#[test]
fn s22_assignments_are_told() {
    let reading = read("X=1 touch pwned", Dialect::Bash).unwrap();
    assert_eq!(reading.commands[0].assigns, [Assignment { name: "X".to_owned(), value: Word::known("1") }]);
    let reading = read("PATH=.:$PATH ls", Dialect::Bash).unwrap();
    assert_eq!(reading.commands[0].assigns[0].name, "PATH");
    for script in [
        "PATH=.; ls",
        "export PATH=.; ls",
        "export 'PATH=.'",
        "read PATH",
        "for PATH in .; do ls; done",
        "unset PATH",
        ": ${PATH:=.}",
        "((PATH=1))",
    ] {
        let reading = read(script, Dialect::Bash).unwrap();
        assert_eq!(reading.assigns[0].name, "PATH", "{script}");
    }
    assert_eq!(commands("LD_PRELOAD=./p.so ls"), ["ls"]);
    opaque(
        Dialect::Bash,
        &["BASH_ENV=./s bash -c ls", "PS4='$(touch pwned)'; set -x; ls", "POSIXLY_CORRECT=1"],
    );
}

#[test]
fn s23_quotes_between_commands_do_not_join_them() {
    reads(&[
        ("echo \"\"; touch pwned; echo \"\"", &["echo ", "touch pwned", "echo "]),
        ("echo \"\\\"; touch pwned; echo \\\"\"", &["echo \"; touch pwned; echo \""]),
        ("echo \"a\\\\\"; touch pwned", &["echo a\\", "touch pwned"]),
    ]);
}

#[test]
fn s25_what_only_zsh_knows_is_opaque() {
    opaque(
        Dialect::Bash,
        &[
            "cat =(touch pwned)",
            "ls *(e:'touch pwned':)",
            "ls @(a|b)",
            "repeat 3 { ls; }",
            "[[ x =~ ${x:-$(ls)} ]]",
        ],
    );
    opaque(Dialect::Zsh, &["cat =(touch pwned)", "ls *(e:'touch pwned':)", "=ls"]);
}

#[test]
fn s27_what_cannot_be_read_is_opaque() {
    opaque(
        Dialect::Bash,
        &[
            "echo 'a",
            "echo \"a",
            "echo `a",
            "echo $(a",
            "echo ${a",
            "ls\0",
            "ls \u{1b}[2J",
            "a &&& b",
            "a ;; b",
            "if a; then b",
            "a |",
            "(a",
            "a)",
            "}",
            "{ a; ",
            "fi",
            "; a",
            "a && ",
            "case a in a) b",
            "for i in a; do b",
            "echo (a)",
            "a=(b",
            "a=(b)c pa",
            "ls &; ls",
            "()",
            "f() ls",
        ],
    );
    opaque(Dialect::Bash, &[&format!("echo {}", "x".repeat(10_000))]);
}

#[test]
fn s28_shells_are_listed_as_they_are_called() {
    reads(&[
        ("bash -c 'touch pwned'", &["bash -c touch pwned"]),
        ("env sh -c 'touch pwned'", &["env sh -c touch pwned"]),
        ("busybox sh -c x", &["busybox sh -c x"]),
    ]);
    opaque(Dialect::Bash, &["$SHELL -c 'touch pwned'"]);
}

#[test]
fn a_text_that_begins_like_an_option_is_no_text() {
    use crate::policy::reading::{Dialect, read};
    for text in ["+", "+x", "-c", "--version", "-x ls"] {
        for dialect in [Dialect::Bash, Dialect::Posix, Dialect::Zsh, Dialect::Other] {
            assert!(read(text, dialect).is_err(), "{text}");
        }
    }
    assert!(read(" ls", Dialect::Bash).is_ok());
}

#[test]
fn closing_a_descriptor_runs_into_no_word() {
    use crate::policy::reading::{Dialect, read};
    for text in ["ls >&-f", "ls >& -f", "ls <&  --o f", "ls>& -f 1o a"] {
        assert!(read(text, Dialect::Bash).is_err(), "{text}");
    }
    assert!(read("ls >&- 2>& - x", Dialect::Bash).is_ok());
}
