//! Files that lie elsewhere: which address holds their text, what is kept of them, and who trusts them.

use proptest::prelude::*;
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::lookup::is_address;
use runward_flow::remote::{
    Address, Cached, FetchAnswer, MOST_BYTES, Remote, Trust, TrustLeave, TrustPerson, TrustQuestion,
    TrustVerdict,
};
use std::time::{Duration, SystemTime};

#[track_caller]
fn complaint(result: Result<impl std::fmt::Debug, FlowError>) -> String {
    let error = result.unwrap_err();
    format!("{} {error} · {}", error.code().name(), Coded::hint(&error).unwrap())
}

fn answer(status: u16, body: &str) -> FetchAnswer {
    FetchAnswer { status, etag: Some("\"v1\"".into()), body: body.into() }
}

fn file(text: &str) -> (Remote, Cached) {
    let remote = Remote::locate("https://example.com/flows/task.claude.md").unwrap();
    let cached = Cached::take(None, &remote.raw, answer(200, text)).unwrap();
    (remote, cached)
}

#[test]
fn a_page_about_a_file_leads_to_the_file() {
    let cases = [
        (
            "https://github.com/o/r/blob/main/a/task.claude.md",
            "https://raw.githubusercontent.com/o/r/main/a/task.claude.md",
        ),
        (
            "https://GitHub.com/o/r/blob/main/x.md?plain=1#L3",
            "https://raw.githubusercontent.com/o/r/main/x.md",
        ),
        ("https://www.github.com/o/r/blame/v1/x.md", "https://raw.githubusercontent.com/o/r/v1/x.md"),
        ("https://github.com/o/r/raw/main/x.md", "https://github.com/o/r/raw/main/x.md"),
        (
            "https://github.com/o/r/releases/download/v1/x.md",
            "https://github.com/o/r/releases/download/v1/x.md",
        ),
        (
            "https://raw.githubusercontent.com/o/r/main/x.md?token=a",
            "https://raw.githubusercontent.com/o/r/main/x.md?token=a",
        ),
        (
            "https://gist.github.com/u/0123456789abcdef",
            "https://gist.githubusercontent.com/u/0123456789abcdef/raw",
        ),
        (
            "https://gist.github.com/u/0123456789abcdef/",
            "https://gist.githubusercontent.com/u/0123456789abcdef/raw",
        ),
        ("https://gist.github.com/0123456789abcdef", "https://gist.github.com/0123456789abcdef/raw"),
        (
            "https://gist.github.com/u/0123456/89abcde",
            "https://gist.githubusercontent.com/u/0123456/raw/89abcde",
        ),
        (
            "https://gist.github.com/u/0123456/raw/a.claude.md",
            "https://gist.github.com/u/0123456/raw/a.claude.md",
        ),
        (
            "https://gist.githubusercontent.com/u/1/raw/a.md",
            "https://gist.githubusercontent.com/u/1/raw/a.md",
        ),
        (
            "https://gitlab.com/g/s/p/-/blob/main/a/x.md?ref_type=heads",
            "https://gitlab.com/g/s/p/-/raw/main/a/x.md?ref_type=heads",
        ),
        ("https://gitlab.com/g/p/blob/main/x.md", "https://gitlab.com/g/p/raw/main/x.md"),
        ("https://gitlab.com/g/p/-/raw/main/x.md", "https://gitlab.com/g/p/-/raw/main/x.md"),
        ("https://gitlab.com/-/snippets/42", "https://gitlab.com/-/snippets/42/raw"),
        ("https://git.example.org/g/p/-/blob/main/x.md", "https://git.example.org/g/p/-/raw/main/x.md"),
        ("https://example.com/blob/main/x.md", "https://example.com/blob/main/x.md"),
        ("https://example.com", "https://example.com/"),
        ("http://localhost:8080/x.md", "http://localhost:8080/x.md"),
        ("http://127.0.0.1/x.md", "http://127.0.0.1/x.md"),
        ("HTTP://[::1]:80/x.md", "http://[::1]:80/x.md"),
    ];
    for (page, raw) in cases {
        assert_eq!(Remote::locate(page).unwrap().raw.to_string(), raw, "{page}");
    }
}

