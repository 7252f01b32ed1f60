//! Shell text that runs text: builtins, traps, sums, variables, other shells, and what is too much to read.
//!
//! What is only PowerShell's or cmd's is tried where those would read the text: as a shell that is named, and as a
//! program that is started. No such shell is needed for a refusal.

use crate::d1_shell::sh;
use crate::policies::{for_shell, none, shell_tool};
use std::time::{Duration, Instant};

#[test]
fn s16_what_runs_or_loads_words_is_judged_by_them() {
    let place = sh();
    place.refuses(&[
        "eval touch pwned",
        "command touch pwned",
        "builtin eval touch pwned",
        "exec touch pwned",
        ". ./s",
        "source ./s",
        "eval 'touch pwned'",
        "eval \"touch\" pwned",
        "command -p touch pwned",
        "command -- touch pwned",
        "command command touch pwned",
        "builtin command touch pwned",
        "builtin . ./s",
        "builtin source ./s",
        "exec -a echo touch pwned",
        "exec -c touch pwned",
        "exec 3> pwned",
        "exec > pwned",
        "command eval touch pwned",
        "command . ./s",
        "echo hi; eval \"$x\"",
        "\\eval touch pwned",
        "'eval' touch pwned",
        "e''val touch pwned",
        ". s",
        ". <(echo touch pwned)",
        "source /dev/stdin <<< 'touch pwned'",
        "coproc touch pwned",
        "coproc x { touch pwned; }",
        "enable -f ./s echo",
        "hash -p /usr/bin/touch echo; echo pwned",
        "fc -s touch",
        "mapfile -C 'touch pwned' -c 1 < f",
        "readarray -C 'touch pwned' -c 1 a < f",
        "bind -x '\"a\": touch pwned'",
        "complete -C 'touch pwned' x; compgen -C 'touch pwned'",
        "compgen -C 'touch pwned' x",
        "env touch pwned",
        "history -s touch; fc -e - touch",
        "jobs -x touch pwned",
        "eval -- touch pwned",
    ]);
    place.runs(&["command echo hi", "builtin echo hi", "exec echo hi", "echo eval touch pwned", "echo . s"]);
}

#[test]
fn s17_traps_are_code() {
    let place = sh();
    place.refuses(&[
        "trap \"touch pwned\" EXIT; echo hi",
        "trap 'touch pwned' 0",
        "trap 'touch pwned' DEBUG; echo hi",
        "trap 'touch pwned' ERR; false",
        "trap 'touch pwned' RETURN; f() { :; }; f",
        "trap -- 'touch pwned' EXIT",
        "trap \"$x\" EXIT",
        "trap 'touch pwned' USR1; kill -USR1 $$",
        "builtin trap 'touch pwned' EXIT",
        "command trap 'touch pwned' EXIT",
        "(trap 'touch pwned' EXIT)",
        "trap f EXIT; f() { touch pwned; }",
        "PROMPT_COMMAND='touch pwned'; echo hi",
        "PS4='$(touch pwned)'; set -x; echo hi",
    ]);
    place.runs(&["echo trap 'touch pwned' EXIT", "echo 'trap \"touch pwned\" EXIT'"]);
}

