//! A folder, a road and a server for tests of imports. May not test anything itself.

use runward_engine::CommandSpec;
use runward_flow::FlowError;
use runward_flow::imports::{AssembledPart, Inset};
use runward_flow::run::gather::{Gathered, Main, Surroundings, gather};
use runward_flow::run::road::{Printed, Road};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A road that remembers what travelled it and answers the same each time.
#[derive(Debug, Default)]
pub(crate) struct Fake {
    pub(crate) asked: Mutex<Vec<CommandSpec>>,
    pub(crate) answer: Printed,
}

impl Road for Fake {
    fn hush(&self, _: &str) {}

    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        self.asked.lock().unwrap().push(spec);
        Ok(self.answer.clone())
    }
}

/// A folder with files in it.
pub(crate) struct World {
    folder: TempDir,
}

impl World {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { folder: TempDir::new().unwrap() };
        for (path, text) in files {
            world.put(path, text.as_bytes());
        }
        world
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The main file's text, as if it stood in `main.md`.
    pub(crate) fn main(&self, text: &str) -> Main {
        let path = Some(self.path("main.md"));
        let folder = self.root().to_path_buf();
        Main { path, shown: "main.md".to_owned(), folder, first_line: 1, text: text.to_owned() }
    }

    /// Everything as in a rehearsal.
    pub(crate) fn surroundings(&self) -> Surroundings<Fake> {
        Surroundings::new(self.root(), None)
    }

    pub(crate) async fn gather(&self, text: &str) -> Result<Gathered, FlowError> {
        gather(&self.main(text), Arc::new(self.surroundings())).await
    }

    pub(crate) async fn gather_in(
        &self,
        text: &str,
        surroundings: Surroundings<Fake>,
    ) -> Result<Gathered, FlowError> {
        gather(&self.main(text), Arc::new(surroundings)).await
    }

    /// What the prompt would be without templates, with commands in angle brackets.
    pub(crate) async fn prompt(&self, text: &str) -> String {
        prompt(&self.gather(text).await.unwrap())
    }
}

/// What the prompt would be without templates, with commands in angle brackets.
pub(crate) fn prompt(gathered: &Gathered) -> String {
    let text = gathered.text.text();
    let show = |part| match part {
        AssembledPart::Text(range) => text[range].to_owned(),
        AssembledPart::Inset(Inset::Data(data), _) => data.to_string(),
        AssembledPart::Inset(Inset::CommandBegins(..), _) => "<".to_owned(),
        AssembledPart::Inset(Inset::CommandEnds, _) => ">".to_owned(),
    };
    gathered.text.parts(0..text.len()).into_iter().map(show).collect()
}

/// A server on this machine that gives one answer after the other and remembers what was asked.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// One question: the path, and the headers in small letters.
struct Asked {
    path: String,
    headers: Vec<String>,
}

impl Server {
    /// The thread ends with its last answer, or with the process.
    pub(crate) fn answering(answers: &[Vec<u8>]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let mut answers: VecDeque<Vec<u8>> = answers.to_vec().into();
        std::thread::spawn(move || {
            while let Some(answer) = answers.pop_front() {
                let (stream, _) = listener.accept().unwrap();
                serve(stream, &answer, &seen);
            }
        });
        Self { address, asked }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|one| one.path.clone()).collect()
    }

    /// The value of a header in each question.
    pub(crate) fn heard(&self, name: &str) -> Vec<Option<String>> {
        let value = |line: &String| line.strip_prefix(&format!("{name}: ")).map(str::to_owned);
        self.asked.lock().unwrap().iter().map(|one| one.headers.iter().find_map(value)).collect()
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn serve(mut stream: TcpStream, answer: &[u8], seen: &Mutex<Vec<Asked>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let headers = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
    let headers = headers.map(|line| {
        line.split_once(':')
            .map_or(line.clone(), |(name, value)| format!("{}:{value}", name.to_ascii_lowercase()))
    });
    let headers = headers.collect();
    seen.lock().unwrap().push(Asked { path: first.split(' ').nth(1).unwrap().to_owned(), headers });
    // Whoever asked may have heard enough.
    let _ = stream.write_all(answer);
}

/// An answer with this status, one more header and a body.
pub(crate) fn answer(status: &str, header: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n{header}\r\n", body.len());
    [head.as_bytes(), body].concat()
}
