//! Which tags belong together: pieces become a tree. May not fill anything in.
//!
//! Every block reads itself to its end: a stretch of nodes, the tag behind it, and so on.

use super::expression::{FORLOOP, NameTable, TokenCursor};
use super::scan::{TagPiece, TemplatePiece, never_ends};
use super::token::{Fault, TemplateToken};
use super::tree::{BranchArm, CaseArm, LoopSource, LoopTag, MissingPart, Operand, TemplateNode};
use crate::imports::Inset;
use std::ops::Range;

/// How deep tags may stand in tags, every `elsif` counted. Reading and filling them recurses.
const DEEPEST: usize = 64;

/// A tag that waits for its end.
struct OpenTag {
    kind: &'static str,
    range: Range<usize>,
    /// How many levels it takes.
    levels: usize,
}

/// Reads pieces into a tree.
pub(super) struct TreeReader<'t> {
    text: &'t str,
    pieces: std::vec::IntoIter<TemplatePiece>,
    names: NameTable,
    open: Vec<OpenTag>,
}

/// The nodes up to the next tag of the block around them, and that tag; none where the block ends.
type BlockStretch = (Vec<TemplateNode>, Option<TagPiece>);

impl<'t> TreeReader<'t> {
    pub(super) fn read(
        text: &'t str,
        pieces: Vec<TemplatePiece>,
    ) -> Result<(Vec<TemplateNode>, NameTable), Fault> {
        let mut reader = Self { text, pieces: pieces.into_iter(), names: NameTable::new(), open: Vec::new() };
        let (nodes, _) = reader.stretch(&[])?;
        Ok((nodes, reader.names))
    }

    /// Reads up to the end of the innermost block, or to one of these tags in it.
    fn stretch(&mut self, between: &[&str]) -> Result<BlockStretch, Fault> {
        let mut nodes = Vec::new();
        while let Some(piece) = self.pieces.next() {
            match piece {
                TemplatePiece::Text(range) => nodes.push(TemplateNode::Text(range)),
                TemplatePiece::Output { tokens, range } => nodes.push(self.output(&tokens, range)?),
                TemplatePiece::Inset(Inset::Data(data), range) => nodes.push(TemplateNode::Data(data, range)),
                // A command is a node, with everything between its borders.
                TemplatePiece::Inset(Inset::CommandBegins(kind, mark), range) => {
                    self.begin("command", &range)?;
                    let body = self.last_stretch()?;
                    nodes.push(TemplateNode::Command { kind, mark, body, range });
                }
                TemplatePiece::Inset(Inset::CommandEnds, _) => match self.open.last() {
                    Some(open) if open.kind == "command" => return Ok((nodes, None)),
                    Some(open) => return Err(cuts_command(open.kind, open.range.clone())),
                    None => {}
                },
                TemplatePiece::Tag(tag) => match &self.text[tag.name.clone()] {
                    name @ ("elsif" | "when" | "else") if between.contains(&name) => {
                        return Ok((nodes, Some(tag)));
                    }
                    name if name.starts_with("end") => {
                        self.end(name, &tag)?;
                        return Ok((nodes, None));
                    }
                    name => nodes.push(self.tag(name, &tag)?),
                },
            }
        }
        match self.open.pop() {
            Some(open) => Err(never_ends(open.kind, open.range)),
            None => Ok((nodes, None)),
        }
    }

    /// Reads to the end of the innermost block, which has no further tags.
    fn last_stretch(&mut self) -> Result<Vec<TemplateNode>, Fault> {
        let (nodes, _) = self.stretch(&[])?;
        self.open.pop();
        Ok(nodes)
    }

    /// What stands behind `else`, if that is the tag behind a stretch.
    fn otherwise(&mut self, tag: Option<TagPiece>) -> Result<Vec<TemplateNode>, Fault> {
        match tag {
            Some(tag) => self.cursor(&tag).done().and_then(|()| self.last_stretch()),
            None => {
                self.open.pop();
                Ok(Vec::new())
            }
        }
    }

    /// Whether a tag that ends something ends the innermost block.
    fn end(&self, name: &str, tag: &TagPiece) -> Result<(), Fault> {
        match self.open.last() {
            Some(open) if name.trim_start_matches("end") == open.kind => self.cursor(tag).done(),
            Some(open) if open.kind == "command" => Err(cuts_command(name, tag.range.clone())),
            Some(open) => Err(never_ends(open.kind, open.range.clone())),
            None => Err(misplaced(name, tag)),
        }
    }

