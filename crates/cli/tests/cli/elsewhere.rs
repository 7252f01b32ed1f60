//! Remote markdown agents (URLs): fetched, shown to a person, trusted by their content.

use crate::runner::Place;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A server on this machine with one file, which can be changed. Its thread ends with the process.
struct Server {
    url: String,
    body: Arc<Mutex<String>>,
}

impl Server {
    fn with(body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/greet.echo.md", listener.local_addr().unwrap());
        let server = Self { url, body: Arc::new(Mutex::new(body.to_owned())) };
        let body = Arc::clone(&server.body);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                lines.take_while(|line| !line.is_empty()).for_each(drop);
                let body = body.lock().unwrap().clone();
                let length = body.len();
                // The caller may be gone.
                let _ = write!(
                    &stream,
                    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
                );
            }
        });
        server
    }
}

#[test]
fn without_a_person_a_file_from_elsewhere_is_refused() {
    let place = Place::new();
    let server = Server::with("---\npre: touch made\n---\nhi !`touch made`");
    let said = place.run(["run", &server.url]);
    assert_eq!(said.code, 126, "{}", said.stderr);
    assert!(said.stderr.contains("[flow.untrusted]") && said.stderr.contains("`--trust`"), "{}", said.stderr);
    assert!(!place.work().join("made").exists(), "nothing was expanded");
    let said = place.run(["explain", "run", &server.url]);
    assert_eq!(said.code, 126, "explaining expands too: {}", said.stderr);
}

#[test]
fn leave_for_once_runs_it_once() {
    let place = Place::new();
    let server = Server::with("hi from afar");
    let said = place.run(["run", &server.url, "--trust"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "hi from afar\n"), "{}", said.stderr);
    assert_eq!(place.run(["run", &server.url]).code, 126);
    *server.body.lock().unwrap() = "changed".to_owned();
    assert_eq!(place.run(["run", "--trust", &server.url]).stdout, "changed\n");
}

#[test]
fn a_file_from_elsewhere_does_not_get_the_secrets_of_this_folder() {
    let place = Place::new();
    std::fs::write(place.work().join(".env"), "SECRET=hunter2\n").unwrap();
    let server = Server::with("it is !`echo ${SECRET-not set}`");
    let said = place.run(["run", &server.url, "--trust"]);
    assert_eq!(said.stdout, "it is not set\n", "{}", said.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_is_asked_once_for_each_content() {
    use crate::tmux::Tmux;
    let place = Place::new();
    let server = Server::with("hi from \u{1b}[2Jafar");
    let tmux = Tmux::open(&place);
    let binary = env!("CARGO_BIN_EXE_runward");
    tmux.enters(&format!("r() {{ '{binary}' run {} | cat -v; echo rc=${{PIPESTATUS[0]}}; }}", server.url));
    tmux.enters(&format!("'{binary}' run {}; echo rc=$?", server.url));
    tmux.shows("[y/N]");
    tmux.presses("C-c");
    tmux.shows("\nrc=130");
    tmux.wipes();
    tmux.enters("r");
    tmux.shows("| hi from \\u{1b}[2Jafar");
    tmux.shows("runs     echo");
    tmux.shows("[y/N]");
    tmux.presses("Enter");
    tmux.shows("rc=126");
    tmux.wipes();
    tmux.enters("r");
    tmux.shows("[y/N]");
    tmux.enters("y");
    tmux.shows("rc=0");
    // By now it is trusted, also where no person can be asked.
    assert_eq!(place.run(["run", &server.url]).code, 0);
    *server.body.lock().unwrap() = "something else".to_owned();
    assert_eq!(place.run(["run", &server.url]).code, 126);
    tmux.wipes();
    tmux.enters("r");
    tmux.shows("| something else");
    tmux.enters("yes");
    tmux.shows("rc=0");
}

#[test]
fn an_address_keeps_to_the_rules() {
    let place = Place::new();
    let said = place.run(["run", "http://example.com/a.md", "--trust"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("without encryption [flow.fetch]"), "{}", said.stderr);
}