#[test]
fn what_is_no_file_or_may_not_be_fetched_is_refused() {
    let cases = [
        (
            "https://github.com/o/r/tree/main/flows",
            "`https://github.com/o/r/tree/main/flows` is a folder, not a file",
        ),
        (
            "https://gitlab.com/g/p/-/tree/main",
            "`https://gitlab.com/g/p/-/tree/main` is a folder, not a file",
        ),
        (
            "https://git.example.org/g/p/-/tree/main",
            "`https://git.example.org/g/p/-/tree/main` is a folder, not a file",
        ),
        ("https://github.com/o/r", "`https://github.com/o/r` is a page, not a file"),
        ("https://gitlab.com/g/p", "`https://gitlab.com/g/p` is a page, not a file"),
        ("https://github.com/o/r/blob/main", "`https://github.com/o/r/blob/main` is a page, not a file"),
        (
            "https://gist.github.com/u/0123456#file-a-claude-md",
            "`https://gist.github.com/u/0123456` is a gist, and what stands behind its `#` does not say the file's whole name",
        ),
        ("http://example.com/x.md", "`http://example.com/x.md` would be fetched without encryption"),
        (
            "http://localhost.example.com/",
            "`http://localhost.example.com/` would be fetched without encryption",
        ),
        (
            "http://127.0.0.1.example.com/",
            "`http://127.0.0.1.example.com/` would be fetched without encryption",
        ),
        (
            "https://github.com@example.com/x",
            "`https://github.com@example.com/x` has a name or a password before its host",
        ),
        ("https://exa\\mple.com/", "`\\\\` cannot stand in an address"),
        ("https://example.com/a b", "` ` cannot stand in an address"),
        ("https:///x.md", "`https:///x.md` names no host"),
        ("https://example.com:99999/", "`https://example.com:99999/` names no host"),
        ("ftp://example.com/", "`ftp://example.com/` is no web address"),
    ];
    for (address, wanted) in cases {
        let error = Remote::locate(address).unwrap_err();
        assert_eq!((error.code().name(), error.to_string().as_str()), ("flow.fetch", wanted), "{address}");
    }
}

#[test]
fn the_name_is_the_last_part_of_the_address_that_was_asked_for() {
    let cases = [
        ("https://github.com/o/r/blob/main/a/task.claude.md?plain=1#L1", "task.claude.md"),
        ("https://example.com/my%20task%2Eclaude.md", "my task.claude.md"),
        ("https://example.com/..%2f..%2fetc.md", "..%2f..%2fetc.md"),
        ("https://example.com/%zz.md", "%zz.md"),
        ("https://example.com/", ""),
    ];
    for (address, name) in cases {
        assert_eq!(Remote::locate(address).unwrap().name, name, "{address}");
    }
}

#[test]
fn an_address_is_known_by_its_scheme() {
    for word in ["https://a", "HTTP://a", "http://"] {
        assert!(is_address(word), "{word}");
    }
    for word in ["task.claude.md", "./https://a", "ftp://a", "http:/a", "C:\\a"] {
        assert!(!is_address(word), "{word}");
    }
}

#[test]
fn a_redirection_keeps_to_the_rules() {
    let (here, _) = Address::parse("https://example.com/a/b?q").unwrap();
    let cases = [
        ("https://other.example/x", "https://other.example/x"),
        ("/x?y", "https://example.com/x?y"),
        ("c.md", "https://example.com/a/c.md"),
        ("//other.example/x", "https://other.example/x"),
    ];
    for (location, wanted) in cases {
        assert_eq!(here.follow(location).unwrap().to_string(), wanted);
    }
    assert!(complaint(here.follow("http://localhost/x")).contains("without encryption"));
    assert!(complaint(here.follow("http://example.com/x")).contains("without encryption"));
    assert!(here.follow("https://a@b/").is_err());
}

#[test]
fn an_entry_is_kept_and_read_again_as_it_was() {
    let (remote, cached) = file("# hi\n\nthere\n");
    let kept = cached.write();
    assert_eq!(Cached::read(&remote.raw, kept.as_bytes()), Some(cached.clone()));
    assert_eq!((cached.etag(), cached.text()), (Some("\"v1\""), "# hi\n\nthere\n"));
    let (other, _) = Address::parse("https://example.com/other.md").unwrap();
    assert_eq!(Cached::read(&other, kept.as_bytes()), None);
    assert_eq!(Cached::read(&remote.raw, (kept + "more").as_bytes()), None);
    assert_eq!(Cached::read(&remote.raw, b"\xff\n"), None);
    assert_ne!(Cached::file_name(&other), Cached::file_name(&remote.raw));
}

