//! `ps`, `logs`, `wait`, `kill` and `attach` against a server that this test plays.

use crate::runner::{Place, Said};
use runward::core::spec::StdinSpec;
use runward::registry::{Live, SessionOwner, SessionRules, Sessions, StartedSession};
use runward::{CommandSpec, Engine, Policy, Terminal, Wish};
use tokio::runtime::Runtime;

/// A server with sessions, in the place that the binary looks in.
struct Server {
    place: Place,
    sessions: Sessions,
    runtime: Runtime,
}

impl Server {
    fn new() -> Self {
        let place = Place::new();
        let engine = Engine::builder().policy(Policy::allow_everything("a test")).build().unwrap();
        let sessions = Sessions::new(engine, SessionRules::default());
        let runtime = place.serves(sessions.clone());
        Self { place, sessions, runtime }
    }

    fn start(&self, text: &str, terminal: Terminal) -> Live {
        self.start_as(Some("work".to_owned()), text, terminal)
    }

    fn start_unnamed(&self, text: &str) -> Live {
        self.start_as(None, text, Terminal::Pipes)
    }

    fn start_as(&self, name: Option<String>, text: &str, terminal: Terminal) -> Live {
        let mut spec = CommandSpec::shell(text);
        spec.stdin = StdinSpec::Open;
        spec.terminal = terminal;
        spec.limits.wall = Wish::Off;
        let owner = SessionOwner::named("test");
        let started = self.sessions.start(&owner, spec, name);
        match self.runtime.block_on(started) {
            Ok(StartedSession::Running(live)) => live,
            other => panic!("did not start: {other:?}"),
        }
    }

    fn run(&self, args: &[&str]) -> Said {
        self.place.run(args)
    }
}

#[test]
fn without_a_server_there_is_nothing_to_show() {
    let said = Place::new().run(["ps"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "no sessions\n"));
    let said = Place::new().run(["logs", "nope"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("Session not found: nope [session.unknown]"), "{said:?}");
}

#[test]
fn ps_shows_what_runs() {
    let server = Server::new();
    let live = server.start("echo hi; sleep 300", Terminal::Pipes);
    let said = server.run(&["ps"]);
    assert!(
        said.stdout.contains(&live.id()[28..]) && said.stdout.contains("[work] echo hi; sleep 300"),
        "{said:?}"
    );
    let said = server.run(&["ps", "--json"]);
    assert!(said.stdout.contains("\"state\":\"running\""), "{said:?}");
}

#[test]
fn logs_and_wait_show_the_output_and_the_end() {
    let server = Server::new();
    let live = server.start("echo out; echo err >&2; exit 3", Terminal::Pipes);
    assert_eq!(server.run(&["wait", "work"]).code, 3);
    assert_eq!(server.run(&["logs", &live.id()]).stdout, "out\nerr\n");
    assert_eq!(server.run(&["logs", "-f", "work"]).stdout, "out\nerr\n");
}

#[test]
fn kill_ends_a_session_and_everything_it_started() {
    let server = Server::new();
    let mark = testkit::TreeMark::new();
    server.start(&format!("setsid sleep {0} & sleep {0}", mark.text()), Terminal::Pipes);
    testkit::until("the tree is there", || mark.carriers().len() >= 2);
    let said = server.run(&["kill", "work"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(mark.carriers(), [0; 0]);
    let said = server.run(&["kill", "--signal", "SIGNOPE", "work"]);
    assert!(said.stderr.contains("there is no signal named `SIGNOPE`"), "{said:?}");
}

#[test]
fn attach_passes_input_on_and_exits_with_the_sessions_code() {
    let server = Server::new();
    server.start("read line; echo \"got <$line>\"; exit 5", Terminal::Pty { rows: 24, cols: 80 });
    let output = server.place.feed(["attach", "work"], b"hello\n".to_vec());
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.contains("got <hello>"), "{shown:?} {:?}", output.status);
    assert_eq!(output.status.code(), Some(5));
}

#[test]
fn sessions_are_told_apart_and_found_by_what_is_shown() {
    let server = Server::new();
    let mut lives: Vec<Live> = (0..6).map(|_| server.start_unnamed("sleep 300")).collect();
    // Of seventeen ids two begin alike.
    let twin = loop {
        let (last, rest) = lives.split_last().unwrap();
        match rest.iter().find(|live| live.id()[..1] == last.id()[..1]) {
            Some(twin) => break twin.id(),
            None => lives.push(server.start_unnamed("sleep 300")),
        }
    };
    let said = server.run(&["ps"]);
    let mut shown: Vec<&str> =
        said.stdout.lines().skip(1).map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(shown.len(), lives.len(), "{said:?}");
    let several = server.run(&["kill", &twin[..1]]);
    assert_eq!(several.code, 125, "{several:?}");
    assert!(several.stderr.contains("sessions may be meant") && several.stderr.contains(&twin[..8]));
    let short = lives[2].id()[28..].to_owned();
    assert!(shown.contains(&short.as_str()), "{said:?}");
    let killed = server.run(&["kill", &short]);
    assert!(killed.stdout.starts_with(&lives[2].id()), "{killed:?}");
    assert_eq!(server.run(&["logs", &short]).code, 0);
    assert_eq!(server.run(&["wait", &short]).code, 143);
    shown.sort_unstable();
    shown.dedup();
    assert_eq!(shown.len(), lives.len());
}
