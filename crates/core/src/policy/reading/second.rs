//! A second parser of the same script: the syntax tree of a parser that others wrote, compared with our own reading.
//!
//! Two readers make different mistakes. Where they do not find the same commands at the same places, the text is opaque.
//! The parser stands in this file only. May not add to a reading.

use super::reader::FoundCommand;
use shuck_ast as ast;
use shuck_parser::parser::{ParseStatus, Parser};
use shuck_parser::{ShellDialect, ShellProfile};

const DEPTH: usize = 100;
const STEPS: usize = 400_000;

/// Every simple command that the tree holds, in the order of the text; nothing where it cannot be read.
pub(super) fn commands(text: &str) -> Option<Vec<FoundCommand>> {
    let profile = ShellProfile::native(ShellDialect::Bash);
    let result = Parser::with_limits_and_profile(text, DEPTH, STEPS, profile).parse();
    if result.status != ParseStatus::Clean || !result.diagnostics.is_empty() {
        return None;
    }
    let mut walk = SecondWalk::default();
    walk.list(&result.file.body);
    walk.found.sort_unstable();
    (!walk.strange).then_some(walk.found)
}

#[derive(Debug, Default)]
struct SecondWalk {
    found: Vec<FoundCommand>,
    strange: bool,
}

impl SecondWalk {
    fn list(&mut self, list: &ast::StmtSeq) {
        list.iter().for_each(|one| self.statement(one));
    }

    fn statement(&mut self, one: &ast::Stmt) {
        one.redirects.iter().for_each(|redirect| self.redirect(redirect));
        match &one.command {
            ast::Command::Simple(simple) => self.simple(simple),
            ast::Command::Builtin(builtin) => self.builtin(builtin),
            ast::Command::Decl(decl) => self.declaration(decl),
            ast::Command::Binary(binary) => {
                self.statement(&binary.left);
                self.statement(&binary.right);
            }
            ast::Command::Compound(compound) => self.compound(compound),
            ast::Command::Function(function) => self.statement(&function.body),
            ast::Command::AnonymousFunction(_) => self.strange = true,
        }
    }

    fn note(&mut self, at: ast::Span, words: usize) {
        self.found.push(FoundCommand { at: at.start.offset(), words });
    }

    fn simple(&mut self, simple: &ast::SimpleCommand) {
        self.assignments(&simple.assignments);
        // A line of nothing but assignments has a name without length.
        if simple.name.span.start.offset() != simple.name.span.end.offset() {
            self.note(simple.name.span, simple.args.len() + 1);
        }
        self.word(&simple.name);
        simple.args.iter().for_each(|word| self.word(word));
    }

    fn builtin(&mut self, builtin: &ast::BuiltinCommand) {
        let (first, more, assignments, span) = match builtin {
            ast::BuiltinCommand::Break(it) => (&it.depth, &it.extra_args, &it.assignments, it.span),
            ast::BuiltinCommand::Continue(it) => (&it.depth, &it.extra_args, &it.assignments, it.span),
            ast::BuiltinCommand::Return(it) => (&it.code, &it.extra_args, &it.assignments, it.span),
            ast::BuiltinCommand::Exit(it) => (&it.code, &it.extra_args, &it.assignments, it.span),
        };
        // Where its name begins is not told when something stands in front.
        self.strange |= !assignments.is_empty();
        self.note(span, 1 + usize::from(first.is_some()) + more.len());
        first.iter().chain(more).for_each(|word| self.word(word));
    }

    fn declaration(&mut self, decl: &ast::DeclClause) {
        self.assignments(&decl.assignments);
        self.note(decl.variant_span, decl.operands.len() + 1);
        for operand in &decl.operands {
            match operand {
                ast::DeclOperand::Flag(word) | ast::DeclOperand::Dynamic(word) => self.word(word),
                ast::DeclOperand::Name(_) => {}
                ast::DeclOperand::Assignment(assignment) => self.assignment(assignment),
            }
        }
    }