#[test]
fn an_answer_is_a_new_text_or_the_old_one_or_an_error() {
    let (remote, cached) = file("old");
    let take =
        |known: Option<&Cached>, answer: FetchAnswer| Cached::take(known.cloned(), &remote.raw, answer);
    assert_eq!(take(Some(&cached), answer(304, "")).unwrap(), cached);
    assert_eq!(take(Some(&cached), answer(200, "new")).unwrap().text(), "new");
    let cases = [
        (take(None, answer(304, "")), "flow.fetch", "was answered with status 304"),
        (take(Some(&cached), answer(404, "")), "flow.fetch", "there is nothing at"),
        (take(None, answer(403, "")), "flow.fetch", "may not be read by everybody"),
        (take(None, answer(500, "")), "flow.fetch", "was answered with status 500"),
        (take(None, FetchAnswer { body: vec![0xff], ..answer(200, "") }), "flow.bad-file", "is not text"),
        (
            take(None, FetchAnswer { body: vec![b'a'; MOST_BYTES + 1], ..answer(200, "") }),
            "flow.bad-file",
            "is larger than 10 MiB",
        ),
    ];
    for (result, code, words) in cases {
        let error = result.unwrap_err();
        assert_eq!(error.code().name(), code);
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_content_is_trusted_once_somebody_agreed_and_only_that_content() {
    let (remote, text) = file("do it");
    let mut trust = Trust::read("").unwrap();
    assert_eq!(trust.rule(&remote, &text, TrustLeave::NotGiven, TrustPerson::There), Ok(TrustVerdict::Ask));
    let line = trust.remember(&remote, &text, SystemTime::UNIX_EPOCH + Duration::from_secs(1));
    let trust = Trust::read(&line).unwrap();
    assert_eq!(trust.rule(&remote, &text, TrustLeave::NotGiven, TrustPerson::Away), Ok(TrustVerdict::Run));
    let (remote, changed) = file("do it!");
    assert_eq!(
        trust.rule(&remote, &changed, TrustLeave::NotGiven, TrustPerson::There),
        Ok(TrustVerdict::Ask)
    );
    assert!(
        line.contains("\"at\":\"1970-01-01T00:00:01.000Z\"")
            && line.contains("\"address\":\"https://example.com/flows/task.claude.md\"")
    );
}

#[test]
fn without_a_terminal_nothing_runs_that_nobody_trusted_unless_told_to() {
    let (remote, text) = file("do it");
    let trust = Trust::default();
    assert_eq!(
        complaint(trust.rule(&remote, &text, TrustLeave::NotGiven, TrustPerson::Away)),
        format!(
            "flow.untrusted nobody has trusted `https://example.com/flows/task.claude.md` with the content blake3:{} · \
             Run it on a terminal and agree, or give `--trust` to run it this once.",
            text.digest()
        )
    );
    assert_eq!(trust.rule(&remote, &text, TrustLeave::Once, TrustPerson::Away), Ok(TrustVerdict::Run));
    assert_eq!(trust, Trust::default());
}

#[test]
fn a_broken_list_trusts_nothing() {
    let (remote, text) = file("do it");
    let line = Trust::default().remember(&remote, &text, SystemTime::UNIX_EPOCH);
    for broken in [
        "yes\n".to_owned(),
        line.replace("digest", "hash"),
        line[..20].to_owned(),
        line.replace(text.digest(), ""),
    ] {
        let error = Trust::read(&(line.clone() + &broken)).unwrap_err();
        assert_eq!(
            (error.code().name(), error.to_string().as_str()),
            ("flow.untrusted", "line 2 of the list of trusted files cannot be read")
        );
    }
}

#[test]
fn the_question_shows_what_would_run_and_obeys_nothing_in_it() {
    let head = format!("---\nmodel: opus\n---\nGo\u{1b}[2K\u{202e}x\t{}\n", "a".repeat(200));
    let text = head + &"line\n".repeat(20);
    let remote = Remote::locate("https://github.com/o/r/blob/main/task.claude.md").unwrap();
    let cached = Cached::take(None, &remote.raw, answer(200, &text)).unwrap();
    let question = TrustQuestion { remote: &remote, text: &cached, command: Some("claude") };
    let shown = question.to_string().replace(cached.digest(), "DIGEST");
    let long = "a".repeat(87);
    let lines = "  | line\n".repeat(8);
    assert_eq!(
        shown,
        format!(
            "This file lies elsewhere, and nobody has trusted what is in it:\n\n\
             \x20 address  https://github.com/o/r/blob/main/task.claude.md\n\
             \x20 text at  https://raw.githubusercontent.com/o/r/main/task.claude.md\n\
             \x20 content  blake3:DIGEST\n\
             \x20 size     332 B, 24 lines\n\
             \x20 runs     claude\n\n\
             \x20 | ---\n  | model: opus\n  | ---\n  | Go\\u{{1b}}[2K\\u{{202e}}x    {long}…\n{lines}\
             \x20 | … 12 more lines\n\n\
             Expand and run it, and trust this content from now on? [y/N] "
        )
    );
    assert_eq!(question.refusal().code().name(), "flow.untrusted");
}

#[test]
fn only_a_yes_is_a_yes() {
    for answer in ["y", "Y\n", " yes "] {
        assert!(TrustQuestion::agrees(answer), "{answer}");
    }
    for answer in ["", "\n", "n", "yep", "ja", "y y"] {
        assert!(!TrustQuestion::agrees(answer), "{answer}");
    }
}

proptest! {
    #[test]
    fn any_text_is_an_address_that_keeps_the_rules_or_is_refused(text in "(https?://)?[a-z.@:/\\[\\]#?%0-9-]{0,40}|\\PC{0,30}") {
        if let Ok(remote) = Remote::locate(&text) {
            let raw = remote.raw.to_string();
            prop_assert!(raw.starts_with("https://") || remote.raw.is_loopback());
            prop_assert_eq!(&Address::parse(&raw).unwrap().0, &remote.raw);
        }
    }
}
