//! Which tags belong together, and which names a template makes itself. May not fill anything in.

use super::compose::{Composer, Cursor, FORLOOP, Missing};
use super::scan::{Piece, never_ends};
use super::token::{Fault, Token};
use std::fmt::Write;
use std::ops::Range;

/// How deep tags may stand in tags, every `elsif` counted. Reading and filling them recurs in the crate.
const DEEPEST: usize = 64;

/// A part of a template that is filled on its own: everything between two pieces of text outside of all tags.
#[derive(Debug)]
pub(super) enum Section {
    Text(Range<usize>),
    /// What the crate reads, and which bytes of the template it stands for.
    Program(String, Range<usize>),
}

/// A tag that waits for its end.
struct Open {
    kind: &'static str,
    range: Range<usize>,
    /// How many levels it takes.
    levels: usize,
    /// The name that is the template's own: inside of a loop, or behind a capture.
    name: Option<usize>,
    has_else: bool,
}

/// Reads pieces into sections.
pub(super) struct Blocks<'t> {
    text: &'t str,
    pub(super) composer: Composer,
    pub(super) sections: Vec<Section>,
    open: Vec<Open>,
    start: usize,
}

impl<'t> Blocks<'t> {
    pub(super) fn read(text: &'t str, pieces: Vec<Piece>) -> Result<Self, Fault> {
        let mut blocks =
            Self { text, composer: Composer::new(), sections: Vec::new(), open: Vec::new(), start: 0 };
        for piece in pieces {
            blocks.piece(piece)?;
        }
        match blocks.open.pop() {
            Some(open) => Err(never_ends(open.kind, open.range)),
            None => Ok(blocks),
        }
    }

    fn piece(&mut self, piece: Piece) -> Result<(), Fault> {
        let range = match piece {
            Piece::Text(range) if self.open.is_empty() => {
                self.sections.push(Section::Text(range));
                return Ok(());
            }
            Piece::Text(range) => {
                self.composer.text(range);
                return Ok(());
            }
            Piece::Output { ref range, .. } | Piece::Tag { ref range, .. } => range.clone(),
        };
        if self.open.is_empty() {
            self.start = range.start;
        }
        match piece {
            Piece::Output { tokens, range } => self.output(&tokens, range)?,
            Piece::Tag { name, tokens, range } => self.tag(&self.text[name], &tokens, range)?,
            Piece::Text(_) => {}
        }
        if self.open.is_empty() {
            let source = std::mem::take(&mut self.composer.source);
            self.sections.push(Section::Program(source, self.start..range.end));
        }
        Ok(())
    }

    fn output(&mut self, tokens: &[Token], range: Range<usize>) -> Result<(), Fault> {
        if tokens.is_empty() {
            let hint = "Write a name there, or put the text between `{% raw %}` and `{% endraw %}`.";
            return Err(Fault::new(range, "nothing stands between `{{` and `}}`", hint));
        }
        let mut cursor = Cursor::new(self.text, tokens, range);
        self.composer.put("{{ ");
        self.composer.chain(&mut cursor)?;
        self.composer.put(" }}");
        cursor.done()
    }

    fn tag(&mut self, name: &str, tokens: &[Token], range: Range<usize>) -> Result<(), Fault> {
        if name == "echo" {
            return self.output(tokens, range);
        }
        let mut cursor = Cursor::new(self.text, tokens, range);
        let _ = write!(self.composer.source, "{{% {name} ");
        match name {
            "if" | "unless" => {
                self.begin(if name == "if" { "if" } else { "unless" }, &cursor, None)?;
                self.composer.condition(&mut cursor)?;
            }
            "case" => {
                self.begin("case", &cursor, None)?;
                self.composer.value(&mut cursor, Missing::IsNil)?;
            }
            "for" => self.begin_for(&mut cursor)?,
            "capture" => {
                let name = self.own_name(&mut cursor)?;
                self.begin("capture", &cursor, Some(name))?;
            }
            "assign" => self.assign(&mut cursor)?,
            "cycle" => self.cycle(&mut cursor)?,
            "elsif" | "when" | "else" => self.between(name, &mut cursor)?,
            "break" | "continue" => self.leave_loop(name, &cursor)?,
            _ => self.end(name, &cursor)?,
        }
        self.composer.put(" %}");
        cursor.done()
    }

    fn begin(&mut self, kind: &'static str, cursor: &Cursor<'_>, name: Option<usize>) -> Result<(), Fault> {
        self.open.push(Open { kind, range: cursor.range.clone(), levels: 1, name, has_else: false });
        self.deep_enough(cursor)
    }

    fn deep_enough(&self, cursor: &Cursor<'_>) -> Result<(), Fault> {
        if self.open.iter().map(|open| open.levels).sum::<usize>() <= DEEPEST {
            return Ok(());
        }
        let hint = format!("Keep it at {DEEPEST} levels; every `elsif` is one.");
        Err(Fault::new(cursor.range.clone(), "tags stand too deep in tags", hint))
    }

