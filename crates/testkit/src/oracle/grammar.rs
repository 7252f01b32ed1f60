//! Scripts by the grammar of bash, and scripts that are nearly so.
//!
//! The same seed gives the same scripts. May not make scripts that name paths.

/// A maker of scripts.
#[derive(Debug)]
pub struct Grammar {
    state: u64,
    bodies: Vec<String>,
}

const PROGRAMS: &[&str] =
    &["pa", "pb", "pc", "pd", "ls", "cat", "rm", "sort", "echo", "printf %s", "cd", ":", "f", "true"];

const PIECES: &[&str] = &[
    "a",
    "b1",
    "-n",
    "--",
    "-",
    "$x",
    "\"$x\"",
    "$y",
    "\"$y\"",
    "$i",
    "${x}",
    "${x:-d}",
    "\"${x:-d e}\"",
    "${#x}",
    "${x%%a}",
    "${x:1:2}",
    "${x@Q}",
    "${i^^}",
    "$@",
    "\"$@\"",
    "$*",
    "\"$*\"",
    "$1",
    "$#",
    "$?",
    "'a b'",
    "'$(pwn)'",
    "\"a b\"",
    "\"a;b\"",
    "\\;",
    "\\$x",
    "\\`",
    "\"\\$(pwn)\"",
    "''",
    "\"\"",
    "*",
    "a?",
    "[ab]1",
    "[",
    "]",
    "{a,b}",
    "{1..3}",
    "a{b,c}d",
    "{}",
    "{a",
    "~",
    "a=~",
    "x=1",
    "$'a\\tb'",
    "$'\\x24(pwn)'",
    "#a",
    "a#b",
    "!",
    "%",
    "^",
    "@",
    "+",
    "$",
    "a$",
    "\"$\"",
    "é",
    "\u{a0}",
    "=",
    "a=b",
    "${x/a/b}",
    "${a[@]}",
    "\"${a[@]}\"",
    "${a[0]}",
    "$((1+2))",
    "$!",
    "$$",
    "a*b",
    "\"*\"",
    "1",
    "2",
    "in",
    "do",
    "done",
    "if",
    "esac",
    "}",
    "{",
    "[[",
    "]]",
    "time",
];

const REDIRECTS: &[&str] = &[
    ">f", ">>f", "2>f", "2>&1", "<a1", "<>f", ">|f", "&>f", "&>>f", ">&2", "1>&-", "{fd}>f", ">&$x",
    "<&\"$x\"", "&>$x", ">\"$x\"", "<$x", "<&0", ">&f",
];

const TESTS: &[&str] = &[
    "[ -f a1 ]",
    "[ \"$x\" = b ]",
    "[ -n \"$x\" -a \"$y\" != b ]",
    "[ $# -gt 0 ]",
    "[ ! -e f ]",
    "test -z \"$x\"",
    "[[ -f $x ]]",
    "[[ $x == a* ]]",
    "[[ $x =~ ^(a|b)$ ]]",
    "[[ -n $x && ! -d b ]]",
    "[[ ( -n $x ) || $y ]]",
    "[[ 1 -eq 1 ]]",
    "[[ $# -eq 2 ]]",
    "[[ -v x ]]",
    "[[ $x < b ]]",
    "[ -v x ]",
    "[ \"$x\" ]",
    "[[ \"$x\" ]]",
    "[ \"$x\" -eq 1 ]",
];

const BUILTINS: &[&str] = &[
    "read -r v",
    "read v w <a1",
    "export v=$x",
    "export \"v=$x\"",
    "declare v=\"$x\"",
    "declare -r q=1",
    "declare -a l=(1 2)",
    "unset v",
    "unset -v v",
    "set -e",
    "set -- $x",
    "set -f",
    "shift",
    "wait",
    "getopts ab v",
    "command -v ls",
    "command pa",
    "builtin echo a",
    "exec pb",
    "exec >f",
    "mapfile -t l <a1",
    "n=1",
    "n=1; n=$((n+1))",
    "x=$y",
    "l=(1 \"$x\")",
    "l+=(2)",
    "v+=$x",
    "((n=1))",
    "((1))",
    "local v=1",
    "readonly v",
    "return",
    "exit 1",
    "break",
    "continue",
    "umask 022",
    "times",
    "type ls",
    "IFS=a",
    "set -x",
    "cd $x",
    "for n in 1 2; do echo $((n)); done",
    "exit \"$x\"",
    "shift \"$x\"",
    "for ((n=0; n<2; n++)); do pa $n; done",
    "select v in 1; do break; done <a1",
    "OPTIND=1",
];

