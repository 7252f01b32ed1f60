//! The judge: every rule is heard about every command that a request comes to.
//!
//! Rules about the request as a whole (what a person types, an opened tool, everything) spare it nothing but the need
//! of a rule for each command: rules that ask or deny are heard all the same. May not change anything.

use super::activation;
use super::always::is_all;
use super::folders::ScriptFolders;
use super::harmless::{Harmless, pin};
use super::identity::{PolicyGround, ProgramIdentity, Register};
use super::planting;
use super::repository::Repository;
use super::rule::{Interactive, Rule, RuleStanding, Subject, names};
use super::unit::Scene;
use super::wrappers::{Carried, carried, interactive, is_shell, runs_code};
use super::{CodeByName, Decision, Judged, Match, Opaque, Policy, RefusalWords, Ruling, SandboxLeave};
use crate::error::Code;
use crate::resolve::ResolvedCommand;
use crate::spec::{Caller, Door, Hand, Program, StdinSpec, Terminal};
use std::cell::{OnceCell, RefCell};
use std::ffi::OsStr;
use std::path::PathBuf;

/// Judges a command, on this ground.
pub fn judge(
    policy: &Policy,
    command: &ResolvedCommand,
    caller: &Caller,
    ground: &PolicyGround<'_>,
) -> Ruling {
    let mut whole = on_the_whole(policy, caller);
    whole.extend(contained(policy, ground));
    // Says no or nothing: a folder that is allowed is no leave for a command.
    let folder = policy.cwd_roots.says(command);
    let open = is_open(policy, &whole);
    // A person who is asked is told every command of a request; otherwise nothing more is needed.
    let asks = whole.iter().any(|spoken| spoken.decision == Decision::Ask);
    if open && !asks && policy.rules.is_empty() && policy.cwd_roots.is_empty() {
        return Ruling::of(whole);
    }
    let bench = Bench { policy, command, caller, ground, open, is_all: false };
    let ruling = match Scene::of(command.asked(), command.program()) {
        Ok(scene) => {
            whole.extend(folder);
            Bench { is_all: is_all(command, &scene), ..bench }.on_scene(&scene, whole)
        }
        Err(opaque) => {
            whole.extend(bench.on_opaque(&opaque));
            whole.extend(folder);
            Ruling::of(whole).with_opaque(opaque.because)
        }
    };
    ruling.under(policy)
}

/// Whether each command needs no rule of its own.
fn is_open(policy: &Policy, whole: &[Match]) -> bool {
    let listed = policy.commands.as_ref().is_none_or(|commands| commands.everything().is_some());
    listed && whole.iter().any(|spoken| spoken.decision != Decision::Deny)
}

/// What rules say about a request as a whole, whatever it is.
pub(super) fn on_the_whole(policy: &Policy, caller: &Caller) -> Vec<Match> {
    let mut matches = Vec::new();
    if policy.is_own(caller) {
        matches.push(own(policy.typed, caller));
    }
    if let Some(why) = &policy.allow_everything {
        matches.push(Match::allows("everything", why));
    }
    match (&policy.commands, &caller.tool) {
        (Some(commands), _) => matches.extend(commands.everything()),
        // Choosing a tool is leave for whatever it does, unless the owner said what may be done.
        (None, Some(_)) if policy.names_what_may_run() => {}
        (None, Some(tool)) => {
            matches
                .extend(policy.granted.get(tool).map(|why| Match::allows(format!("granted: {tool}"), why)));
        }
        (None, None) => {}
    }
    matches
}

/// What `policy.sandboxed` says. A list of commands governs where there is one.
fn contained(policy: &Policy, ground: &PolicyGround<'_>) -> Option<Match> {
    let counts = policy.sandboxed == SandboxLeave::Given && policy.commands.is_none();
    (counts && ground.contained).then(|| {
        Match::allows(
            "policy.sandboxed",
            "it runs inside the sandbox, where everything may run that no rule asks about or denies",
        )
    })
}

/// What `policy.typed` says. The rule is named after where the words come from, because the record must say it.
fn own(decision: Decision, caller: &Caller) -> Match {
    let (rule, what, leave) = match (caller.hand, caller.door) {
        (Hand::File, Door::Gateway) => (
            "servers",
            "a list of servers names",
            "whoever named the list of servers, or agreed to it, gave leave for what it says",
        ),
        (Hand::File, _) => {
            ("file", "a file that a person runs says", "whoever runs a file gives leave for what it says")
        }
        (Hand::Typed | Hand::Program, _) => {
            ("typed", "a person types", "what a person types themselves is their own leave")
        }
    };
    let because = match decision {
        Decision::Allow => leave.to_owned(),
        Decision::Ask => format!("the configuration asks before it runs what {what}"),
        Decision::Deny => format!("the configuration denies what {what}"),
    };
    Match { rule: rule.to_owned(), decision, because, told: None }
}

