//! Scripts of sed and programs of awk.

use super::*;

fn script(program: &str, text: &str) -> Fit {
    let words = [program, text, "f"].map(Word::known);
    preset("readonly").unwrap().says(&words, CommandForm::Argv).unwrap()
}

fn yes(program: &str, scripts: &[&str]) {
    for text in scripts {
        assert!(matches!(script(program, text), Fit::Fits(_)), "{text}: {:?}", script(program, text));
    }
}

fn no(program: &str, scripts: &[&str]) {
    for text in scripts {
        assert!(matches!(script(program, text), Fit::Refuses(_)), "{text}");
    }
}

#[test]
fn sed_scripts_that_print_are_allowed() {
    yes(
        "sed",
        &[
            "p",
            "1p",
            "$p",
            "1,5p",
            "1,5!d",
            "/a/,/b/p",
            "/a/d",
            "0~4d",
            "2,+3p",
            "\\,a,d",
            "/a/I,$d",
            "s/a/b/",
            "s/a/b/g",
            "s|a/b|c|gp",
            "s/\\//x/",
            "s/a\\(b\\)c/\\1/2",
            "s/[^a-z]/ /g",
            "s/[[:space:]]*$//",
            "s,^[]x]*,,",
            "y/abc/xyz/",
            "s/a/b/;s/c/d/",
            "s/a/b/\ns/c/d/",
            "/x/{p;d}",
            "/x/{ s/a/b/; p; }",
            ":a;N;$!ba;s/\\n/ /g",
            "$!N;P;D",
            "=",
            "n;d",
            "q",
            "5q",
            "q5",
            "l",
            "a hello",
            "i\\\nhello",
            "/x/c\\text",
            "# comment\np",
            "s/w/e/",
            "s/a/w f/",
            "r other",
            "x;G;1!h;s/\\n//",
            "s/a/b\\\nc/",
            "/w f/p",
            "s/e$/w/p",
            "1{p}",
            "s#a#b#",
        ],
    );
}

#[test]
fn sed_scripts_that_could_do_more_are_refused() {
    no(
        "sed",
        &[
            "w f",
            "1w f",
            "/a/w f",
            "$!w f",
            "{w f",
            "p;w f",
            "p\nw f",
            "W f",
            "e",
            "e touch p",
            "1e",
            "s/a/b/e",
            "s/a/b/we",
            "s/a/b/w f",
            "s/a/b/ge",
            "s/a/b/;e x",
            "y/a/b/;w f",
            "s/[/]/x/w f",
            "s/a/b",
            "s/a",
            "/a",
            "k",
            "1,p",
            "a\\",
            "a x\\\nw f",
            "}w f",
            "b}#x w f",
            ":",
            "s\na\nb\n",
            "s\\a\\b\\",
            "p w f",
            "q5w f",
            "ba w f",
            ":a w f",
            "s/[[.x/.]]/w f/",
            "s/[\\]/]/w f/",
            "l 5w f",
            "y/a/b/e",
            "é",
            "s[a[b[e",
            "v w",
        ],
    );
}

#[test]
fn awk_programs_that_print_are_allowed() {
    yes(
        "awk",
        &[
            "{print $1}",
            "$3 > 5",
            "$3 > 5 {print $1}",
            "$1 >= 2 && $2 < 3",
            "NR==1",
            "NR > 1 { print $2, $3 }",
            "/a|b/",
            "/x>y/ {print}",
            "!/a/",
            "$1 ~ /^[a-z]+$/",
            "$1 ~ /a\\/b/ {n++} END {print n}",
            "{s+=$1} END {print s/NR}",
            "BEGIN {FS=\":\"} {print $1}",
            "{printf \"%s|%s\\n\", $1, $2}",
            "{print \"a > b | c\"}",
            "{ print ($1 > 2) }",
            "{ if ($1 > 2) print $2; else print $3 }",
            "{ x = $1 > 2 ? 1 : 0; print x }",
            "length > 80",
            "length($0) > 80",
            "{ for (i = 1; i <= NF; i++) print $i }",
            "{a[$1]++} END {for (k in a) print k, a[k]}",
            "{print (a+b)/2}",
            "# c | d\n{print}",
            "{gsub(/[|>]/, \"\"); print}",
            "a || b",
            "{ while ((getline line < \"x\") > 0) n++ }",
            "{print $1}\n$2 > 3 {print $2}",
            "function f(x) { return x / 2 } {print f($1)}",
            "{print $NF}",
            "NR%2",
            "$0=tolower($0)",
            "!seen[$0]++",
            "{ print substr($0, 2) ; exit }",
        ],
    );
}

#[test]
fn awk_programs_that_could_do_more_are_refused() {
    no(
        "awk",
        &[
            "{print > \"f\"}",
            "{print $1 > \"f\"}",
            "{print $1, $2 > $3}",
            "{print (1)(2) > \"f\"}",
            "{print(1,2) > \"f\"}",
            "{if (x) print y > \"f\"}",
            "{print a,\n b > \"f\"}",
            "{print >> \"f\"}",
            "{print | \"c\"}",
            "\"c\" | getline",
            "{system(\"c\")}",
            "{1system(\"c\")}",
            "{x=1;system(\"c\")}",
            "{print|\"c\"}",
            "BEGIN{@f()}",
            "@load \"x\"",
            "{print \"a\nb\"}",
            "(a)/\"/ ; system(\"x\") #\"/",
            "x\n/\"/ { system(\"c\") } #\"",
            "/[/]/ ; system(\"x\") #/",
            "/[[:alpha:]/]/",
            "{print \"",
            "/a",
            "{print `c`}",
            "a)",
            "(a{",
            "length /\"/ ; system(\"x\") /\"/",
            "x++ /\"/; system(\"c\") /\"/",
            "{print é}",
            "{ getline /\"/; system(\"c\") /\"/ }",
            "{ printf(\"x\") > \"f\" }",
            "BEGIN { getline < \"/inet/tcp/0/h/80\" }",
            "BEGIN { getline x < (\"/in\" \"et/tcp/0/h/80\") }",
            "BEGIN { getline < x }",
            "BEGIN { ARGV[1] = \"/in\" \"et/tcp/0/h/80\" }",
            "{print a}{print b > \"f\"}",
        ],
    );
}

#[test]
fn a_script_that_is_not_known_is_refused() {
    for program in ["sed", "awk"] {
        let words = [Word::known(program), open("s", Spread::One), Word::known("f")];
        assert!(matches!(preset("readonly").unwrap().says(&words, CommandForm::Text), Some(Fit::Refuses(_))));
    }
}