#[test]
fn s18_compound_commands_are_read() {
    let place = sh();
    place.refuses(&[
        "f(){ touch pwned; }; f",
        "(touch pwned)",
        "{ touch pwned; }",
        "for x in a; do touch pwned; done",
        "for ((;;)); do touch pwned; break; done",
        "case a in a) touch pwned;; esac",
        "case a in (b) ;; (*) touch pwned; esac",
        "if true; then touch pwned; fi",
        "if touch pwned; then :; fi",
        "if false; then :; elif touch pwned; then :; fi",
        "if false; then :; else touch pwned; fi",
        "while touch pwned; do break; done",
        "until touch pwned; do :; done",
        "! touch pwned",
        "time touch pwned",
        "time -p touch pwned",
        "! ! touch pwned",
        "time ! touch pwned",
        "((1)) && touch pwned",
        "[[ a ]] && touch pwned",
        "select x in a; do touch pwned; done <<< 1",
        "function f { touch pwned; }; f",
        "function f() (touch pwned); f",
        "((touch pwned))&&(touch pwned)",
        "(((touch pwned)))",
        "( (touch pwned) )",
        "{ { touch pwned; }; }",
        "case $(touch pwned) in *) ;; esac",
        "case a in $(touch pwned)) ;; esac",
        "for x in $(touch pwned); do :; done",
        "case a in a) ;& b) touch pwned;; esac",
        "case a in a) ;;& *) touch pwned;; esac",
        "if\ntrue\nthen\ntouch pwned\nfi",
        "for x\ndo touch pwned; done",
        "f() { touch pwned; }",
        "f() ( touch pwned ) ; f",
        "f() if true; then touch pwned; fi; f",
    ]);
    place.runs(&[
        "(echo a)",
        "{ echo a; }",
        "for x in a b; do echo $x; done",
        "case a in a) echo a;; esac",
        "if true; then echo a; else echo b; fi",
        "f() { echo a; }; f",
        "! false",
        "while false; do echo; done",
        "echo for case if do done",
    ]);
}

#[test]
fn s19_a_name_that_is_given_away_means_nothing_any_more() {
    let place = sh();
    place.refuses(&[
        "shopt -s expand_aliases\nalias e=touch\ne pwned",
        "shopt -s expand_aliases\nalias echo=touch\necho pwned",
        "echo(){ touch pwned; }; echo hi",
        "function echo { touch pwned; }; echo hi",
        "alias echo='touch pwned; echo'",
        "echo() { command touch pwned; }; echo",
        "cat() { /usr/bin/touch pwned; }; cat",
        "true() { touch pwned; }; true",
        "cd() { touch pwned; }; cd",
        "export -f echo; echo() { touch pwned; }; echo",
        "BASH_ALIASES[echo]=touch; echo pwned",
        "set -o posix; alias echo=touch\necho pwned",
        "declare -A BASH_CMDS; BASH_CMDS[ls]=/usr/bin/touch; ls pwned",
        "hash -p ./s ls; ls",
        "command_not_found_handle() { touch pwned; }; nosuch",
        "command_not_found_handle() { touch pwned; }; echo",
        "eval() { touch pwned; }; echo",
        "ls() { ls; }; touch pwned",
        "env 'BASH_FUNC_echo%%=() { touch pwned; }' bash -c echo",
        "enable -n echo; echo hi; PATH=. echo",
    ]);
    place.runs(&["say() { echo hi; }; say", "echo alias echo=touch"]);
}