    fn cursor<'c>(&self, tag: &'c TagPiece) -> TokenCursor<'c>
    where
        't: 'c,
    {
        TokenCursor::new(self.text, &tag.tokens, tag.range.clone())
    }

    fn output(&mut self, tokens: &[TemplateToken], range: Range<usize>) -> Result<TemplateNode, Fault> {
        if tokens.is_empty() {
            let hint = "Write a name there, or put the text between `{% raw %}` and `{% endraw %}`.";
            return Err(Fault::new(range, "nothing stands between `{{` and `}}`", hint));
        }
        let mut cursor = TokenCursor::new(self.text, tokens, range.clone());
        let value = self.names.chain(&mut cursor)?;
        cursor.done().map(|()| TemplateNode::Output { value, range })
    }

    /// A tag, with everything up to its end.
    fn tag(&mut self, name: &str, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        match name {
            "echo" => self.output(&tag.tokens, tag.range.clone()),
            "if" => self.branch("if", &["elsif", "else"], tag),
            "unless" => self.branch("unless", &["else"], tag),
            "case" => self.case(tag),
            "for" => self.repeat(tag),
            "capture" => self.capture(tag),
            "assign" => self.assign(tag),
            "cycle" => self.cycle(tag),
            "break" | "continue" => self.leave_loop(name, tag),
            _ => Err(misplaced(name, tag)),
        }
    }

    fn begin(&mut self, kind: &'static str, range: &Range<usize>) -> Result<(), Fault> {
        self.open.push(OpenTag { kind, range: range.clone(), levels: 0 });
        self.deeper(range)
    }

    /// The innermost block takes one more level.
    fn deeper(&mut self, range: &Range<usize>) -> Result<(), Fault> {
        self.open.last_mut().into_iter().for_each(|open| open.levels += 1);
        if self.open.iter().map(|open| open.levels).sum::<usize>() <= DEEPEST {
            return Ok(());
        }
        let hint = format!("Keep it at {DEEPEST} levels; every `elsif` is one.");
        Err(Fault::new(range.clone(), "tags stand too deep in tags", hint))
    }

    fn branch(
        &mut self,
        kind: &'static str,
        between: &[&str],
        tag: &TagPiece,
    ) -> Result<TemplateNode, Fault> {
        self.begin(kind, &tag.range)?;
        let mut condition = self.names.condition(&mut self.cursor(tag))?;
        let (mut arms, mut wanted) = (Vec::new(), kind == "if");
        let next = loop {
            let (body, next) = self.stretch(between)?;
            arms.push(BranchArm { condition, wanted, body });
            match next {
                Some(tag) if &self.text[tag.name.clone()] == "elsif" => {
                    self.deeper(&tag.range)?;
                    (condition, wanted) = (self.names.condition(&mut self.cursor(&tag))?, true);
                }
                next => break next,
            }
        };
        let otherwise = self.otherwise(next)?;
        Ok(TemplateNode::Branch { arms, otherwise, range: tag.range.clone() })
    }

    fn case(&mut self, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        let mut cursor = self.cursor(tag);
        let value = self.names.value(&mut cursor, MissingPart::IsNil)?;
        self.begin("case", &tag.range)?;
        cursor.done()?;
        let mut arms = Vec::new();
        // What stands before the first `when` is nothing's.
        let (_, mut next) = self.stretch(&["when", "else"])?;
        while let Some(tag) = next.take_if(|tag| &self.text[tag.name.clone()] == "when") {
            let mut cursor = self.cursor(&tag);
            let mut values = vec![self.names.value(&mut cursor, MissingPart::IsNil)?];
            while cursor.word("or") || cursor.sign(",") {
                values.push(self.names.value(&mut cursor, MissingPart::IsNil)?);
            }
            cursor.done()?;
            let (body, after) = self.stretch(&["when", "else"])?;
            arms.push(CaseArm { values, body });
            next = after;
        }
        let otherwise = self.otherwise(next)?;
        Ok(TemplateNode::Case { value, arms, otherwise, range: tag.range.clone() })
    }

    fn repeat(&mut self, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        let mut cursor = self.cursor(tag);
        let name = self.own_name(&mut cursor)?;
        if !cursor.word("in") {
            return Err(cursor.unexpected("`in`"));
        }
        let source = self.looped(&mut cursor)?;
        let (mut limit, mut offset, mut reversed) = (None, None, false);
        while !cursor.is_done() {
            if cursor.word("reversed") {
                reversed = true;
                continue;
            }
            let wish = match () {
                () if cursor.word("limit") => &mut limit,
                () if cursor.word("offset") => &mut offset,
                () => return Err(cursor.unexpected("`limit`, `offset` or `reversed`")),
            };
            cursor.expect(":")?;
            *wish = Some(self.names.value(&mut cursor, MissingPart::Fails)?);
        }
        self.begin("for", &tag.range)?;
        self.names.locals.extend([name, FORLOOP]);
        let (body, next) = self.stretch(&["else"])?;
        // From here on its names are no longer the template's own.
        for number in [FORLOOP, name] {
            if let Some(at) = self.names.locals.iter().rposition(|local| *local == number) {
                self.names.locals.remove(at);
            }
        }
        let (otherwise, range) = (self.otherwise(next)?, tag.range.clone());
        let tag = LoopTag { name, source, limit, offset, reversed, body, otherwise, range };
        Ok(TemplateNode::Loop(Box::new(tag)))
    }

    /// What a loop goes through: a value, or `(a..b)`.
    fn looped(&mut self, cursor: &mut TokenCursor<'_>) -> Result<LoopSource, Fault> {
        if !cursor.sign("(") {
            return self.names.value(cursor, MissingPart::Fails).map(LoopSource::Value);
        }
        let first = self.names.value(cursor, MissingPart::Fails)?;
        cursor.expect("..")?;
        let last = self.names.value(cursor, MissingPart::Fails)?;
        cursor.expect(")")?;
        Ok(LoopSource::Numbers(first, last))
    }

    /// A name that the template makes.
    fn own_name(&mut self, cursor: &mut TokenCursor<'_>) -> Result<usize, Fault> {
        let (name, _) = cursor.name("a name")?;
        Ok(self.names.number(name))
    }

    fn capture(&mut self, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        let mut cursor = self.cursor(tag);
        let name = self.own_name(&mut cursor)?;
        self.begin("capture", &tag.range)?;
        cursor.done()?;
        let body = self.last_stretch()?;
        self.names.locals.push(name);
        Ok(TemplateNode::Capture { name, body, range: tag.range.clone() })
    }

    fn assign(&mut self, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        let mut cursor = self.cursor(tag);
        let name = self.own_name(&mut cursor)?;
        cursor.expect("=")?;
        let value = self.names.chain(&mut cursor)?;
        // Only now: `assign a = a` reads the name that was there before.
        self.names.locals.push(name);
        cursor.done().map(|()| TemplateNode::Assign { name, value, range: tag.range.clone() })
    }

    /// `cycle group: a, b` or `cycle a, b`, which goes round with all others of the same words.
    fn cycle(&mut self, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        let mut cursor = self.cursor(tag);
        let mut values = vec![self.names.value(&mut cursor, MissingPart::Fails)?];
        let mut group = None;
        if cursor.sign(":") {
            group = values.pop().map(|name| self.written(&name));
            values.push(self.names.value(&mut cursor, MissingPart::Fails)?);
        }
        while cursor.sign(",") {
            values.push(self.names.value(&mut cursor, MissingPart::Fails)?);
        }
        let all = || values.iter().map(|value| self.written(value)).collect::<Vec<_>>().join(", ");
        let group = group.unwrap_or_else(all);
        cursor.done().map(|()| TemplateNode::Cycle { group, values, range: tag.range.clone() })
    }

    /// A value as it stands in the template, about.
    fn written(&self, value: &Operand) -> String {
        match value {
            Operand::Literal(literal) => format!("{:?}", literal.shown()),
            Operand::Read { name, path, .. } => {
                let path = path.iter().map(|part| format!("[{}]", self.written(part)));
                self.names.names.get(*name).into_iter().cloned().chain(path).collect()
            }
        }
    }

    fn leave_loop(&mut self, name: &str, tag: &TagPiece) -> Result<TemplateNode, Fault> {
        // What leaves a loop from inside of a command would leave half of the command behind.
        let around = self.open.iter().rfind(|open| ["for", "command"].contains(&open.kind));
        if around.is_none_or(|open| open.kind != "for") {
            return Err(misplaced(name, tag));
        }
        let node = if name == "break" { TemplateNode::Break } else { TemplateNode::Continue };
        self.cursor(tag).done().map(|()| node)
    }
}

/// A tag that begins inside of a command and ends outside, or the other way round.
fn cuts_command(name: &str, range: Range<usize>) -> Fault {
    let hint = "Begin and end the tag inside of the command, or around it.";
    Fault::new(range, format!("`{name}` cuts a command in half"), hint)
}

fn misplaced(name: &str, tag: &TagPiece) -> Fault {
    let hint = match name {
        "elsif" => "Put it between `if` and `else`.",
        "when" => "Put it between `case` and `else`.",
        "else" => "Put it inside of `if`, `unless`, `case` or `for`, once.",
        "break" | "continue" => "Put it inside of `for`.",
        _ => "Remove it, or write the tag that it ends.",
    };
    Fault::new(tag.range.clone(), format!("`{name}` stands where it has no meaning"), hint)
}
