//! The control socket: a running server's sessions, seen and steered from outside.

use crate::{me, on_terminal, piped, sessions, start};
use runward_engine::control::{Ask, ControlCall, ControlMessage, ListedSession, serve, servers, socket_path};
use runward_engine::registry::Sessions;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use tempfile::TempDir;

/// A server in a folder of its own; it stops with the test.
struct Server {
    sessions: Sessions,
    folder: TempDir,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    async fn start() -> Self {
        let (sessions, folder) = (sessions(), tempfile::tempdir().unwrap());
        let path = socket_path(&folder.path().join("run"));
        let (served, at) = (sessions.clone(), path.clone());
        let task = tokio::spawn(async move { serve(served, None, &at).await.unwrap() });
        while !path.exists() {
            tokio::task::yield_now().await;
        }
        Self { sessions, folder, task }
    }

    fn run_folder(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    async fn call(&self, ask: Ask) -> ControlCall {
        ControlCall::make(&servers(&self.run_folder()).await[0], &ask).await.unwrap()
    }

    /// Hears everything: what was printed, and the last word.
    async fn hear_all(&self, ask: Ask) -> (String, ControlMessage) {
        let mut call = self.call(ask).await;
        let mut printed = Vec::new();
        loop {
            match call.hear().await.unwrap() {
                ControlMessage::Bytes(bytes) => printed.extend(bytes),
                last => return (String::from_utf8(printed).unwrap(), last),
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn session(heard: ControlMessage) -> ListedSession {
    match heard {
        ControlMessage::Session(listed) => listed,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_socket_is_private() {
    let server = Server::start().await;
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(server.run_folder()), 0o700);
    let socket = servers(&server.run_folder()).await.remove(0);
    assert_eq!(mode(socket), 0o600);
}

#[tokio::test]
async fn every_session_is_listed() {
    let server = Server::start().await;
    let live = start(&server.sessions, piped("echo hi; sleep 300")).await;
    let (_, heard) = server.hear_all(Ask::List).await;
    let ControlMessage::Sessions(all) = heard else { panic!("{heard:?}") };
    assert_eq!(
        (all.len(), all[0].id.as_str(), all[0].command.as_str()),
        (1, live.id().as_str(), "echo hi; sleep 300")
    );
}

#[tokio::test]
async fn logs_follow_until_the_end() {
    let server = Server::start().await;
    let live = start(&server.sessions, piped("echo one; read x; echo two >&2")).await;
    let ask = |follow| Ask::Logs { session: live.id()[..18].to_owned(), follow };
    live.wait(&runward_engine::registry::Until::Input, testkit::LIMIT).await;
    assert_eq!(server.hear_all(ask(false)).await.0, "one\n");
    live.write(b"\n".to_vec()).await.unwrap();
    let (printed, last) = server.hear_all(ask(true)).await;
    assert_eq!(printed, "one\ntwo\n");
    assert_eq!(session(last).exit_code, Some(0));
}

#[tokio::test]
async fn waiting_and_killing() {
    let server = Server::start().await;
    start(&server.sessions, piped("exit 4")).await;
    server.sessions.start(&me(), piped("sleep 300"), Some("nap".to_owned())).await.unwrap();
    let first = server.sessions.list(&me())[0].id();
    assert_eq!(session(server.hear_all(Ask::Wait { session: first }).await.1).exit_code, Some(4));
    let kill = |signal: &str| Ask::Kill { session: "nap".to_owned(), signal: signal.to_owned() };
    let (_, refused) = server.hear_all(kill("SIGNOPE")).await;
    assert!(
        matches!(refused, ControlMessage::Refused(why) if why.message == "there is no signal named `SIGNOPE`")
    );
    assert_eq!(session(server.hear_all(kill("SIGTERM")).await.1).exit_code, Some(143));
}

#[tokio::test]
async fn a_person_can_sit_down_at_a_terminal() {
    let server = Server::start().await;
    let live =
        start(&server.sessions, on_terminal("echo before; read line; echo \"got <$line>\"; stty size")).await;
    live.wait(&runward_engine::registry::Until::Input, testkit::LIMIT).await;
    let (mut hearing, mut telling) = server.call(Ask::Attach { session: live.id() }).await.apart();
    telling.size(40, 100).await.unwrap();
    telling.bytes(b"hello\n").await.unwrap();
    let mut shown = Vec::new();
    let last = loop {
        match hearing.next().await.unwrap() {
            ControlMessage::Bytes(bytes) => shown.extend(bytes),
            last => break session(last),
        }
    };
    let shown = String::from_utf8(shown).unwrap();
    assert!(
        shown.contains("before") && shown.contains("got <hello>") && shown.contains("40 100"),
        "{shown:?}"
    );
    assert_eq!(last.exit_code, Some(0));
}

#[tokio::test]
async fn leaving_does_not_end_the_session() {
    let server = Server::start().await;
    let live = start(&server.sessions, on_terminal("read line; echo over")).await;
    drop(server.call(Ask::Attach { session: live.id() }).await);
    live.write(b"\n".to_vec()).await.unwrap();
    assert_eq!(live.ended().await.end.exit_code(), 0);
}

#[tokio::test]
async fn unknown_sessions_and_dead_servers_are_told() {
    let server = Server::start().await;
    let (_, heard) = server.hear_all(Ask::Wait { session: "nope".to_owned() }).await;
    assert!(
        matches!(heard, ControlMessage::Refused(why) if why.message == "Session not found: nope" && why.code == "session.unknown")
    );
    let dead = server.run_folder().join("1.sock");
    drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
    assert_eq!(servers(&server.run_folder()).await.len(), 1);
    assert!(!dead.exists());
}

/// Two processes with the same number, as in two containers with one folder: both are this very process here.
#[tokio::test]
async fn servers_with_the_same_number_are_both_seen() {
    let server = Server::start().await;
    let other = socket_path(&server.run_folder());
    let (served, at) = (sessions(), other.clone());
    let task = tokio::spawn(async move { serve(served, None, &at).await.unwrap() });
    while !other.exists() {
        tokio::task::yield_now().await;
    }
    let seen = servers(&server.run_folder()).await;
    assert_eq!(seen.len(), 2, "{seen:?}");
    let folder = seen[0].parent().unwrap();
    let place = folder.to_str().unwrap().len();
    assert!(seen.iter().all(|path| path.to_str().unwrap().len() <= place + 1 + "4194304.sock".len() + 4));
    task.abort();
    let _ = task.await;
    while other.exists() {
        tokio::task::yield_now().await;
    }
    assert_eq!(servers(&server.run_folder()).await.len(), 1, "the end of one leaves the other alone");
}

/// A server of an earlier version is named by its number.
#[tokio::test]
async fn a_socket_by_its_old_name_is_read_and_never_taken_while_somebody_listens() {
    let server = Server::start().await;
    let old = server.run_folder().join(format!("{}.sock", std::process::id()));
    let (served, at) = (sessions(), old.clone());
    let task = tokio::spawn(async move { serve(served, None, &at).await.unwrap() });
    while !old.exists() {
        tokio::task::yield_now().await;
    }
    assert_eq!(servers(&server.run_folder()).await.len(), 2);
    let refused = serve(sessions(), None, &old).await.unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::AddrInUse);
    assert_eq!(servers(&server.run_folder()).await.len(), 2, "whoever listened there still does");
    task.abort();
    let _ = task.await;
    drop(std::os::unix::net::UnixListener::bind(&old));
    serve_briefly(&old).await;
}

/// What a dead server left is taken over.
async fn serve_briefly(path: &std::path::Path) {
    let (served, at) = (sessions(), path.to_owned());
    let task = tokio::spawn(async move { serve(served, None, &at).await });
    while servers(path.parent().unwrap()).await.iter().all(|seen| seen != path) {
        assert!(!task.is_finished(), "a dead socket is no reason not to serve");
        tokio::task::yield_now().await;
    }
    task.abort();
}
