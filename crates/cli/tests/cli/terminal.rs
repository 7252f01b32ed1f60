//! The binary on a terminal: questions, Ctrl-C, the status line. The engine itself lends the terminal.

use crate::runner::{Place, program};
use runward::core::spec::EnvBase;
use runward::{CommandSpec, Engine, Policy, Session, SessionEvent, Started, StdinSpec, Terminal};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A terminal with the binary on it, and everything that appeared so far.
pub(crate) struct Desk {
    session: Session,
    pub(crate) seen: String,
}

/// Longer than any test, so that it is not the engine that ends what should have no limit.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(100);

impl Desk {
    pub(crate) async fn start(place: &Place, args: &[&str]) -> Self {
        Self::start_with(place, args, &[]).await
    }

    /// The same with further variables.
    pub(crate) async fn start_with(place: &Place, args: &[&str], env: &[(&str, &str)]) -> Self {
        let engine = Engine::builder().policy(Policy::allow_everything("a test")).build().unwrap();
        // Some variables may not be given to a command, but a person may have them.
        let given = env.iter().map(|(name, value)| format!("{name}={value}"));
        let mut spec = CommandSpec::exec("env").args(given).arg(env!("CARGO_BIN_EXE_runward")).args(args);
        spec = spec.cwd(place.work()).timeout(LONGEST);
        spec.env.base = EnvBase::Clean;
        spec = place.env().into_iter().fold(spec, |spec, (name, value)| spec.env(name, value));
        spec = spec.env("TERM", "xterm").env("NO_COLOR", "1");
        spec.terminal = Terminal::Pty { rows: 24, cols: 80 };
        spec.stdin = StdinSpec::Open;
        let Started::Running(session) = engine.start(spec).await.unwrap() else { panic!("refused") };
        Self { session, seen: String::new() }
    }

    /// Waits until this text has appeared.
    pub(crate) async fn sees(&mut self, text: &str) {
        while !self.seen.contains(text) {
            match self.session.next_event().await {
                Some(SessionEvent::Output { bytes, .. }) => {
                    self.seen.push_str(std::str::from_utf8(&bytes).unwrap());
                }
                Some(SessionEvent::Stopping { cause }) => {
                    panic!("{cause:?} before {text:?}: {:?}", self.seen)
                }
                Some(_) => {}
                None => panic!("the end before {text:?}: {:?}", self.seen),
            }
        }
    }

    pub(crate) async fn types(&self, keys: &str) {
        self.session.input().write(keys).await.unwrap();
    }

    /// Waits for the end; the exit code and everything that was seen.
    pub(crate) async fn ends(mut self) -> (i32, String) {
        while let Some(event) = self.session.next_event().await {
            if let SessionEvent::Output { bytes, .. } = event {
                self.seen.push_str(std::str::from_utf8(&bytes).unwrap());
            }
        }
        (self.session.wait().await.unwrap().end.exit_code(), self.seen)
    }
}

fn asking() -> Place {
    let place = Place::new();
    place.owner("policy.typed = \"ask\"");
    place
}

#[tokio::test]
async fn a_person_is_shown_the_draft_and_may_say_yes() {
    let place = asking();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[N]o ").await;
    assert!(desk.seen.contains("the program touch made"), "{}", desk.seen);
    assert!(!place.work().join("made").exists(), "nothing runs before the answer");
    desk.types("y\n").await;
    assert_eq!(desk.ends().await.0, 0);
    assert!(place.work().join("made").exists());
}

#[tokio::test]
async fn anything_else_is_a_no() {
    let place = asking();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[N]o ").await;
    desk.types("\n").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 126);
    assert!(seen.contains("[policy.declined]"), "{seen}");
    assert!(!place.work().join("made").exists());
}

fn tables() -> Place {
    let place = Place::new();
    place.owner("# my own rules\n[policy]\ntyped = \"ask\"\n");
    place.project("# the project's\n");
    place
}

#[tokio::test]
async fn always_is_written_to_the_owners_file_and_holds_for_that_very_command() {
    let place = tables();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("Run `touch`? [o]nce / [a]lways / [N]o ").await;
    assert!(desk.seen.contains("\"always\" writes a rule to "), "{}", desk.seen);
    desk.types("a\n").await;
    assert_eq!(desk.ends().await.0, 0);
    let owner = place.owners_text();
    assert!(owner.starts_with("# my own rules\n[policy]\ntyped = \"ask\"\n\n[[policy.rules]]\n"), "{owner}");
    assert!(owner.contains("approved = true") && owner.contains("exact = true"), "{owner}");
    assert_eq!(std::fs::read_to_string(place.work().join(".runward.toml")).unwrap(), "# the project's\n");
    std::fs::remove_file(place.work().join("made")).unwrap();
    let desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0, "{seen}");
    assert!(place.work().join("made").exists() && !seen.contains("Run `touch`?"), "{seen}");
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made", "more"]).await;
    desk.sees("[N]o ").await;
    desk.types("n\n").await;
    assert_eq!(desk.ends().await.0, 126);
    assert!(!place.work().join("more").exists());
}

