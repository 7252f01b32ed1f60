//! Shell text: whatever a text hides a command in, the command is found, or the text is refused.

use crate::policies::{Place, SH};

pub(crate) fn sh() -> Place {
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
