//! The table of error codes. Documentation, CLI exit codes and MCP mapping are all read from it.
//!
//! A row may be added; a row may never be removed or renamed (a snapshot test watches).

use serde::{Serialize, Serializer};
use std::fmt;

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixer {
    /// The person or program that asked for the command.
    Caller,
    /// The owner of the configuration.
    Owner,
    /// The administrator of the machine.
    Host,
    /// The authors of Runward.
    Us,
}

/// One row of the table.
#[derive(Debug)]
pub struct CodeRow {
    /// The code it is about.
    pub code: Code,
    /// Its stable spelling.
    pub name: &'static str,
    /// How far the command got.
    pub stage: &'static str,
    /// Who can fix it.
    pub fixer: Fixer,
    /// Whether the same request may succeed later without a change.
    pub retry: bool,
    /// What `runward` exits with.
    pub exit: u8,
    /// One line for the reference page.
    pub meaning: &'static str,
}

macro_rules! codes {
    ($($variant:ident $name:literal $stage:literal $fixer:ident $retry:literal $exit:literal $meaning:literal;)*) => {
        /// A stable error code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        /// Every code, in the order of the road.
        pub const TABLE: &[CodeRow] = &[
            $(CodeRow {
                code: Code::$variant, name: $name, stage: $stage, fixer: Fixer::$fixer,
                retry: $retry, exit: $exit, meaning: $meaning,
            },)*
        ];
    };
}