#[tokio::test]
async fn the_owners_file_stays_what_it_was_a_link_and_private() {
    let place = tables();
    let (file, real) = (place.owners_file(), place.owners_file().with_extension("real"));
    std::fs::rename(&file, &real).unwrap();
    std::fs::set_permissions(&real, PermissionsExt::from_mode(0o600)).unwrap();
    std::os::unix::fs::symlink(&real, &file).unwrap();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[N]o ").await;
    desk.types("always\n").await;
    assert_eq!(desk.ends().await.0, 0);
    assert_eq!(std::fs::read_link(&file).unwrap(), real);
    assert_eq!(std::fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(place.owners_text().contains("approved = true"));
    assert_eq!(std::fs::read_dir(real.parent().unwrap()).unwrap().count(), 2, "nothing is left beside it");
}

#[tokio::test]
async fn always_that_cannot_be_written_after_all_is_told_and_runs_once() {
    let place = tables();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[a]lways").await;
    let closed = "policy = { typed = \"ask\" }\n";
    place.owner(closed);
    desk.types("a\n").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("`always` could not be written to") && seen.contains("this once"), "{seen}");
    assert!(place.work().join("made").exists());
    assert_eq!(place.owners_text(), closed);
}

#[tokio::test]
async fn always_makes_the_file_where_there_was_none() {
    let place = Place::new();
    place.project("[policy]\ntyped = \"ask\"\n");
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[a]lways").await;
    desk.types("a\n").await;
    assert_eq!(desk.ends().await.0, 0);
    assert!(place.owners_text().starts_with("[[policy.rules]]\n"));
    assert_eq!(Desk::start(&place, &["exec", "--", "touch", "made"]).await.ends().await.0, 0, "unasked");
}

#[tokio::test]
async fn what_was_agreed_to_once_can_be_made_a_rule() {
    let place = tables();
    for _ in 0..2 {
        let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
        desk.sees("[N]o ").await;
        desk.types("o\n").await;
        assert_eq!(desk.ends().await.0, 0);
    }
    let suggested = place.run(["policy", "suggest"]);
    assert!(suggested.stdout.starts_with("# agreed to 2 times\n[[policy.rules]]\n"), "{}", suggested.stdout);
    assert!(suggested.stdout.contains("exact = true"), "no broader than asked: {}", suggested.stdout);
    place.owner(&format!("{}\n{}", place.owners_text(), suggested.stdout));
    assert_eq!(Desk::start(&place, &["exec", "--", "touch", "made"]).await.ends().await.0, 0, "unasked");
    let again = place.run(["policy", "suggest", "--json"]);
    assert_eq!(again.stdout.trim(), "[]", "what a rule covers is not suggested again");
}

#[tokio::test]
async fn once_writes_nothing() {
    let place = tables();
    let before = place.owners_text();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[N]o ").await;
    desk.types("o\n").await;
    assert_eq!(desk.ends().await.0, 0);
    assert!(place.work().join("made").exists());
    assert_eq!(place.owners_text(), before);
}

#[tokio::test]
async fn always_is_not_on_offer_where_the_file_could_not_take_it() {
    // A table on one line is closed: nothing can be added to it at the end of the file.
    let place = Place::new();
    place.owner("policy = { typed = \"ask\" }\n");
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("Run `touch`? [o]nce / [N]o ").await;
    desk.types("a\n").await;
    assert_eq!(desk.ends().await.0, 126);
}

#[tokio::test]
async fn always_never_goes_to_the_projects_file() {
    let place = Place::new();
    place.project("[policy]\ntyped = \"ask\"\n");
    let project = place.work().join(".runward.toml");
    let args = ["--config", project.to_str().unwrap(), "exec", "--", "touch", "made"];
    let mut desk = Desk::start(&place, &args).await;
    desk.sees("Run `touch`? [o]nce / [N]o ").await;
    desk.types("a\n").await;
    assert_eq!(desk.ends().await.0, 126);
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_refused_in_time() {
    let place = Place::new();
    place.owner("[policy]\ntyped = \"ask\"\nask_timeout_ms = 50\n");
    let desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 126);
    assert!(
        seen.contains("nobody answered within 50ms") && seen.contains("[policy.needs-approval]"),
        "{seen}"
    );
}

#[tokio::test]
async fn ctrl_c_at_the_question_ends_it() {
    let place = asking();
    let mut desk = Desk::start(&place, &["exec", "--", "touch", "made"]).await;
    desk.sees("[N]o ").await;
    desk.types("\u{3}").await;
    assert_eq!(desk.ends().await.0, 130);
    assert!(!place.work().join("made").exists());
}

#[tokio::test]
async fn ctrl_c_asks_the_command_to_end() {
    let script = "trap 'echo goodbye; exit 7' TERM; echo ready; while :; do sleep 0.02; done";
    let place = Place::new();
    let mut desk = Desk::start(&place, &["exec", "--shell", script]).await;
    desk.sees("ready").await;
    desk.types("\u{3}").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 130);
    assert!(seen.contains("goodbye"), "{seen}");
}

#[tokio::test]
async fn silence_is_told_on_a_line_that_is_taken_away_again() {
    let place = Place::new();
    let fifo = place.work().join("fifo");
    assert!(program(Path::new("mkfifo")).arg(&fifo).status().unwrap().success());
    let mut desk = Desk::start(&place, &["exec", "--", "cat", "fifo"]).await;
    desk.sees(" · 0 B so far · pid ").await;
    // Only now does the command get anything to print.
    std::fs::write(&fifo, "printed\n").unwrap();
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0);
    assert!(seen.ends_with("\r\u{1b}[Kprinted\r\n"), "{seen:?}");
}

#[tokio::test]
async fn our_words_have_no_colour_where_none_is_wanted() {
    let place = Place::new();
    let desk = Desk::start(&place, &["exec", "--", "no-such-program"]).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 127);
    assert!(!seen.contains('\u{1b}'), "{seen:?}");
}