/// What evaluates its words. A reading that takes one of these for harmless is found out at once.
const EVIL: &[&str] = &[
    "declare -i n=$x",
    "let n=x",
    "printf -v v a",
    "printf \"$z\"",
    "unset \"$x\"",
    "read \"$x\"",
    "declare \"$x=1\"",
    "declare -n r=x",
    "n=$x",
    "PS4='$(pwn)'",
    "RANDOM=$x",
    "OPTIND=$x",
    "eval pwn",
    "wait \"$x\"",
    "trap pwn EXIT",
    "l[$x]=1",
    "l=([$x]=1)",
    "echo ${!x}",
    "echo ${x@P}",
    "echo ${a[$x]}",
    "echo $((x))",
    "echo ${x:i}",
    "hash ls",
    "alias ls=pwn",
    "set -k",
    "shopt -s extglob",
    "[[ $x -eq 1 ]]",
    "[ $x ]",
    "[ \"$x\" \"$y\" ]",
    "test -v \"$x\"",
    "[ -v \"$x\" ]",
    "[[ -v $x ]]",
    "for v in $((n)); do :; done",
    "declare -a \"l=($x)\"",
    "export $y",
    "read -a l <a1",
    "wait -p \"$x\"",
    "mapfile \"$x\" <a1",
    "getopts ab \"$x\"",
    "for v in $x; do ((v)); done",
    "n=1; n=$x; echo $((n))",
];

const NASTY: &[&str] = &[
    "'",
    "\"",
    "`",
    "$(",
    ")",
    "${",
    "}",
    "$((",
    "))",
    "((",
    "(",
    "\\",
    "\n",
    "\\\n",
    "<(pwn",
    ">(",
    "<<E\n",
    "E\n",
    "\nE\n",
    "#",
    " # ",
    ";",
    "&",
    "|",
    "||",
    "&&",
    ";;",
    "esac",
    "case x in a) ",
    "done",
    "fi",
    "{",
    " { ",
    "[[ ",
    " ]]",
    "!",
    "=",
    "a=",
    "[",
    "]",
    "$'",
    "$\"",
    "*",
    "?",
    "~",
    "\r",
    "\t",
    "é",
    "\u{a0}",
    "\u{b}",
    "<<-E\n",
    "<<'E'\n",
    "&>",
    ">&",
    "|&",
    "$[",
    "@(",
    "+(",
    "-v ",
    "time ",
    "coproc ",
    "function ",
    "()",
    " in ",
    "do ",
    "then ",
    " pa ",
    " pwn ",
    "pwn",
    "$x",
    "$i",
    "${!x}",
    "a[$x]",
    "[$x]=",
    "$@",
    "${@:1}",
    " ",
    "$",
    "<",
    ">",
    "<<<",
    "0",
    "{a,",
    ",",
    "^",
    "!(",
    "\\\\",
    "$(pwn)",
    "`pwn`",
    "\n\n",
    "2>",
    "=(",
    "a=(",
    "-",
    "${x:-",
    "${x#",
    "\"${",
    "\"$(",
    "$(<",
    "&\n",
    "eval ",
    "if pwn; then ",
    "f() {",
    "$((n=",
    "\\`",
];

