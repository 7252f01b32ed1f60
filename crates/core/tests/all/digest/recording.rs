//! What real tools printed, with what their own reports say was wrong; `tests/recordings/record.py` makes it. May not know
//! any format.
#![expect(clippy::disallowed_methods, reason = "recordings are files beside this test")]

use runward_core::digest::{
    AnswerInput, AnswerLimits, CommandEnding, PageInput, StreamAnswers, StreamInput, StreamPiece, answer,
    page,
};
use runward_core::policy::commands_of;
use runward_core::spec::CommandSpec;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// What stands beside a recording.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordingSheet {
    command: String,
    exit: Option<i32>,
    signal: Option<i32>,
    oracle: String,
    facts: Vec<String>,
}

/// A command that ran, or one made up from such.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRun {
    pub(crate) name: String,
    pub(crate) programs: Vec<Vec<String>>,
    pub(crate) ending: CommandEnding,
    pub(crate) streams: [Vec<u8>; 2],
    /// Names, places and messages that a report of the tool's own has.
    pub(crate) facts: Vec<String>,
}

impl RecordedRun {
    /// One that was written by hand.
    pub(crate) fn made_up(command: &str, ending: CommandEnding, stdout: &str, stderr: &str) -> Self {
        Self {
            name: command.to_owned(),
            programs: commands_of(&CommandSpec::shell(command).program),
            ending,
            streams: [stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec()],
            facts: Vec::new(),
        }
    }

    /// The same with facts.
    pub(crate) fn with_facts(mut self, facts: &[&str]) -> Self {
        self.facts = facts.iter().map(|fact| (*fact).to_owned()).collect();
        self
    }

    /// What a model is shown.
    pub(crate) fn answer(&self, limits: AnswerLimits) -> StreamAnswers {
        let [stdout, stderr] = self.streams.each_ref().map(|bytes| [StreamPiece { offset: 0, bytes }]);
        let input = |pieces, bytes: &[u8]| StreamInput { pieces, total: bytes.len() as u64, binary: false };
        answer(&AnswerInput {
            id: "ID",
            stdout: input(&stdout, &self.streams[0]),
            stderr: input(&stderr, &self.streams[1]),
            programs: &self.programs,
            ending: self.ending,
            limits,
            redactor: None,
        })
    }

    /// Both streams as they would be shown if there were no limit.
    pub(crate) fn rendered(&self) -> [String; 2] {
        let whole =
            self.answer(AnswerLimits { max_chars: usize::MAX / 4, digest: false, ..AnswerLimits::default() });
        assert!(!whole.is_partial);
        [whole.stdout, whole.stderr]
    }
}

/// What `read_output` gives of a stretch.
pub(crate) fn page_of(bytes: &[u8], from: usize, to: usize) -> String {
    // As much around it as makes its lines whole.
    let begin = bytes[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[to..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| to + end);
    let shown = page(&PageInput {
        before: &bytes[begin..from],
        bytes: &bytes[from..to],
        after: &bytes[to..end],
        offset: from as u64,
        binary: false,
        plain: true,
        max_chars: usize::MAX / 4,
        redactor: None,
    });
    shown.text
}

/// Everything that was recorded, by name.
pub(crate) fn recorded() -> Vec<RecordedRun> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    let mut all = Vec::new();
    for file in fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "toml") {
            all.push(one(&file));
        }
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// One of them.
pub(crate) fn recording(name: &str) -> RecordedRun {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings");
    one(&folder.join(format!("{name}.toml")))
}

fn one(file: &Path) -> RecordedRun {
    let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
    let text = fs::read_to_string(file).unwrap();
    let sheet: RecordingSheet = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(!sheet.oracle.is_empty(), "{name} has no oracle");
    let ending = match (sheet.exit, sheet.signal) {
        (Some(code), None) => CommandEnding::Exit(code),
        (None, Some(_)) => CommandEnding::Signal,
        _ => panic!("{name} has no ending"),
    };
    let stream = |ending| fs::read(file.with_extension(ending)).unwrap();
    RecordedRun {
        streams: [stream("out"), stream("err")],
        programs: commands_of(&CommandSpec::shell(&sheet.command).program),
        facts: sheet.facts,
        ending,
        name,
    }
}