    fn compound(&mut self, compound: &ast::CompoundCommand) {
        match compound {
            ast::CompoundCommand::If(it) => {
                self.list(&it.condition);
                self.list(&it.then_branch);
                for (condition, branch) in &it.elif_branches {
                    self.list(condition);
                    self.list(branch);
                }
                it.else_branch.iter().for_each(|branch| self.list(branch));
            }
            ast::CompoundCommand::For(it) => {
                it.words.iter().flatten().for_each(|word| self.word(word));
                self.list(&it.body);
            }
            ast::CompoundCommand::ArithmeticFor(it) => self.list(&it.body),
            ast::CompoundCommand::While(it) => {
                self.list(&it.condition);
                self.list(&it.body);
            }
            ast::CompoundCommand::Until(it) => {
                self.list(&it.condition);
                self.list(&it.body);
            }
            ast::CompoundCommand::Case(it) => self.cases(it),
            ast::CompoundCommand::Select(it) => {
                it.words.iter().for_each(|word| self.word(word));
                self.list(&it.body);
            }
            ast::CompoundCommand::Subshell(list) | ast::CompoundCommand::BraceGroup(list) => self.list(list),
            ast::CompoundCommand::Arithmetic(_) => {}
            ast::CompoundCommand::Time(it) => it.command.iter().for_each(|one| self.statement(one)),
            ast::CompoundCommand::Conditional(it) => self.condition(&it.expression),
            ast::CompoundCommand::Repeat(_)
            | ast::CompoundCommand::Foreach(_)
            | ast::CompoundCommand::Coproc(_)
            | ast::CompoundCommand::Always(_) => self.strange = true,
        }
    }

    fn cases(&mut self, it: &ast::CaseCommand) {
        self.word(&it.word);
        for case in &it.cases {
            case.patterns.iter().for_each(|pattern| self.pattern(pattern));
            self.list(&case.body);
        }
    }

    fn condition(&mut self, expression: &ast::ConditionalExpr) {
        match expression {
            ast::ConditionalExpr::Binary(it) => {
                self.condition(&it.left);
                self.condition(&it.right);
            }
            ast::ConditionalExpr::Unary(it) => self.condition(&it.expr),
            ast::ConditionalExpr::Parenthesized(it) => self.condition(&it.expr),
            ast::ConditionalExpr::Word(word) | ast::ConditionalExpr::Regex(word) => self.word(word),
            ast::ConditionalExpr::Pattern(pattern) => self.pattern(pattern),
            ast::ConditionalExpr::VarRef(it) => self.strange |= it.subscript.is_some(),
        }
    }

    fn pattern(&mut self, pattern: &ast::Pattern) {
        for part in &pattern.parts {
            match &part.kind {
                ast::PatternPart::Word(word) => self.word(word),
                ast::PatternPart::Group { .. } => self.strange = true,
                ast::PatternPart::Literal(_)
                | ast::PatternPart::AnyString
                | ast::PatternPart::AnyChar
                | ast::PatternPart::CharClass(_) => {}
            }
        }
    }

    fn redirect(&mut self, redirect: &ast::Redirect) {
        match &redirect.target {
            ast::RedirectTarget::Word(word) => self.word(word),
            ast::RedirectTarget::Heredoc(here) => here.body.parts.iter().for_each(|part| match &part.kind {
                ast::HeredocBodyPart::CommandSubstitution { body, .. } => self.list(body),
                ast::HeredocBodyPart::Literal(_)
                | ast::HeredocBodyPart::Variable(_)
                | ast::HeredocBodyPart::ArithmeticExpansion { .. }
                | ast::HeredocBodyPart::Parameter(_) => {}
            }),
        }
    }

    fn assignments(&mut self, all: &[ast::Assignment]) {
        all.iter().for_each(|one| self.assignment(one));
    }

    fn assignment(&mut self, one: &ast::Assignment) {
        match &one.value {
            ast::AssignmentValue::Scalar(word) => self.word(word),
            ast::AssignmentValue::Compound(array) => {
                array.elements.iter().for_each(|element| self.word(&element.value().word));
            }
        }
    }

    fn word(&mut self, word: &ast::Word) {
        self.parts(&word.parts);
    }

    /// The commands in a word. What evaluates a variable is not followed: our own reader reads no such thing.
    fn parts(&mut self, parts: &[ast::WordPartNode]) {
        for part in parts {
            match &part.kind {
                ast::WordPart::DoubleQuoted { parts, .. } => self.parts(parts),
                ast::WordPart::CommandSubstitution { body, .. }
                | ast::WordPart::ProcessSubstitution { body, .. } => {
                    self.list(body);
                }
                ast::WordPart::Literal(_)
                | ast::WordPart::SingleQuoted { .. }
                | ast::WordPart::Variable(_)
                | ast::WordPart::ArithmeticExpansion { .. }
                | ast::WordPart::Parameter(_)
                | ast::WordPart::ParameterExpansion { .. }
                | ast::WordPart::Length(_)
                | ast::WordPart::ArrayAccess(_)
                | ast::WordPart::ArrayLength(_)
                | ast::WordPart::Substring { .. }
                | ast::WordPart::ArraySlice { .. }
                | ast::WordPart::Transformation { .. } => {}
                ast::WordPart::ZshQualifiedGlob(_)
                | ast::WordPart::ArrayIndices(_)
                | ast::WordPart::IndirectExpansion { .. }
                | ast::WordPart::PrefixMatch { .. } => self.strange = true,
            }
        }
    }
}