codes! {
    SpecEmptyProgram "spec.empty-program" "lower" Caller false 125 "No program was named.";
    SpecBadLimit "spec.bad-limit" "lower" Caller false 125 "A limit is out of its range or cannot be read.";
    SpecBadValue "spec.bad-value" "lower" Caller false 125 "An argument of the request cannot be used.";
    SpecTooLarge "spec.too-large" "lower" Caller false 125 "A request is larger than one may be.";
    SpecBadEnv "spec.bad-env" "lower" Caller false 125 "An environment variable may not be set by a caller.";
    ConfigInvalid "config.invalid" "load" Owner false 125 "A configuration file is missing, unreadable or wrong.";
    GatewayBadConfig "gateway.bad-config" "load" Owner false 125 "The list of child servers is unreadable or wrong.";
    FlowBadFile "flow.bad-file" "expand" Caller false 125 "A markdown agent is missing, unreadable or not text.";
    FlowBadFrontMatter "flow.bad-front-matter" "expand" Caller false 125 "The front matter of a markdown agent cannot be used.";
    FlowNoCommand "flow.no-command" "expand" Caller false 125 "Nothing says which command a markdown agent is for.";
    FlowBadArgument "flow.bad-argument" "expand" Caller false 125 "An argument of a markdown agent cannot be used.";
    FlowMissingVariable "flow.missing-variable" "expand" Caller false 125 "A template variable has no value.";
    FlowBadInput "flow.bad-input" "expand" Caller false 125 "A value is not one that the input takes.";
    FlowBadTemplate "flow.bad-template" "expand" Caller false 125 "A template cannot be read or filled.";
    FlowImportMissing "flow.import-missing" "expand" Caller false 125 "An imported file, its symbol, or a match of its pattern is not there.";
    FlowImportCycle "flow.import-cycle" "expand" Caller false 125 "A file imports itself, directly or through others.";
    FlowImportBinary "flow.import-binary" "expand" Caller false 125 "An imported file is not text.";
    FlowImportTooLarge "flow.import-too-large" "expand" Caller false 125 "An imported file is larger than an import may be.";
    FlowFetch "flow.fetch" "expand" Host true 125 "An address could not be read, or may not be.";
    FlowCommandFailed "flow.command-failed" "expand" Caller false 125 "A command inside a markdown agent failed.";
    FlowHookFailed "flow.hook-failed" "expand" Caller false 125 "The hook before a markdown agent failed.";
    FlowContextWindow "flow.context-window" "expand" Caller false 125 "The prompt is larger than the context window.";
    FlowPromptTooLarge "flow.prompt-too-large" "expand" Caller false 125 "The prompt does not fit into one argument.";
    FlowBadStep "flow.bad-step" "expand" Caller false 125 "The steps of a markdown agent cannot be put in order.";
    FlowStepFailed "flow.step-failed" "expand" Caller false 125 "A step of a markdown agent failed.";
    FlowUntrusted "flow.untrusted" "leave" Owner false 126 "Nobody trusted this remote file.";
    GatewayNeedsConsent "gateway.needs-consent" "leave" Owner true 126 "Nobody agreed to a child server of a project's file.";
    ResolveNotFound "resolve.not-found" "resolve" Caller false 127 "No program of that name was found.";
    ResolveNotExecutable "resolve.not-executable" "resolve" Caller false 126 "The file is there but cannot be executed.";
    ResolveCwdMissing "resolve.cwd-missing" "resolve" Caller false 125 "The working directory does not exist.";
    ResolveCwdNotDirectory "resolve.cwd-not-directory" "resolve" Caller false 125 "The working directory is not a directory.";
    ResolveNoShell "resolve.no-shell" "resolve" Host false 127 "No shell was found on this host.";
    ResolveVersionUnknown "resolve.version-unknown" "resolve" Caller false 127 "The version asked for was not found.";
    ResolveUnseen "resolve.unseen" "resolve" Host false 125 "The host forbids a call by which files are looked at.";
    ResolveUnresponsive "resolve.unresponsive" "resolve" Host true 125 "A file system that the command needs does not answer.";
    PolicyDenied "policy.denied" "leave" Owner false 126 "A rule refuses this command.";
    PolicyNeedsApproval "policy.needs-approval" "leave" Owner true 126 "A person must agree and nobody is there to ask.";
    PolicyDeclined "policy.declined" "leave" Owner false 126 "A person was asked and said no.";
    PolicyOutsideWorkspace "policy.outside-workspace" "leave" Caller false 126 "The working directory lies outside the workspace.";
    HookFailed "hook.failed" "judge" Owner true 2 "A hook could not judge a command, so it was refused.";
    HookBadTicket "hook.bad-ticket" "leave" Caller false 126 "A ticket of a hook is unknown, used, late, or for something else.";
    HookBypassed "hook.bypassed" "leave" Owner false 2 "A client ran a command in another way than its hook said.";
    PlanPermitMismatch "plan.permit-mismatch" "seal" Us false 125 "A permit was offered for a draft it was not given for.";
    SandboxUnavailable "sandbox.unavailable" "draft" Host false 125 "This host cannot keep what the draft promises.";
    SpawnExecFormat "spawn.exec-format" "launch" Host false 126 "The kernel does not know how to run the file.";
    SpawnPermission "spawn.permission" "launch" Host false 126 "The kernel refused to run the file.";
    SpawnChanged "spawn.changed" "launch" Host true 126 "Another file or folder took the place of the one that was judged.";
    SpawnNotFound "spawn.not-found" "launch" Host false 127 "The file, or the interpreter its first line names, is gone.";
    SpawnTooLarge "spawn.too-large" "launch" Caller false 126 "Arguments and environment are larger than the kernel takes.";
    SpawnResources "spawn.resources" "launch" Host true 125 "The host has no processes, descriptors or memory left.";
    SpawnFailed "spawn.failed" "launch" Host true 125 "The command could not be started.";
    SessionUnknown "session.unknown" "control" Caller false 125 "There is no such session.";
    SessionEnded "session.ended" "control" Caller false 125 "The session has ended already.";
    SessionNotATerminal "session.not-a-terminal" "control" Caller false 125 "The session has no terminal.";
    ApprovalUnknown "approval.unknown" "control" Caller false 125 "There is no such open question.";
    EngineBusy "engine.busy" "engine" Host true 125 "As many commands are running, and wait for their turn, as may.";
    EngineClosing "engine.closing" "engine" Host true 125 "Everything is being ended, and nothing more is started.";
    GatewayUnavailable "gateway.unavailable" "forward" Host true 125 "A child server is down, and cannot be asked now.";
    GatewayBadAnswer "gateway.bad-answer" "forward" Host false 125 "A child server's answer is too large, or cannot be read.";
    JournalUnavailable "journal.unavailable" "record" Host true 125 "The journal is required and cannot be opened, or cannot be read.";
    JournalWrite "journal.write" "record" Host true 125 "The journal is required and the first record was not written in time.";
    JournalUnknown "journal.unknown" "control" Caller false 125 "The journal has no such command, or several.";
    JournalTakenAway "journal.taken-away" "control" Owner false 125 "There was a journal, and its database is gone.";
    JournalBroken "journal.broken" "control" Owner false 125 "The journal is not as it was written.";
    InitNotWritten "init.not-written" "write" Owner false 125 "A file of a client cannot be read or written, and was left as it is.";
    InitNotStarted "init.not-started" "try" Host true 125 "The entry that was written does not start, so the files were put back.";
    Internal "internal" "any" Us false 125 "Something in Runward itself went wrong.";
}

impl Code {
    /// The row of this code.
    pub fn row(self) -> &'static CodeRow {
        &TABLE[self as usize]
    }

    /// The stable spelling, such as `resolve.not-found`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What `runward` exits with.
    pub fn exit(self) -> u8 {
        self.row().exit
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_stands_at_its_own_place() {
        for row in TABLE {
            assert_eq!(row.code.row().name, row.name);
        }
    }

    #[test]
    fn names_are_unique_and_in_one_spelling() {
        let mut names: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
        assert!(
            names.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '.' || c == '-'))
        );
    }

    #[test]
    fn no_row_was_removed_or_renamed() {
        let table: String =
            TABLE.iter().map(|row| format!("{} {} {}\n", row.name, row.stage, row.exit)).collect();
        insta::assert_snapshot!(table);
    }
}
