//! Shell text: whatever a text hides a command in, the command is found, or the text is refused.
//!
//! What is only PowerShell's or cmd's is tried where those would read the text: as a shell that is named, and as a
//! program that is started. No such shell is needed for a refusal.

use crate::policies::{Place, SH, for_shell, none, shell_tool};
use std::time::{Duration, Instant};

fn sh() -> Place {
    let place = Place::with(SH);
    place.file("s", "touch pwned\n");
    place.file("f", "text\n");
    place
}

#[test]
fn s01_lists_are_read() {
    let place = sh();
    place.refuses(&[
        "echo hi; touch pwned",
        "echo hi && touch pwned",
        "false || touch pwned",
        "echo hi & touch pwned",
        "echo hi;touch pwned",
        "echo hi&&touch pwned",
        "echo hi&touch pwned",
        "touch pwned; echo hi",
        "touch pwned &",
        "true && true && true || false && true; touch pwned",
        "echo a \\\n; touch pwned",
        "echo hi &&\n\n touch pwned",
        "false ||\ttouch pwned",
        "echo hi; ; touch pwned",
        "echo 'a' ; touch 'pwned'",
        "echo a\\;b; touch pwned",
    ]);
    place.runs(&["echo a; echo b", "true && echo a || false", "echo a & echo b", "echo a;", "echo a &"]);
}

#[test]
fn s02_pipelines_are_read() {
    let place = sh();
    place.refuses(&[
        "echo hi | xargs -I_ touch pwned",
        "echo hi |& xargs -I_ touch pwned",
        "echo hi | tee pwned",
        "echo hi|touch pwned",
        "touch pwned | cat",
        "echo hi | cat | cat | touch pwned",
        "echo hi |\n touch pwned",
        "! echo hi | touch pwned",
        "echo touch pwned | sh",
        "echo touch pwned | bash -",
        "echo pwned | xargs touch",
        "cat s | source /dev/stdin",
        "echo hi | (cat; touch pwned)",
        "echo hi | { cat; touch pwned; }",
        "echo hi | while read x; do touch pwned; done",
    ]);
    place.runs(&["echo hi | cat", "echo hi |& cat", "ls | cat | cat", "echo a | (cat)", "! false | false"]);
}

#[test]
fn s03_a_new_line_is_a_new_command() {
    let place = sh();
    place.refuses(&[
        "echo hi\ntouch pwned",
        "echo hi\r\ntouch pwned",
        "\ntouch pwned",
        "echo hi\n\n\n\ttouch pwned\n",
        "echo 'a\nb'\ntouch pwned",
        "echo \"a\nb\"\ntouch pwned",
        "echo a \\\\\ntouch pwned",
        "echo $'a'\ntouch pwned",
        "echo hi\n touch pwned\necho hi",
        "cat f\n#\ntouch pwned",
    ]);
    place.runs(&["echo a\necho b", "echo 'a\ntouch pwned'", "echo a \\\n  b", "\n\necho a\n\n"]);
}

#[test]
fn s04_a_comment_hides_nothing() {
    let place = sh();
    place.refuses(&[
        "echo hi #\ntouch pwned",
        "# c\ntouch pwned",
        "echo hi # \\\ntouch pwned",
        "echo hi # '\ntouch pwned #'",
        "echo hi # \"\ntouch pwned # \"",
        "echo hi # $(\ntouch pwned # )",
        "echo hi;#c\ntouch pwned",
        "#!/bin/sh\ntouch pwned",
        "echo a#b; touch pwned",
        "echo hi # <<EOF\ntouch pwned\nEOF",
        "echo ${#a}; touch pwned",
        "echo '#'; touch pwned",
    ]);
    place.runs(&["echo hi # touch pwned", "# touch pwned\necho hi", "echo a#b", "echo '#' '# touch pwned'"]);
}

