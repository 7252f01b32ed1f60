//! Files that lie elsewhere, against a server on this machine: fetched, kept, and trusted by their content.
#![expect(clippy::disallowed_methods, reason = "what is kept is looked at")]

use crate::gather_world::{Server, answer};
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::remote::{Remote, TrustLeave, TrustPerson, TrustVerdict};
use runward_flow::run::remote::{AgentShelf, FetchedAgent};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// A state folder, and a shelf in it that tries again at once.
fn shelf() -> (TempDir, AgentShelf) {
    let state = TempDir::new().unwrap();
    let mut shelf = AgentShelf::new(Some(state.path()));
    shelf.pauses = vec![Duration::ZERO; 2];
    (state, shelf)
}

async fn fetch(shelf: &AgentShelf, address: &str) -> Result<FetchedAgent, FlowError> {
    shelf.fetch(Remote::locate(address)?).await
}

fn rule(
    shelf: &AgentShelf,
    fetched: &FetchedAgent,
    leave: TrustLeave,
    person: TrustPerson,
) -> Result<TrustVerdict, FlowError> {
    shelf.trusted()?.rule(&fetched.remote, &fetched.text, leave, person)
}

#[tokio::test]
async fn a_content_is_asked_about_once_and_a_changed_one_again() {
    let server = Server::answering(&[
        answer("200 OK", "", b"one"),
        answer("200 OK", "", b"one"),
        answer("200 OK", "", b"two"),
    ]);
    let (_state, shelf) = shelf();
    let first = fetch(&shelf, &server.url("/a.echo.md")).await.unwrap();
    assert_eq!(rule(&shelf, &first, TrustLeave::NotGiven, TrustPerson::There).unwrap(), TrustVerdict::Ask);
    shelf.remember(&first).unwrap();
    let again = fetch(&shelf, &server.url("/a.echo.md")).await.unwrap();
    assert_eq!(rule(&shelf, &again, TrustLeave::NotGiven, TrustPerson::Away).unwrap(), TrustVerdict::Run);
    let changed = fetch(&shelf, &server.url("/a.echo.md")).await.unwrap();
    assert_eq!(changed.text.text(), "two");
    assert_eq!(rule(&shelf, &changed, TrustLeave::NotGiven, TrustPerson::There).unwrap(), TrustVerdict::Ask);
    let refused = rule(&shelf, &changed, TrustLeave::NotGiven, TrustPerson::Away).unwrap_err();
    assert_eq!(refused.code().name(), "flow.untrusted");
}

#[tokio::test]
async fn leave_for_once_remembers_nothing() {
    let server = Server::answering(&[answer("200 OK", "", b"one")]);
    let (state, shelf) = shelf();
    let fetched = fetch(&shelf, &server.url("/a.echo.md")).await.unwrap();
    assert_eq!(rule(&shelf, &fetched, TrustLeave::Once, TrustPerson::Away).unwrap(), TrustVerdict::Run);
    assert!(!state.path().join("flows/trusted.jsonl").exists());
    assert!(rule(&shelf, &fetched, TrustLeave::NotGiven, TrustPerson::Away).is_err());
}

#[tokio::test]
async fn a_text_that_is_still_right_is_not_sent_again() {
    let server = Server::answering(&[
        answer("200 OK", "ETag: \"v1\"\r\n", b"---\nmodel: m\n---\nhi"),
        answer("304 Not Modified", "", b""),
        answer("200 OK", "ETag: \"v2\"\r\n", b"new"),
        answer("304 Not Modified", "", b""),
    ]);
    let (_state, shelf) = shelf();
    let mut texts = Vec::new();
    for _ in 0..4 {
        let fetched = fetch(&shelf, &server.url("/a.echo.md")).await.unwrap();
        assert_eq!(fetched.notes, [] as [&str; 0]);
        texts.push(fetched.text.text().to_owned());
    }
    assert_eq!(texts, ["---\nmodel: m\n---\nhi", "---\nmodel: m\n---\nhi", "new", "new"]);
    let tag = |text: &str| Some(text.to_owned());
    assert_eq!(server.heard("if-none-match"), [None, tag("\"v1\""), tag("\"v1\""), tag("\"v2\"")]);
}

#[tokio::test]
async fn an_entry_that_somebody_changed_is_no_entry() {
    let server =
        Server::answering(&[answer("200 OK", "ETag: \"v1\"\r\n", b"one"), answer("200 OK", "", b"one")]);
    let (state, shelf) = shelf();
    fetch(&shelf, &server.url("/a.md")).await.unwrap();
    let entry = std::fs::read_dir(state.path().join("flows/cache")).unwrap().next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&entry).unwrap();
    std::fs::write(&entry, text.replace("one", "evil")).unwrap();
    assert_eq!(fetch(&shelf, &server.url("/a.md")).await.unwrap().text.text(), "one");
    assert_eq!(server.heard("if-none-match"), [None, None]);
}

