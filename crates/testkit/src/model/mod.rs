//! A model that plays a script: agent programs talk to it over loopback as they would to a real one.
//!
//! It understands nothing of what it is told. May not listen anywhere but on loopback. Read first: [`ScriptedModel`].

mod chat;
mod dialect;
mod gemini;
mod http;
mod messages;
mod record;
mod responses;
mod script;
mod stage;

pub use record::{ModelRecord, ModelRequest, OfferedTool, ShownResult};
pub use script::ModelScript;

use stage::ModelStage;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

/// A model on a port of its own. It ends when this value goes.
///
/// Which line of the script is next follows from the conversation itself: as many lines are done as it holds results of
/// tools. A request that is sent twice therefore gets the same answer twice, and one that offers no tools (a title, a
/// summary) is answered with a word and moves nothing.
#[derive(Debug)]
pub struct ScriptedModel {
    stage: Arc<ModelStage>,
    address: SocketAddr,
}

impl ScriptedModel {
    /// Starts to listen.
    pub fn start(script: ModelScript) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port on loopback");
        let address = listener.local_addr().expect("it is bound");
        let stage = Arc::new(ModelStage::new(script));
        let shared = Arc::clone(&stage);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.is_over() {
                    return;
                }
                let stage = Arc::clone(&shared);
                // A client that goes away in the middle is none of the model's business.
                std::thread::spawn(move || drop(http::serve(stream, &stage)));
            }
        });
        Self { stage, address }
    }

    /// Where it listens: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it has been asked and shown so far.
    pub fn record(&self) -> ModelRecord {
        self.stage.record()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.stage.end();
        // Wakes the thread that accepts, so that it sees the end.
        drop(TcpStream::connect(self.address));
    }
}

#[cfg(test)]
mod tests;