#[test]
fn s05_substitutions_are_read() {
    let place = sh();
    place.refuses(&[
        "echo $(touch pwned)",
        "echo `touch pwned`",
        "echo \"$(touch pwned)\"",
        "echo \"`touch pwned`\"",
        "echo $(echo $(touch pwned))",
        "echo `echo \\`touch pwned\\``",
        "echo ${x:-$(touch pwned)}",
        "echo \"${x:=`touch pwned`}\"",
        "echo ${x+a$(touch pwned)b}",
        "echo a$(touch pwned)b",
        "x=$(touch pwned)",
        "x=`touch pwned` echo hi",
        "echo $(\ntouch pwned\n)",
        "echo $(echo hi; touch pwned)",
        "echo \"${x:-\"$(touch pwned)\"}\"",
        "echo ${x//a/$(touch pwned)}",
        "echo ${x:$(touch pwned)}",
        "echo ${ touch pwned; }",
        "echo ${| touch pwned; }",
        "echo $(<f; touch pwned)",
        "echo 'a'\"'$(touch pwned)'\"",
        "echo ${!x@$(touch pwned)}",
        "echo ${x@P}",
    ]);
    place.runs(&[
        "echo '$(touch pwned)'",
        "echo \"\\$(touch pwned)\"",
        "echo '`touch pwned`'",
        "echo \\`touch pwned\\`",
        "echo $(echo hi)",
        "echo \"$(cat f)\"",
        "echo ${x:-a}",
    ]);
}

#[test]
fn s06_process_substitutions_are_read() {
    let place = sh();
    place.refuses(&[
        "cat <(touch pwned)",
        "echo hi > >(touch pwned)",
        "cat < <(touch pwned)",
        "echo hi | cat - <(touch pwned)",
        "cat <(cat <(touch pwned))",
        "echo hi 2> >(touch pwned)",
        "echo hi &> >(touch pwned)",
        "cat <(echo a) <(touch pwned)",
        "cat <(echo a; touch pwned)",
        "x=<(touch pwned)",
        "echo \"a\"<(touch pwned)",
        "{ echo a; } > >(touch pwned)",
    ]);
    place.runs(&["cat <(echo a)", "echo '<(touch pwned)'", "echo \"<(touch pwned)\""]);
}

#[test]
fn s07_here_documents_are_read() {
    let place = sh();
    place.refuses(&[
        "cat <<EOF\n$(touch pwned)\nEOF",
        "cat <<EOF\n`touch pwned`\nEOF",
        "cat <<-EOF\n\t$(touch pwned)\n\tEOF",
        "cat <<E <<F\na\nE\n$(touch pwned)\nF",
        "cat <<EOF\nEOF\ntouch pwned",
        "cat <<'EOF'\n$(x)\nEOF\ntouch pwned",
        "cat <<EOF; touch pwned\nEOF",
        "cat <<< $(touch pwned)",
        "cat <<< \"`touch pwned`\"",
        "cat <<EOF\n${x:-$(touch pwned)}\nEOF",
        "cat <<EOF\n$((a[$(touch pwned)]))\nEOF",
        "cat <<\"E O F\"\nx\nE O F\ntouch pwned",
        "cat <<'EOF'\nEO\nEOF\ntouch pwned\nEOF",
        "cat <<E\\OF\n$(x)\nEOF\ntouch pwned",
        "cat <<$(touch pwned)\n$(touch pwned)\n",
        "cat <<EOF\nE\\\nOF\ntouch pwned\nEOF",
    ]);
    place.runs(&[
        "cat <<'EOF'\n$(touch pwned)\nEOF",
        "cat <<EOF\nplain; touch pwned\nEOF",
        "cat <<\\EOF\n`touch pwned`\nEOF",
        "cat <<EOF\n\\$(touch pwned)\nEOF",
        "cat <<< 'touch pwned'",
    ]);
}

#[test]
fn s08_what_a_here_document_is_fed_to_is_judged() {
    sh().refuses(&[
        "cat <<'EOF' | sh\ntouch pwned\nEOF",
        "sh <<'EOF'\ntouch pwned\nEOF",
        "bash <<< 'touch pwned'",
        "cat <<'EOF' | bash -s\ntouch pwned\nEOF",
        "cat <<'EOF' && touch pwned\nx\nEOF",
        "cat <<'EOF' > pwned\nx\nEOF",
        "cat <<'A' <<'B' | sh\nx\nA\ntouch pwned\nB",
        "<<'EOF' sh\ntouch pwned\nEOF",
        "cat <<'EOF' |\nx\nEOF\nsh",
        ". /dev/stdin <<'EOF'\ntouch pwned\nEOF",
        "python3 - <<'EOF'\nopen('pwned','w')\nEOF",
        "cat <<'EOF' | (sh)\ntouch pwned\nEOF",
    ]);
}