    /// A name that the template makes.
    fn own_name(&mut self, cursor: &mut Cursor<'_>) -> Result<usize, Fault> {
        let (name, _) = cursor.name("a name")?;
        let number = self.composer.number(name);
        let _ = write!(self.composer.source, "n{number}");
        Ok(number)
    }

    fn begin_for(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let name = self.own_name(cursor)?;
        if !cursor.word("in") {
            return Err(cursor.unexpected("`in`"));
        }
        self.composer.put(" in ");
        self.looped(cursor)?;
        while !cursor.is_done() {
            if cursor.word("reversed") {
                self.composer.put(" reversed");
                continue;
            }
            let Some(word) = ["limit", "offset"].into_iter().find(|word| cursor.word(word)) else {
                return Err(cursor.unexpected("`limit`, `offset` or `reversed`"));
            };
            if !cursor.sign(":") {
                return Err(cursor.unexpected("`:`"));
            }
            let _ = write!(self.composer.source, " {word}: ");
            self.composer.value(cursor, Missing::Fails)?;
        }
        self.begin("for", cursor, Some(name))?;
        self.composer.locals.extend([name, FORLOOP]);
        Ok(())
    }

    /// What a loop goes through: a value, or `(a..b)`.
    fn looped(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        if !cursor.sign("(") {
            return self.composer.value(cursor, Missing::Fails);
        }
        self.composer.put("(");
        self.composer.value(cursor, Missing::Fails)?;
        if !cursor.sign("..") {
            return Err(cursor.unexpected("`..`"));
        }
        self.composer.put("..");
        self.composer.value(cursor, Missing::Fails)?;
        if !cursor.sign(")") {
            return Err(cursor.unexpected("`)`"));
        }
        self.composer.put(")");
        Ok(())
    }

    fn assign(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let name = self.own_name(cursor)?;
        if !cursor.sign("=") {
            return Err(cursor.unexpected("`=`"));
        }
        self.composer.put(" = ");
        self.composer.chain(cursor)?;
        // Only now: `assign a = a` reads the name that was there before.
        self.composer.locals.push(name);
        Ok(())
    }

    fn cycle(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        self.composer.value(cursor, Missing::Fails)?;
        if cursor.sign(":") {
            self.composer.put(": ");
            self.composer.value(cursor, Missing::Fails)?;
        }
        while cursor.sign(",") {
            self.composer.put(", ");
            self.composer.value(cursor, Missing::Fails)?;
        }
        Ok(())
    }

    fn between(&mut self, name: &str, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let fits = |open: &&mut Open| match name {
            "elsif" => open.kind == "if" && !open.has_else,
            "when" => open.kind == "case" && !open.has_else,
            _ => open.kind != "capture" && !open.has_else,
        };
        let Some(open) = self.open.last_mut().filter(fits) else {
            return Err(misplaced(name, cursor));
        };
        match name {
            "elsif" => {
                open.levels += 1;
                self.deep_enough(cursor)?;
                self.composer.condition(cursor)
            }
            "when" => self.when(cursor),
            _ => {
                open.has_else = true;
                if open.kind == "for" {
                    self.forget_loop();
                }
                Ok(())
            }
        }
    }

    fn when(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        self.composer.value(cursor, Missing::IsNil)?;
        while cursor.word("or") || cursor.sign(",") {
            self.composer.put(", ");
            self.composer.value(cursor, Missing::IsNil)?;
        }
        Ok(())
    }

    fn leave_loop(&mut self, name: &str, cursor: &Cursor<'_>) -> Result<(), Fault> {
        if self.open.iter().any(|open| open.kind == "for") { Ok(()) } else { Err(misplaced(name, cursor)) }
    }

    /// The names of the innermost loop belong to nobody again.
    fn forget_loop(&mut self) {
        let Some(name) = self.open.iter().rfind(|open| open.kind == "for").and_then(|open| open.name) else {
            return;
        };
        for number in [FORLOOP, name] {
            if let Some(at) = self.composer.locals.iter().rposition(|local| *local == number) {
                self.composer.locals.remove(at);
            }
        }
    }

    fn end(&mut self, name: &str, cursor: &Cursor<'_>) -> Result<(), Fault> {
        let kind = name.trim_start_matches("end");
        match self.open.last() {
            Some(open) if open.kind == kind => {}
            Some(open) => return Err(never_ends(open.kind, open.range.clone())),
            None => return Err(misplaced(name, cursor)),
        }
        if self.open.last().is_some_and(|open| open.kind == "for" && !open.has_else) {
            self.forget_loop();
        }
        let closed = self.open.pop();
        if let Some(Open { kind: "capture", name: Some(name), .. }) = closed {
            self.composer.locals.push(name);
        }
        Ok(())
    }
}

fn misplaced(name: &str, cursor: &Cursor<'_>) -> Fault {
    let hint = match name {
        "elsif" => "Put it between `if` and `else`.",
        "when" => "Put it between `case` and `else`.",
        "else" => "Put it inside of `if`, `unless`, `case` or `for`, once.",
        "break" | "continue" => "Put it inside of `for`.",
        _ => "Remove it, or write the tag that it ends.",
    };
    Fault::new(cursor.range.clone(), format!("`{name}` stands where it has no meaning"), hint)
}
