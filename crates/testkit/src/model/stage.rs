//! Where the script, the record and the threads of the connections meet.
//!
//! May not know the wire: see the dialects and [`super::http`].

use super::dialect::{HeardRequest, ModelTurn};
use super::record::{ModelRecord, ModelRequest};
use super::script::{ModelScript, ScriptLine, ToolWish};
use serde_json::Value;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The script and what came of it.
#[derive(Debug)]
pub(super) struct ModelStage {
    script: ModelScript,
    scene: Mutex<ModelScene>,
    over: Condvar,
}

#[derive(Debug, Default)]
struct ModelScene {
    record: ModelRecord,
    is_over: bool,
    calls: u64,
}

impl ModelStage {
    pub(super) fn new(script: ModelScript) -> Self {
        Self { script, scene: Mutex::default(), over: Condvar::new() }
    }

    /// The script's own code may panic while the scene is held; the record is whole all the same.
    fn scene(&self) -> MutexGuard<'_, ModelScene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn record(&self) -> ModelRecord {
        self.scene().record.clone()
    }

    pub(super) fn is_over(&self) -> bool {
        self.scene().is_over
    }

    pub(super) fn end(&self) {
        self.scene().is_over = true;
        self.over.notify_all();
    }

    /// Writes down a request, whatever it is about.
    pub(super) fn note(&self, request: ModelRequest) {
        self.scene().record.requests.push(request);
    }

    /// What to answer to a request, after its results were written down.
    pub(super) fn turn(&self, heard: HeardRequest) -> ModelTurn {
        if heard.offered.is_empty() {
            return ModelTurn::Say("ok".to_owned());
        }
        let done = heard.results.len();
        let before: Vec<_> = heard.results.iter().map(super::ShownResult::text).collect();
        let mut scene = self.scene();
        for result in heard.results {
            if scene.record.shown.iter().all(|known| known.call != result.call) {
                scene.record.shown.push(result);
            }
        }
        scene.record.offered = heard.offered;
        match self.script.lines.get(done) {
            None => ModelTurn::Say(self.script.last.clone()),
            Some(ScriptLine::Call { tools, arguments }) => call(&mut scene, tools, || arguments(&before)),
            Some(ScriptLine::Hold) => {
                drop(self.over.wait_while(scene, |scene| !scene.is_over));
                ModelTurn::Say("the model has ended".to_owned())
            }
        }
    }
}

/// A script that asks for a tool which is not there ends, and the record says why.
fn call(scene: &mut ModelScene, wish: &ToolWish, arguments: impl FnOnce() -> Option<Value>) -> ModelTurn {
    let called = wish.among(&scene.record.offered).zip(arguments());
    let Some((at, arguments)) = called else {
        let text = format!("{wish:?}");
        scene.record.missing.push(text.clone());
        return ModelTurn::Say(format!("{text} cannot be called"));
    };
    scene.calls += 1;
    ModelTurn::Call { tool: scene.record.offered[at].clone(), arguments, number: scene.calls }
}