#[test]
fn s10_redirections_that_write_are_refused() {
    let place = sh();
    place.refuses(&[
        "echo hi > pwned",
        "echo hi >| pwned",
        "echo hi &> pwned",
        "echo hi >& pwned",
        "echo hi <> pwned",
        "echo hi 2> pwned",
        "echo hi >> pwned",
        "echo hi &>> pwned",
        "echo hi >pwned",
        "> pwned",
        "> pwned echo hi",
        "echo hi 1>pwned",
        "echo hi 10>pwned",
        "echo hi {fd}>pwned",
        "{ echo hi; } > pwned",
        "(echo hi) > pwned",
        "for x in a; do echo $x; done > pwned",
        "if true; then echo; fi 2> pwned",
        "while false; do :; done > pwned",
        "echo hi > 'pwned'",
        "echo hi > p''wned",
        "echo hi >/dev/../dev/shm/pwned-by-a-test",
        "echo hi >/dev/tcp/127.0.0.1/9",
        "cat </dev/tcp/127.0.0.1/9",
        "echo hi > /proc/self/cwd/pwned",
        "echo hi > /dev/null > pwned",
        ": > pwned",
        "true > pwned",
        "[[ -n a ]] > pwned",
        "f() { echo hi; } > pwned; f",
    ]);
    place.runs(&[
        "echo hi > /dev/null",
        "echo hi 2>&1",
        "echo hi >&2",
        "ls nothing 2>/dev/null || true",
        "cat < f",
        "echo hi &> /dev/null",
        "echo 'hi > pwned'",
        "cat 0< f 2>&-",
        "echo hi 1>&2 2>/dev/null",
    ]);
}

#[test]
fn s11_targets_that_are_only_known_when_it_runs_are_refused() {
    let place = sh();
    place.refuses(&[
        "echo hi > \"$PWD/pwned\"",
        "echo hi > $(rm f)",
        "echo hi > $x",
        "echo hi > ~/pwned",
        "echo hi > p*d",
        "echo hi > {pwned,b}",
        "echo hi > \"${x:-pwned}\"",
        "echo hi > $'pwned'",
        "echo hi > `echo pwned`",
        "echo hi >& $x",
        "echo hi 2> /dev/$x",
        "echo hi > /dev/null$x",
        "x=pwned; echo hi > $x",
    ]);
    place.runs(&["cat < \"$PWD/f\"", "echo hi > \"/dev/null\""]);
}

#[test]
fn s12_quotes_do_not_change_a_name() {
    let place = sh();
    place.refuses(&[
        "\"touch\" pwned",
        "to\"\"uch pwned",
        "t\\ouch pwned",
        "'touch' pwned",
        "\\touch pwned",
        "$'touch' pwned",
        "$'\\x74ouch' pwned",
        "$'\\164ouch' pwned",
        "$'\\u0074ouch' pwned",
        "$\"touch\" pwned",
        "t'o'u\"c\"h pwned",
        "tou\\\nch pwned",
        "''touch pwned",
        "t''o''u''c''h pwned",
        "/usr/bin/\"touch\" pwned",
        "echo hi; \"tou\"'ch' pwned",
    ]);
    place.runs(&["\"echo\" hi", "ec''ho hi", "\\echo hi", "$'echo' hi"]);
}