impl Grammar {
    /// A maker that always makes the same scripts from this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, bodies: Vec::new() }
    }

    /// The next script: by the grammar, and every second one then hurt.
    pub fn script(&mut self) -> String {
        self.bodies.clear();
        let mut script = String::new();
        for _ in 0..=self.below(3) {
            let line = self.list(3);
            script.push_str(&line);
            script.push('\n');
            script.push_str(&std::mem::take(&mut self.bodies).concat());
        }
        if self.below(2) == 0 { self.hurt(&script) } else { script }
    }

    /// A script with a few places changed.
    pub fn hurt(&mut self, script: &str) -> String {
        let mut letters: Vec<char> = script.chars().collect();
        for _ in 0..=self.below(4) {
            let at = self.below(letters.len() + 1);
            let to = (at + 1 + self.below(4)).min(letters.len());
            match self.below(5) {
                0 => drop(letters.drain(at..to)),
                1 => {
                    let piece = letters[at..to].to_vec();
                    let into = self.below(letters.len() + 1);
                    letters.splice(into..into, piece);
                }
                _ => drop(letters.splice(at..at, self.one_of(NASTY).chars())),
            }
        }
        letters.into_iter().collect()
    }

    fn below(&mut self, end: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from((self.state >> 11) % (end.max(1) as u64)).unwrap_or_default()
    }

    fn one_of(&mut self, choices: &[&'static str]) -> &'static str {
        choices[self.below(choices.len())]
    }

    fn list(&mut self, depth: usize) -> String {
        let mut list = self.command(depth);
        for _ in 0..self.below(3) {
            let joint = self.one_of(&[" ; ", " && ", " || ", " | ", " |& ", " & ", ";", "|", "&&"]);
            list.push_str(joint);
            list.push_str(&self.command(depth));
        }
        list
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.simple(0);
        }
        let inner = depth - 1;
        match self.below(26) {
            0 => {
                format!("if {}; then {}; else {}; fi", self.list(inner), self.list(inner), self.simple(inner))
            }
            1 => format!("for v in {} {}; do {}; done", self.word(inner), self.word(inner), self.list(inner)),
            2 => format!("while {}; do {}; break; done", self.list(inner), self.list(inner)),
            3 => format!(
                "case {} in {}) {};; *) {};; esac",
                self.word(inner),
                self.word(inner),
                self.list(inner),
                self.list(inner)
            ),
            4 => format!("( {} )", self.list(inner)),
            5 => format!("{{ {}; }} {}", self.list(inner), self.one_of(REDIRECTS)),
            6 => format!("f() {{ {}; }}", self.list(inner)),
            7 => format!("function g {{ {}; }}; g", self.list(inner)),
            8 => format!("! {}", self.simple(inner)),
            9 => format!("time {}", self.simple(inner)),
            10 | 11 => self.one_of(TESTS).to_owned(),
            12..=14 => self.one_of(BUILTINS).to_owned(),
            15 if self.below(4) == 0 => self.one_of(EVIL).to_owned(),
            16 => self.here_document(inner),
            17 => format!("x={} {}", self.word(inner), self.simple(inner)),
            18 => format!("x={}", self.word(inner)),
            _ => self.simple(depth),
        }
    }

    fn here_document(&mut self, depth: usize) -> String {
        let (mark, quoted) =
            [("<<E", false), ("<<'E'", true), ("<<-E", false), ("<< \\E", true)][self.below(4)];
        let text = self.word(depth);
        let text = if text.contains('\n') && !quoted { "text".to_owned() } else { text };
        self.bodies.push(format!("{text}\nE\n"));
        format!("{} {mark}", self.one_of(PROGRAMS))
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut text = self.one_of(PROGRAMS).to_owned();
        for _ in 0..self.below(4) {
            text.push(' ');
            text.push_str(&self.word(depth));
        }
        if self.below(6) == 0 {
            text.push(' ');
            text.push_str(self.one_of(REDIRECTS));
        }
        text
    }

    fn word(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(PIECES).to_owned();
        }
        let inner = depth - 1;
        match self.below(14) {
            0 => format!("$({})", self.list(inner)),
            1 => format!("\"$({})\"", self.list(inner)),
            2 => format!("`{}`", self.simple(0)),
            3 => format!("<({})", self.list(inner)),
            4 => format!("\"{}{}\"", self.one_of(PIECES), self.one_of(PIECES)).replace("\"\"", "\""),
            5 => format!("{}{}", self.word(inner), self.word(inner)),
            6 => format!("$( {} )", self.list(inner)),
            7 => format!("\"a {} $({})\"", self.one_of(&["$x", "${y}", "`pa`", "\\\""]), self.list(inner)),
            _ => self.one_of(PIECES).to_owned(),
        }
    }
}