#[test]
fn s20_sums_and_subscripts_run_nothing() {
    let place = sh();
    place.refuses(&[
        "echo $((a[$(touch pwned)]))",
        "[[ -v a[$(touch pwned)] ]]",
        "[[ -v 'a[$(touch pwned)]' ]]",
        "test -v 'a[$(touch pwned)]'",
        "[ -v 'a[$(touch pwned)]' ]",
        "printf -v 'a[$(touch pwned)]' x",
        "read 'a[$(touch pwned)]' <<< x",
        "unset 'a[$(touch pwned)]'",
        "declare 'a[$(touch pwned)]=1'",
        "declare -i x='a[$(touch pwned)]'",
        "typeset -i x='a[$(touch pwned)]'",
        "local 'a[$(touch pwned)]=1'",
        "export 'a[$(touch pwned)]=1'",
        "let 'a[$(touch pwned)]'",
        "let x='a[$(touch pwned)]'",
        "(( a[$(touch pwned)] ))",
        "x='a[$(touch pwned)]'; echo $((x))",
        "x='a[$(touch pwned)]'; (( x ))",
        "x='a[$(touch pwned)]'; [[ $x -eq 1 ]]",
        "[[ 'a[$(touch pwned)]' -eq 0 ]]",
        "[[ 0 -lt 'a[$(touch pwned)]' ]]",
        "x='a[$(touch pwned)]'; echo ${y:x}",
        "x='a[$(touch pwned)]'; echo ${y:0:x}",
        "x='a[$(touch pwned)]'; y=([x]=1)",
        "x='a[$(touch pwned)]'; echo ${y[x]}",
        "x='a[$(touch pwned)]'; echo ${!x}",
        "a[$(touch pwned)]=1",
        "echo ${a[$(touch pwned)]}",
        "wait -n -p 'a[$(touch pwned)]'",
        "getopts x 'a[$(touch pwned)]'",
        "mapfile 'a[$(touch pwned)]' < f",
        "read -a 'a[$(touch pwned)]' <<< x",
        "readonly 'a[$(touch pwned)]=1'",
        "for ((i=a[$(touch pwned)];;)); do break; done",
        "x='a[$(touch pwned)]'; for ((i=x;i<0;)); do :; done",
        "echo $[a[$(touch pwned)]]",
        "x='a[$(touch pwned)]'; echo $[x]",
        "declare -n r='a[$(touch pwned)]'; echo $r",
        "x='a[$(touch pwned)]'; printf -v \"$x\" y",
        "test -v \"$x\"",
        "x='a[$(touch pwned)]'; RANDOM=$x",
        "x='a[$(touch pwned)]'; shift $x",
        "read OPTIND <<< 'a[$(touch pwned)]'",
        "x='a[$(touch pwned)]'; echo ${x@A} ${#y[x]}",
        "[[ -R 'a[$(touch pwned)]' ]]",
    ]);
    place.runs(&[
        "echo $((1 + 2))",
        "x=3; echo $((x * 2))",
        "[[ -n a && a == a ]] && echo yes",
        "for ((i=0;i<2;i++)); do echo $i; done",
        "echo 'a[$(touch pwned)]'",
    ]);
}

#[test]
fn s22_variables_that_decide_what_runs_are_refused() {
    let place = sh();
    place.program("ls", "exit 0");
    place.file("p.so", "");
    place.refuses(&[
        "X=1 touch pwned",
        "PATH=.:$PATH ls",
        "LD_PRELOAD=./p.so ls",
        "BASH_ENV=./s bash -c ls",
        "PATH=. ls",
        "PATH=.; ls",
        "export PATH=.:$PATH; ls",
        "export PATH; PATH=. ; ls",
        "declare -x PATH=.; ls",
        "PATH+=:. ls",
        "PATH=\"$PWD\" ls",
        "LD_LIBRARY_PATH=. ls",
        "LD_AUDIT=./p.so ls",
        "export LD_PRELOAD=$PWD/p.so; ls",
        "ENV=./s sh -c ls",
        "env PATH=. ls",
        "env LD_PRELOAD=./p.so ls",
        "env -i PATH=. ls",
        "export IFS=x; ls",
        "IFS=x ls",
        "GCONV_PATH=. ls",
        "read PATH <<< .; ls",
        "for PATH in .; do ls; done",
        "printf -v PATH .; ls",
        "mapfile -t PATH <<< .; ls",
        "PS4='$(touch pwned)' BASH_XTRACEFD=2 bash -xc ls",
        "SHELLOPTS=xtrace PS4='$(touch pwned)' bash -c ls",
        "local PATH=. ; ls",
        "readonly PATH=.; ls",
        ": ${PATH:=.}; unset PATH; : ${PATH:=.}; ls",
        "unset PATH; ls",
        "typeset PATH=.; ls",
        "getopts x PATH -x; ls",
        "(( PATH = 1 )); ls",
        "LC_ALL=C LD_PRELOAD=./p.so ls",
        "HOME=. ls; EDITOR='touch pwned' ls",
        "CDPATH=/ ; ls",
    ]);
    place.runs(&[
        "X=1 echo hi",
        "X=1; echo $X",
        "export FOO=bar; echo hi",
        "LC_ALL=C cat f",
        "NO_COLOR=1 ls f",
    ]);
}

