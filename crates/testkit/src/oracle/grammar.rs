//! Scripts by the grammar of bash, and scripts that are nearly so.
//!
//! The same seed gives the same scripts. May not make scripts that name paths.

use super::pieces::{
    BUILTINS, EVIL, NASTY, PIECES, PROGRAMS, REAL, REDIRECTS, TARGETS, TESTS, TOUCHES, VARIABLES,
};

/// A maker of scripts.
#[derive(Debug)]
pub struct ScriptGrammar {
    state: u64,
    bodies: Vec<String>,
    /// Whether scripts are about what a hostile folder holds.
    hostile: bool,
}

impl ScriptGrammar {
    /// A maker that always makes the same scripts from this seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, bodies: Vec::new(), hostile: false }
    }

    /// The same, for a folder in which everything is hostile.
    pub fn hostile(seed: u64) -> Self {
        Self { hostile: true, ..Self::new(seed) }
    }

    /// A piece of a hostile script: something that touches a variable, then something that runs.
    fn hostile_piece(&mut self) -> String {
        let (way, variable, runs) = (self.one_of(TOUCHES), self.one_of(VARIABLES), self.one_of(REAL));
        let touch = way.replace('V', variable).replace('S', runs);
        match self.below(5) {
            0 => format!("{} < {}", self.one_of(REAL), self.one_of(TARGETS)),
            1 => format!(
                "v=$t; {} {} {}",
                self.one_of(REAL),
                self.one_of(&["<", ">", ">>", "<>", "2>"]),
                self.one_of(TARGETS)
            ),
            _ => format!("{touch}; {}", self.one_of(REAL)),
        }
    }

    /// The next script: by the grammar, and every second one then hurt.
    pub fn script(&mut self) -> String {
        self.bodies.clear();
        if self.hostile {
            let mut script = self.one_of(REAL).to_owned();
            for _ in 0..=self.below(2) {
                script = match self.below(6) {
                    0 => format!("{script}; {}", self.command(1)),
                    1 => format!("{}; {script}", self.simple(0)),
                    _ => format!("{}; {script}", self.hostile_piece()),
                };
            }
            return if self.below(4) == 0 { self.hurt(&script) } else { script };
        }
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
        if self.hostile && self.below(3) > 0 {
            return self.hostile_piece();
        }
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
        let mut text = self.one_of(if self.hostile { REAL } else { PROGRAMS }).to_owned();
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