#[test]
fn s14_expansions_make_no_names() {
    let place = sh();
    place.refuses(&[
        "{touch,pwned}",
        "touch${IFS}pwned",
        "a=touch;$a pwned",
        "a=touch; ${a} pwned",
        "$(echo touch) pwned",
        "`echo touch` pwned",
        "${a:-touch} pwned",
        "a=hcuot; ${a:0:5} pwned",
        "$0 -c 'touch pwned'",
        "$BASH -c 'touch pwned'",
        "\"$SHELL\" -c 'touch pwned'",
        "$@ touch pwned",
        "$* touch pwned",
        "$x touch pwned",
        "${x} touch pwned",
        "$(:) touch pwned",
        "{,touch} pwned",
        "/usr/bin/tou?h pwned",
        "/usr/bin/t[o]uch pwned",
        "./* pwned",
        "~/touch pwned",
        "set -- touch pwned; \"$@\"",
        "echo${IFS}hi;touch${IFS}pwned",
        "{echo,hi};{touch,pwned}",
        "a=(touch pwned); \"${a[@]}\"",
        "b=a; a=touch; ${!b} pwned",
        "_=touch; $_ pwned",
        "echo touch; $_ pwned",
    ]);
    place.runs(&["a=hi; echo $a", "echo {a,b}", "echo \"$HOME\"", "echo *", "echo ~"]);
}

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
        "IFS=x; ls",
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
    none(zsh.collect());
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
        none(wrong.collect());
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

#[test]
fn s30_what_only_looks_dangerous_runs() {
    let place = Place::with(
        "policy.allowed_commands = [\"echo\", \"cat\", \"ls\", \"true\", \"false\", \"git log\", \"printf\", \"cd\", \"grep\", \"wc\", \"sort\", \"head\", \"test\", \"pwd\"]",
    );
    place.repository();
    place.file("file-with-#-name", "x\n");
    place.file("a b", "x\n");
    place.file("sub/c", "x\n");
    place.runs(&[
        "echo '$(not run)'",
        "echo \"a;b\"",
        "echo 'x > y'",
        "ls -la | cat",
        "echo a && echo b",
        "cat <<'EOF'\n$(x)\nEOF",
        "echo \"50% > done\"",
        "cat file-with-#-name",
        "git log --grep='a|b'",
        "echo \"it's\"",
        "echo a=b",
        "echo --help",
        "echo -e 'a\\nb'",
        "cat 'a b'",
        "cat a\\ b",
        "ls *.txt",
        "ls -- *",
        "echo {1..3}",
        "for f in *; do echo \"$f\"; done",
        "cat a.txt | grep -c one",
        "cat a.txt 2>/dev/null | sort | head -n 1",
        "cd sub && cat c",
        "x=$(cat a.txt); echo \"$x\"",
        "if [ -f a.txt ]; then echo yes; else echo no; fi",
        "test -f a.txt && echo yes",
        "[[ -d sub ]] && echo yes",
        "printf '%s\\n' a b",
        "set -e; echo a",
        "set -euo pipefail; echo a",
        "echo \"$((2 * 3))\"",
        "echo ${HOME%/*} ${PWD##*/}",
        "ls 2>&1 | wc -l",
        "echo done; exit 0",
        "while read -r line; do echo \"$line\"; done < a.txt",
        "echo \"a\" 'b' c\\ d # done",
        "true || echo no",
        "echo '&& || ; | & > <'",
        "git log -1 --format='%h %s; %an'",
        "(cd sub; ls)",
        "echo a \\\n  b \\\n  c",
        "grep -rn 'one' . | head -5",
        "echo \"`pwd`\"",
    ]);
}

#[test]
fn s31_letters_that_are_no_blanks_do_not_part_words() {
    let place = sh();
    place.file("naïve–name", "x\n");
    place.file("日本語", "x\n");
    place.runs(&[
        "echo grüße 日本語 🦀",
        "echo a\u{a0}b",
        "echo a\u{b}b",
        "echo \u{3000}x",
        "cat naïve–name",
        "cat '日本語'",
        "echo \"ü;ö\"",
        "echo é # ü",
        "echo \u{2028}x",
        "echo a\u{85}b",
        "echo e\u{301}",
    ]);
    place.refuses(&[
        "echo grüße; touch pwned",
        "echo 日本語\ntouch pwned",
        "echo\u{a0}hi; touch pwned",
        "echo \u{a0};touch pwned",
        "echo a\u{b}; touch pwned",
        "touch\u{a0}pwned",
        "echo\u{a0}hi",
        "\u{a0}echo hi",
        "echo ü'ö'; touch pwned",
        "echo \u{feff}; touch pwned",
        "\u{feff}touch pwned",
        "echo\u{2003}hi",
        "echo\u{b}hi",
        "echo\u{c}hi",
    ]);
}