/// One case, with all that is needed to hear it.
pub(super) struct Bench<'a> {
    pub(super) policy: &'a Policy,
    pub(super) command: &'a ResolvedCommand,
    pub(super) caller: &'a Caller,
    pub(super) ground: &'a PolicyGround<'a>,
    open: bool,
    /// Whether its words are all that the command is given.
    is_all: bool,
}

impl Bench<'_> {
    fn rules(&self) -> impl Iterator<Item = &Rule> {
        let counts = |rule: &&Rule| rule.standing == RuleStanding::Written || self.is_all;
        self.policy.rules.iter().filter(|rule| rule.holds_for(self.caller)).filter(counts)
    }

    /// What is not understood may be anything that a rule asks about or denies, and is nothing that a rule allows.
    fn on_opaque(&self, opaque: &Opaque) -> Vec<Match> {
        let strict = self.rules().filter(|rule| rule.decision != Decision::Allow);
        let mut matches: Vec<Match> = strict
            .map(|rule| Match {
                because: format!(
                    "what cannot be understood may be what it {}: {}",
                    rule.decision.says(),
                    opaque.because
                ),
                ..rule.says()
            })
            .collect();
        match &self.policy.commands {
            Some(commands) if !self.open => {
                matches.push(commands.says_of_opaque(self.command.asked(), opaque));
            }
            None if !self.open && self.policy.may_allow_some() => matches.push(refused(
                "understood",
                format!("`{}` cannot be understood: {}", super::allowlist::asked_shown(self.command.asked()), opaque.because),
                opaque.instead.as_deref().unwrap_or(
                    "Give commands that can be understood completely; others are refused unless everything is allowed.",
                ),
            )),
            _ => {}
        }
        matches
    }

    fn on_scene(&self, scene: &Scene, mut whole: Vec<Match>) -> Ruling {
        let folders = ScriptFolders::of(scene, self.command, self.ground);
        whole.extend(folders.outside(&self.policy.cwd_roots));
        if !self.open {
            whole.extend(self.on_means(scene, &folders));
        }
        let register = Register {
            ground: self.ground,
            command: self.command,
            writable: self.writable(),
            moves: folders.moves(),
            activated: self.all_activated(scene, &folders),
            folders: OnceCell::new(),
            plain: RefCell::default(),
            known: RefCell::default(),
        };
        if !self.open {
            whole.extend(self.on_reader(&register));
        }
        let judged = scene.units.iter().enumerate().map(|(at, unit)| {
            let is_asked = at == 0 && matches!(self.command.asked(), Program::Exec { .. });
            let identity = register.identify(unit, is_asked);
            let by_name = |name: &str| register.found(OsStr::new(name));
            let naming = &self.ground.facts.naming;
            let subject = Subject {
                unit,
                identity: &identity,
                by_name: &by_name,
                activated: &register.activated,
                cwds: folders.all(),
                elsewhere: folders.elsewhere() || unit.moved,
                naming,
            };
            self.on_unit(&subject)
        });
        let (mut judged, looks): (Vec<Judged>, Vec<_>) = judged.unzip();
        pin(&mut judged, &looks);
        for (judged, unit) in
            judged.iter_mut().zip(&scene.units).filter(|(judged, _)| !judged.given.config.is_empty())
        {
            judged.refuse(planting::says(scene, &folders, unit, self.ground));
        }
        // A text that runs nothing needs no leave, once rules about commands are in force at all.
        if judged.is_empty() && !self.open && whole.is_empty() && self.policy.opens_some() {
            whole.push(Match::allows("runs nothing", "the text starts no program"));
        }
        Ruling::of(whole).with_commands(judged)
    }

    /// Every folder that the text puts in front of PATH.
    fn all_activated(&self, scene: &Scene, folders: &ScriptFolders) -> Vec<PathBuf> {
        let files = scene.units.iter().filter_map(|unit| activation::file(&unit.words));
        let naming = &self.ground.facts.naming;
        let paths = files.flat_map(|file| folders.all().iter().map(move |cwd| naming.join(cwd, file)));
        paths.filter_map(|path| self.activated(&path).ok()).collect()
    }

    /// A text is read as its shell would read it, so what reads it must be that shell, and the system's own.
    fn on_reader(&self, register: &Register<'_>) -> Option<Match> {
        let shell = self.command.program();
        let scripted = matches!(self.command.asked(), Program::Shell { .. });
        let planted = matches!(register.asked(), ProgramIdentity::File { planted: true, .. });
        (scripted && (planted || !is_shell(shell))).then(|| {
            let shown = crate::render::word(shell.as_os_str());
            refused(
                "shell",
                format!("`{shown}` is not one of the system's shells, so how it reads a text is unknown"),
                "Name a shell of the system, such as `bash`, or none.",
            )
        })
    }

    /// Code that a command carries in its words and that must be named to be allowed.
    ///
    /// A person means what they type, and a tool that the operator offers for code is offered for code. Where a program
    /// may be typed into, code that comes in its words instead adds nothing. A program for running code is allowed with
    /// its job, unless the owner wants the code named.
    fn hidden_code(&self, subject: &Subject<'_>) -> Option<Carried> {
        if self.policy.carried == CodeByName::Job && subject.unit.words.first().is_some_and(runs_code) {
            return None;
        }
        let for_code =
            self.caller.tool.as_deref() == Some("exec") && self.policy.granted.contains_key("exec");
        if for_code || self.policy.is_own(self.caller) {
            return None;
        }
        let typed = || self.is_typed_into() && self.may_be_typed_into(subject);
        carried(&subject.unit.words).filter(|_| !typed())
    }

    /// Where the caller may write, as far as is known.
    fn writable(&self) -> Vec<PathBuf> {
        let cwd = self.command.cwd().to_owned();
        [cwd].into_iter().chain(self.policy.workspace.clone()).collect()
    }

    /// One command, and whether all it does is look: see [`Harmless::looks`](super::harmless::Harmless).
    fn on_unit(&self, subject: &Subject<'_>) -> (Judged, Option<Vec<Option<Repository>>>) {
        let mut matches: Vec<Match> = Vec::new();
        let mut unless = Vec::new();
        let hidden = self.hidden_code(subject);
        if let Some(commands) = self.policy.commands.as_ref().filter(|_| !self.open) {
            matches.push(commands.says(subject, hidden.as_ref()));
        }
        for rule in self.rules().filter(|rule| rule.speaks_about(subject)) {
            match hidden.as_ref().filter(|hidden| hidden.words > rule.depth()) {
                Some(hidden) if rule.decision == Decision::Allow && rule.depth() > 0 => {
                    unless.push(format!("{}, so a rule must name it", hidden.because));
                }
                _ => matches.push(rule.says()),
            }
        }
        let mut harmless = Harmless::default();
        if !self.open {
            matches.extend(self.on_activation(subject));
            matches.extend(self.on_typing_into(subject));
            harmless = self.on_presets(subject, &mut unless);
            matches.append(&mut harmless.matches);
        }
        if matches.is_empty() && unless.is_empty() && !self.open && self.policy.may_allow_some() {
            unless.push("none of them speaks about it".to_owned());
        }
        let approved =
            self.rules().any(|rule| rule.standing == RuleStanding::Approved && rule.speaks_about(subject));
        let strictest = matches.iter().map(|spoken| spoken.decision).max();
        // A person's standing yes answers what asks, and nothing that denies.
        let strictest = strictest
            .filter(|said| !(approved && *said == Decision::Ask))
            .or_else(|| (approved && strictest.is_some()).then_some(Decision::Allow));
        let judged = Judged {
            name: crate::render::one_line(&crate::render::word(subject.unit.name())),
            command: subject.unit.shown(),
            via: subject.unit.via.clone(),
            program: subject.identity.clone(),
            approved,
            decision: strictest.unwrap_or(if self.open { Decision::Allow } else { Decision::Deny }),
            matches,
            given: harmless.given,
            unless,
        };
        (judged, harmless.looks)
    }

    /// What is typed into an interpreter, a pager or an editor can run anything.
    fn on_typing_into(&self, subject: &Subject<'_>) -> Option<Match> {
        let why = self.is_typed_into().then(|| interactive(&subject.unit.words))??;
        (!self.may_be_typed_into(subject)).then(|| {
            let name = crate::render::word(subject.unit.name());
            refused(
                "policy.interactive",
                format!("`{}` may not be typed into: {why}", subject.unit.shown()),
                &format!("Run it without a terminal and without open input, or ask the owner to add `{name}` to `policy.interactive`."),
            )
        })
    }

    /// Whether the caller could type into what runs.
    fn is_typed_into(&self) -> bool {
        matches!(self.command.terminal(), Terminal::Pty { .. }) || *self.command.stdin() == StdinSpec::Open
    }

    /// Whether the owner lets a command be typed into.
    fn may_be_typed_into(&self, subject: &Subject<'_>) -> bool {
        let granted = |entry: &String| entry == "*" || names(entry, subject);
        let by_rule = |rule: &Rule| {
            rule.decision == Decision::Allow
                && rule.interactive == Interactive::Yes
                && rule.speaks_about(subject)
        };
        self.policy.interactive.iter().any(granted) || self.rules().any(by_rule)
    }
}

/// A no in fixed words.
pub(super) fn refused(rule: &str, message: String, hint: &str) -> Match {
    Match {
        rule: rule.to_owned(),
        decision: Decision::Deny,
        because: message.clone(),
        told: Some(RefusalWords { code: Code::PolicyDenied, message, hint: hint.to_owned() }),
    }
}