#[test]
fn s23_quotes_are_counted() {
    let place = sh();
    place.refuses(&[
        "echo \"\"; touch pwned; echo \"\"",
        "echo \"\\\"\"; touch pwned; echo \"\\\"\"",
        "echo ''; touch pwned; echo ''",
        "echo '\\'; touch pwned; echo '\\'",
        "echo \"'\"; touch pwned; echo \"'\"",
        "echo '\"'; touch pwned; echo '\"'",
        "echo $'\\''; touch pwned; echo $'\\''",
        "echo \"\\\\\"; touch pwned; echo \"\\\\\"",
        "echo \\\"; touch pwned; echo \\\"",
        "echo \\'; touch pwned; echo \\'",
        "echo $\"a\"; touch pwned; echo $\"a\"",
        "echo \"${x:-'}\"; touch pwned; echo \"'}\"",
        "echo ${x:-\"}\"}; touch pwned",
        "echo \"$(echo \"\")\"; touch pwned",
        "echo \"a\"'b'\"; touch pwned; \"; touch pwned",
    ]);
    place.runs(&["echo \"; touch pwned; \"", "echo '\"; touch pwned; \"'", "echo \\\"\\; touch pwned\\;"]);
}

#[test]
fn s25_what_only_another_shell_would_run_is_refused_there() {
    let place = sh();
    let texts = [
        "cat =(touch pwned)",
        "echo *(e:'touch pwned':)",
        "[[ x =~ ${(e):-'$(touch pwned)'} ]]",
        "echo ${a[(e)$(touch pwned)]}",
        "=touch pwned",
        "=ls; touch pwned",
        "echo *(+f)",
        "echo ${(e)x}",
        "echo ${(P)x}",
        "echo $(touch pwned)",
        "echo hi; touch pwned",
        "echo hi >pwned",
        "echo hi &| touch pwned",
        "zmodload zsh/system",
        "repeat 1 touch pwned",
        "noglob touch pwned",
        "- touch pwned",
        "nocorrect touch pwned",
        "echo hi &! touch pwned",
        "alias -g x='; touch pwned'",
        "echo a\\\n;touch pwned",
        "() { touch pwned }",
        "if true { touch pwned }",
        "echo ~[touch]",
        "echo ^f(e:'touch pwned':)",
        "1=touch; $1 pwned",
    ];
    let zsh = texts.iter().filter_map(|text| place.unless_refused(shell_tool(), for_shell("zsh", text)));
    none(zsh);
    let started: Vec<String> =
        texts.iter().map(|text| format!("zsh -c '{}'", text.replace('\'', "'\\''"))).collect();
    place.refuses(&started.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(place.prints(shell_tool(), for_shell("zsh", "echo hi")), "hi\n");
}

#[test]
fn s27_what_is_too_much_or_broken_is_refused_in_bounded_time() {
    let place = sh();
    let long = format!("echo {}; touch pwned", "a".repeat(10_000));
    let nested = format!("echo {}touch pwned{}", "$(".repeat(3000), ")".repeat(3000));
    let groups = format!("{}touch pwned{}", "(".repeat(4000), ")".repeat(4000));
    let braces = format!("echo {}", "{a,b}".repeat(1900));
    let quotes = format!("echo {}", "\"$(echo ".repeat(1000));
    let sums = format!("echo {}", "$((".repeat(3000));
    let here = "cat <<A\n".repeat(1200);
    let lists = "echo;".repeat(1990) + "touch pwned";
    let texts = [
        &long,
        &nested,
        &groups,
        &braces,
        &quotes,
        &sums,
        &here,
        &lists,
        "env env env env env env env env env rm -rf x",
        "env env env env env env env env env echo hi",
        "echo 'a",
        "echo \"a",
        "echo `a",
        "echo $(a",
        "echo ${a",
        "echo $((1",
        "a &&& b",
        "echo hi ;; touch pwned",
        "echo a\0; touch pwned",
        "echo )",
        "if true; then echo",
        "for x in a; do",
        "case a in",
        "{ echo",
        "f() {",
        "echo hi |",
        "&& echo",
        "| echo",
        "echo > ",
        "cat <<",
        "!",
        "[[ a",
        "echo $'a",
        "fi",
        "done",
        "}",
    ];
    let begun = Instant::now();
    place.refuses(&texts);
    // A hundred times what a text of this size may take, because machines that test are slow and busy.
    assert!(
        begun.elapsed() < Duration::from_secs(1) * u32::try_from(texts.len()).unwrap(),
        "{:?}",
        begun.elapsed()
    );
    place.runs(&[&format!("echo {}", "a".repeat(9000)), "env -u X echo hi | cat"][..1]);
}

#[test]
fn s28_a_shell_is_what_it_is_told() {
    let place = sh();
    place.refuses(&[
        "bash -c 'touch pwned'",
        "sh -c 'touch pwned'",
        "$SHELL -c 'touch pwned'",
        "env sh -c 'touch pwned'",
        "echo a | xargs sh -c 'touch pwned'",
        "busybox sh -c 'touch pwned'",
        "/bin/sh -c 'touch pwned'",
        "dash -c 'touch pwned'",
        "zsh -c 'touch pwned'",
        "bash -ec 'touch pwned'",
        "bash -e -c 'touch pwned'",
        "bash --norc -c 'touch pwned'",
        "bash -o errexit -c 'touch pwned'",
        "bash s",
        "bash ./s",
        "sh < s",
        "bash",
        "bash -s < s",
        "bash --rcfile s -ic true",
        "bash --init-file s -i",
        "bash -c \"bash -c 'touch pwned'\"",
        "exec bash -c 'touch pwned'",
        "command sh -c 'touch pwned'",
        "ksh -c 'touch pwned'",
        "fish -c 'touch pwned'",
        "busybox touch pwned",
        "env -S 'sh -c \"touch pwned\"'",
        "rbash -c 'touch pwned'",
        "bash -c 'echo hi' touch pwned; bash -c '\"$0\" \"$@\"' touch pwned",
        "su -c 'touch pwned'",
        "script -qc 'touch pwned' /dev/null",
    ]);
    place.runs(&["echo sh -c 'touch pwned'", "echo bash | cat"]);
}

#[test]
fn s29_what_powershell_and_cmd_would_read_is_refused() {
    let place = sh();
    let texts = [
        "echo --% & touch pwned",
        "echo hi &",
        "cd..",
        "cd\\",
        "X:",
        "$PSDefaultParameterValues['*:Path']='pwned'; echo hi",
        "param($x=(touch pwned)) echo hi",
        "begin { touch pwned } end {}",
        "trap { touch pwned } echo hi",
        "iex 'touch pwned'",
        "echo hi; touch pwned",
        "echo $(touch pwned)",
        "echo (touch pwned)",
        "echo @(touch pwned)",
        "echo hi | % { touch pwned }",
        "& touch pwned",
        ". ./s",
        "echo hi > pwned",
        "echo `\ntouch pwned",
        "echo hi & touch pwned",
        "echo %PATH% ^& touch pwned",
        "echo \u{201c}a\u{201d}; touch pwned",
    ];
    // A file by that name is enough: nothing is started.
    place.program("../system/powershell", "exit 0");
    place.program("../system/cmd", "exit 0");
    for shell in ["pwsh", "powershell", "cmd"] {
        let wrong =
            texts.iter().filter_map(|text| place.unless_refused(shell_tool(), for_shell(shell, text)));
        none(wrong);
    }
    place.refuses(&[
        "pwsh -EncodedCommand dABvAHUAYwBoAA==",
        "pwsh -enc dABvAHUAYwBoAA==",
        "pwsh -e dABvAHUAYwBoAA==",
        "pwsh -Command 'touch pwned'",
        "pwsh -c 'iex \"touch pwned\"'",
        "pwsh -File s",
        "pwsh",
        "pwsh -NoProfile -Command -",
        "powershell -ec dABvAHUAYwBoAA==",
        "cmd /c 'touch pwned'",
    ]);
}
