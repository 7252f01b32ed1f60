//! Check of the door with events that are broken in a hundred thousand ways, and with hostile commands through every format.
//!
//! What is let pass in silence is compared with an oracle that reads the same bytes in its own, laxer way.

use crate::hook::{HookAnswer, HookClient, HookEvent, HookMoment, ToolRuns, failure, sample};
use runward::{Caller, CommandSpec, Door, Engine, Hand, Policy, Request};
use serde_json::Value;

const DENIED: &str = "rm -rf /srv/precious";

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or_default() % most.max(1)
    }
}

const PIECES: &[&str] = &[
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "3",
    "\"command\":\"ls\",",
    "\"command\":null,",
    "\"tool_name\":\"Read\",",
    "\"tool_input\":{},",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    " ",
    "\n",
    "\0",
    "\"hook_event_name\":\"PostToolUse\",",
    "\"cwd\":3,",
    "[\"rm\",\"-rf\",\"/srv/precious\"]",
    "/*",
    "//",
];

fn mutated(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=dice.below(3) {
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => bytes[at] = u8::try_from(dice.below(256)).unwrap_or_default(),
            1 => drop(bytes.remove(at)),
            2 => bytes.truncate(at.max(1)),
            3 => {
                let end = (at + dice.below(20)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => {
                let piece = PIECES[dice.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    bytes
}

/// What the door says of these bytes, where everything but `ls` is denied.
fn told(client: HookClient, bytes: &[u8]) -> (Option<HookEvent>, crate::hook::ClientWords) {
    let event = match HookEvent::read(client, bytes) {
        Ok(event) => event,
        Err(trouble) => return (None, failure(client, &trouble.0)),
    };
    let answer = match &event.runs {
        ToolRuns::Command(found) if event.moment == HookMoment::Before && found.text != "ls" => {
            HookAnswer::Deny("no".to_owned())
        }
        _ => HookAnswer::Silence,
    };
    let words = answer.words(&event);
    (Some(event), words)
}

/// Whether the denied command stands where a tool would find it, as a lax reader sees it.
fn is_denied_there(value: &Value) -> bool {
    match value {
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let names = ["command", "cmd", "script"].contains(&key.as_str());
            let nested = || value.as_str().and_then(|text| serde_json::from_str(text).ok());
            (names && value.as_str() == Some(DENIED))
                || is_denied_there(value)
                || (key == "toolArgs" && nested().is_some_and(|inner: Value| is_denied_there(&inner)))
        }),
        Value::Array(all) => all.iter().any(is_denied_there),
        _ => false,
    }
}

#[test]
fn of_a_hundred_thousand_broken_events_none_lets_a_denied_command_pass() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let samples: Vec<(HookClient, String)> =
        HookClient::ALL.into_iter().map(|client| (client, sample(client, DENIED))).collect();
    let (mut passed, mut refused) = (0, 0);
    for round in 0..100_000 {
        let (client, text) = &samples[round % samples.len()];
        let bytes = mutated(text.as_bytes(), &mut dice);
        let (event, words) = told(*client, &bytes);
        assert!(words.code == 0 || words.code == 2, "{words:?}");
        assert!(words.code == 0 || !words.stderr.is_empty(), "{:?}", bytes.escape_ascii());
        let silent = event.as_ref().is_some_and(|event| words == HookAnswer::Silence.words(event));
        if !silent {
            refused += 1;
            continue;
        }
        passed += 1;
        let event = event.unwrap();
        let runs_none = event.moment == HookMoment::After || event.runs == ToolRuns::Nothing;
        let other_tool = runs_none && !event.client.name().is_empty() && is_no_shell(&event);
        let there = serde_json::from_slice::<Value>(&bytes).is_ok_and(|value| is_denied_there(&value));
        assert!(!there || other_tool, "{client:?} let pass: {}", bytes.escape_ascii());
    }
    assert!(refused > 50_000 && passed > 0, "{refused} refused, {passed} passed: the dice must reach both");
}

/// The tool was renamed to one that runs no command, or the event to one that comes after, or the place of the input is gone.
fn is_no_shell(event: &HookEvent) -> bool {
    let known = ["Bash", "run_shell_command", "bash", "Shell", "execute_command"];
    event.moment == HookMoment::After || !known.contains(&event.tool.as_str())
}

#[test]
fn hostile_commands_are_judged_through_every_format_as_they_are_by_themselves() {
    let engine = Engine::builder()
        .policy(Policy::allow_programs(["ls", "echo", "git", "cat", "find"]))
        .build()
        .unwrap();
    let texts = hostile();
    for (at, text) in texts.iter().enumerate() {
        let plain =
            engine.explain(Request::by(Caller::tool(Door::Mcp, "execute_command"), CommandSpec::shell(text)));
        let plain = plain.map(|draft| draft.ruling().decision()).map_err(|error| error.to_string());
        let client = HookClient::ALL[at % HookClient::ALL.len()];
        for client in [client, HookClient::ClaudeCode] {
            let event = HookEvent::read(client, sample(client, text).as_bytes()).unwrap();
            let ToolRuns::Command(found) = &event.runs else { panic!("{text}") };
            assert_eq!(&found.text, text, "{client:?}");
        }
        let caller = Caller {
            door: Door::Hook,
            hand: Hand::Program,
            name: Some(client.name().into()),
            tool: Some("Bash".into()),
        };
        let hooked = engine.explain(Request::by(caller, CommandSpec::shell(text)));
        let hooked = hooked.map(|draft| draft.ruling().decision()).map_err(|error| error.to_string());
        assert_eq!(hooked, plain, "{text}");
    }
    assert!(texts.len() >= 400, "{}", texts.len());
}

/// Ways to run something denied: each way with each prefix.
fn hostile() -> Vec<String> {
    let ways = [
        "bash t.sh",
        "env rm -rf x",
        "echo x | xargs rm",
        "eval 'rm -rf x'",
        "alias ls='rm -rf'; ls x",
        "cat <<E | sh\nrm -rf x\nE",
        "echo cm0gLXJmIHg= | base64 -d | sh",
        "rm -rf x",
        "\\rm -rf x",
        "'r'm x",
        "command rm x",
        "exec rm x",
        "nohup rm x",
        "timeout 5 rm x",
        "sudo rm x",
        "find . -exec rm {} +",
        "find . -delete",
        "git -c core.pager='rm x' log",
        "git -c alias.x='!rm x' x",
        "ls $(rm x)",
        "ls `rm x`",
        "ls <(rm x)",
        "ls; rm x",
        "ls && rm x",
        "ls || rm x",
        "ls | rm x",
        "ls & rm x",
        "ls\nrm x",
        "(rm x)",
        "{ rm x; }",
        "if rm x; then :; fi",
        "for i in rm; do $i x; done",
        "f() { rm x; }; f",
        "x=rm; $x y",
        "r${u}m x",
        "$'\\x72m' x",
        "ls > /etc/passwd",
        "ls >| f",
        "trap 'rm x' EXIT",
        "PATH=. ls",
        "LD_PRELOAD=x ls",
    ];
    let fronts = ["", "cd sub && ", "true; ", "A=1 ", "! ", "time ", " \t", "# x\n", "ls; ", "echo 'a;b' ; "];
    ways.iter().flat_map(|way| fronts.iter().map(move |front| format!("{front}{way}"))).collect()
}