#[tokio::test]
async fn what_is_not_there_is_an_error_at_once() {
    let server = Server::answering(&[answer("404 Not Found", "", b""), answer("200 OK", "", b"never")]);
    let (_state, shelf) = shelf();
    let error = fetch(&shelf, &server.url("/a.md")).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.fetch");
    assert_eq!(error.to_string(), format!("there is nothing at `{}`", server.url("/a.md")));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_busy_server_is_asked_three_times() {
    let busy = answer("503 Busy", "", b"");
    let server = Server::answering(&[busy.clone(), busy.clone(), busy, answer("200 OK", "", b"late")]);
    let (_state, shelf) = shelf();
    let error = fetch(&shelf, &server.url("/a.md")).await.unwrap_err();
    assert!(error.to_string().ends_with("was answered with status 503"), "{error}");
    assert_eq!(fetch(&shelf, &server.url("/a.md")).await.unwrap().text.text(), "late");
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused() {
    let server = Server::answering(&[answer("200 OK", "", &vec![b'x'; 10 * 1024 * 1024 + 1])]);
    let (state, shelf) = shelf();
    let error = fetch(&shelf, &server.url("/a.md")).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.bad-file");
    assert!(error.to_string().ends_with("is larger than 10 MiB"), "{error}");
    assert!(!state.path().join("flows/cache").exists(), "nothing of it is kept");
}

#[tokio::test]
async fn a_redirect_may_not_lead_where_the_first_address_could_not() {
    let server = Server::answering(&[
        answer("302 Found", "Location: /b/c.md\r\n", b""),
        answer("200 OK", "", b"here"),
        answer("302 Found", "Location: http://example.com/x.md\r\n", b""),
    ]);
    let (_state, shelf) = shelf();
    assert_eq!(fetch(&shelf, &server.url("/a.md")).await.unwrap().text.text(), "here");
    let error = fetch(&shelf, &server.url("/a.md")).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.fetch");
    assert_eq!(error.to_string(), "`http://example.com/x.md` would be fetched without encryption");
    let error = fetch(&shelf, "http://example.com/x.md").await.unwrap_err();
    assert!(error.to_string().contains("without encryption"), "{error}");
    let endless = Server::answering(&vec![answer("302 Found", "Location: /again\r\n", b""); 10]);
    let error = fetch(&shelf, &endless.url("/a.md")).await.unwrap_err();
    assert!(error.to_string().ends_with("without end"), "{error}");
}

#[tokio::test]
async fn a_broken_list_trusts_nothing() {
    let server = Server::answering(&[answer("200 OK", "", b"one")]);
    let (state, shelf) = shelf();
    let fetched = fetch(&shelf, &server.url("/a.md")).await.unwrap();
    shelf.remember(&fetched).unwrap();
    let list = state.path().join("flows/trusted.jsonl");
    let good = std::fs::read(&list).unwrap();
    for broken in [[&good[..], b"{\"digest\":"].concat(), [&good[..], b"\xff\n"].concat()] {
        std::fs::write(&list, broken).unwrap();
        let error = rule(&shelf, &fetched, TrustLeave::NotGiven, TrustPerson::There).unwrap_err();
        assert_eq!(error.code().name(), "flow.untrusted", "{error}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_list_and_what_is_kept_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::answering(&[answer("200 OK", "", b"one")]);
    let (state, shelf) = shelf();
    let fetched = fetch(&shelf, &server.url("/a.md")).await.unwrap();
    shelf.remember(&fetched).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&state.path().join("flows/trusted.jsonl")), 0o600);
    let entry = std::fs::read_dir(state.path().join("flows/cache")).unwrap().next().unwrap().unwrap();
    assert_eq!(mode(&entry.path()), 0o600);
}

#[tokio::test]
async fn without_a_place_to_remember_everything_is_asked_about_each_time() {
    let server = Server::answering(&[answer("200 OK", "ETag: \"v1\"\r\n", b"one")]);
    let shelf = AgentShelf::new(None);
    let fetched = fetch(&shelf, &server.url("/a.md")).await.unwrap();
    shelf.remember(&fetched).unwrap();
    assert_eq!(rule(&shelf, &fetched, TrustLeave::NotGiven, TrustPerson::There).unwrap(), TrustVerdict::Ask);
}

#[tokio::test]
async fn a_fetched_file_is_known_by_the_end_of_its_address() {
    let server = Server::answering(&[answer("200 OK", "", b"hi"), answer("200 OK", "", b"hi")]);
    let (_state, shelf) = shelf();
    let file = fetch(&shelf, &server.url("/x/task.echo.md?raw=1")).await.unwrap();
    let program = file.program(Path::new("/w")).unwrap();
    assert_eq!((program.flow.file.as_str(), program.path), ("task.echo.md", None));
    let identity = file.program(Path::new("/w")).unwrap().identity();
    assert_eq!(identity, server.url("/x/task.echo.md?raw=1"), "another file of this name is another file");
    let nameless = fetch(&shelf, &server.url("/x/")).await.unwrap();
    assert_eq!(nameless.program(Path::new("/w")).unwrap().flow.file, "127.0.0.1");
}
