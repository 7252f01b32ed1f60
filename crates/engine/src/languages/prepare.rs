//! Lowers a request to a spec: interpreter, arguments, folder. May not start anything.

use super::large::{CodeFile, ONE_ARGUMENT};
use super::{CodeAnswer, CodeIssue, CodeRequest, CodeRunner, Language, LanguageReader};
use crate::{Caller, Code, CommandSpec, ErrorView, Program, Receipt, Request, Wish};
use runward_core::render::word;
use runward_core::resolve::resolve_interpreter;
use runward_core::spec::ShellChoice;
use runward_os::Disk;
use std::ffi::OsString;
use std::sync::Arc;

/// Bytes of both streams together that are answered.
pub(super) const OUTPUT_LIMIT: u64 = 1024 * 1024;

/// A snippet that is ready to run. Large code lives in a file for as long as this does.
#[derive(Debug, Clone)]
pub struct PreparedCode {
    spec: CommandSpec,
    caller: Caller,
    interpreter: String,
    return_output: bool,
    file: Option<Arc<CodeFile>>,
}

impl CodeRunner {
    /// The same as [`CodeRunner::prepare`], for a caller that must not wait for a disk that does not answer.
    pub async fn prepare_aside(&self, request: &CodeRequest) -> Result<PreparedCode, CodeIssue> {
        let (runner, asked) = (self.clone(), request.clone());
        let needed: Vec<_> = request.cwd.as_deref().into_iter().collect();
        let looked = self.engine.look(&needed, move || runner.prepare(&asked)).await;
        match looked {
            Ok(prepared) => prepared,
            Err(error) => Err(CodeIssue::of(ErrorView::of(&error), &request.lang, &cwd(request))),
        }
    }

    /// Everything before the road: language, version, policy's early refusal.
    pub fn prepare(&self, request: &CodeRequest) -> Result<PreparedCode, CodeIssue> {
        let prepared = self.lower(request).map_err(|issue| self.discreet(request, issue))?;
        match self.engine.early_refusal(&prepared.spec.program, &self.caller) {
            Some(refusal) => Err(CodeIssue::of(refusal.view(), &prepared.interpreter, &cwd(request))),
            None => Ok(prepared),
        }
    }

    /// Which versions there are is told only to a caller that may run one of them.
    fn discreet(&self, request: &CodeRequest, issue: CodeIssue) -> CodeIssue {
        let Some(language) = self.languages.get(&request.lang) else { return issue };
        if issue.view().code != Code::ResolveVersionUnknown {
            return issue;
        }
        let command = &language.command;
        let mut spec = CommandSpec::of(program(language, command.into(), request.code.clone()));
        spec.cwd.clone_from(&request.cwd);
        match self.engine.withholds(&Request::by(self.caller.clone(), spec)) {
            Some(refusal) => CodeIssue::of(refusal.view(), command, &cwd(request)),
            None => issue,
        }
    }

    /// The same without asking policy, for a caller that wants to know what it would say.
    pub fn lower(&self, request: &CodeRequest) -> Result<PreparedCode, CodeIssue> {
        let language = self.languages.get(&request.lang).ok_or_else(|| {
            let known: Vec<&str> = self.languages.iter().map(|language| language.name.as_str()).collect();
            CodeIssue::unsupported(&request.lang, &known)
        })?;
        let interpreter = self.interpreter(language, request)?;
        let (code, file) = self.code(language, request)?;
        let program = program(language, interpreter, code);
        let mut spec = CommandSpec::of(program);
        spec.cwd.clone_from(&request.cwd);
        spec.shown = file.iter().map(|file| file.path().to_owned()).collect();
        spec.limits.wall = request.timeout;
        // Half of what is kept is the start and half the end, so neither is short where the middle is cut.
        spec.limits.keep = Wish::At(OUTPUT_LIMIT);
        if let Some(text) = &request.stdin {
            spec = spec.stdin(text.as_bytes());
        }
        Ok(PreparedCode {
            spec,
            caller: self.caller.clone(),
            interpreter: language.command.clone(),
            return_output: request.return_output,
            file: file.map(Arc::new),
        })
    }

    fn interpreter(&self, language: &Language, request: &CodeRequest) -> Result<OsString, CodeIssue> {
        let Some(version) = &request.version else { return Ok(language.command.clone().into()) };
        let found = resolve_interpreter(&language.command, Some(version), self.engine.facts(), &Disk);
        let issue = |error| CodeIssue::of(ErrorView::of(&error), &language.command, &cwd(request));
        found.map(|found| found.path.into_os_string()).map_err(issue)
    }

    /// The code as one argument, and the file it is read from where it is too large for that.
    fn code(
        &self,
        language: &Language,
        request: &CodeRequest,
    ) -> Result<(String, Option<CodeFile>), CodeIssue> {
        if request.code.contains('\0') {
            return Err(CodeIssue::invalid("The code contains a NUL byte"));
        }
        if request.code.len() < ONE_ARGUMENT {
            return Ok((request.code.clone(), None));
        }
        let too_large = || CodeIssue::too_large(&language.name);
        if language.reader == LanguageReader::Other {
            return Err(too_large());
        }
        let file = CodeFile::write(&request.code, self.engine.facts()).map_err(|error| {
            let message = format!("The code could not be written to a temporary file: {error}");
            let view = ErrorView { code: Code::Internal, message, hint: None };
            CodeIssue::of(view, &language.command, &cwd(request))
        })?;
        let loader = file.loader(language.reader).ok_or_else(too_large)?;
        Ok((loader, Some(file)))
    }
}

fn cwd(request: &CodeRequest) -> String {
    request.cwd.as_ref().map(|cwd| word(cwd.as_os_str())).unwrap_or_default()
}

/// The interpreter with the code behind its arguments. Code that looks like an option stays code.
fn program(language: &Language, interpreter: OsString, code: String) -> Program {
    let mut before: Vec<OsString> = language.args.iter().map(OsString::from).collect();
    match language.reader {
        LanguageReader::Bash => {
            if code.starts_with(['-', '+']) {
                before.push("--".into());
            }
            // No code at all is a script of one empty line.
            let script = if code.is_empty() { "\n".to_owned() } else { code };
            Program::Shell { script: script.into(), shell: ShellChoice::Named { name: interpreter, before } }
        }
        LanguageReader::Node if code.starts_with('-') => exec(interpreter, before, format!(" {code}")),
        LanguageReader::Node | LanguageReader::Python | LanguageReader::Other => {
            exec(interpreter, before, code)
        }
    }
}

fn exec(name: OsString, mut args: Vec<OsString>, code: String) -> Program {
    args.push(code.into());
    Program::Exec { name, args }
}

impl PreparedCode {
    /// The request, for a door that listens while it runs.
    pub fn request(&self) -> Request {
        Request::by(self.caller.clone(), self.spec.clone())
    }

    /// The command alone.
    pub fn spec(&self) -> &CommandSpec {
        &self.spec
    }

    /// Whether the code is read from a file, because it is too large for one argument.
    pub fn is_in_a_file(&self) -> bool {
        self.file.is_some()
    }

    /// The answer for the receipt.
    pub fn answer(&self, receipt: &Receipt) -> CodeAnswer {
        CodeAnswer::of(receipt, self.return_output)
    }

    /// The answer for a failure or a refusal on the road.
    pub fn failure(&self, view: &ErrorView) -> CodeAnswer {
        let cwd = self.spec.cwd.as_ref().map(|cwd| word(cwd.as_os_str())).unwrap_or_default();
        CodeAnswer::before_start(&CodeIssue::of(view.clone(), &self.interpreter, &cwd))
    }
}
