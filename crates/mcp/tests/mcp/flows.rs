//! Markdown agents as prompts and tools: listed, expanded, run, judged, stopped.

use crate::client::{Client, yaml};
use crate::place::{Place, command};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;
use testkit::{TreeMark, until};

/// Where the agents lie.
const FOLDER: [&str; 2] = ["--flows", "agents"];

/// The parameter's error of the protocol.
const INVALID_PARAMS: i64 = -32602;

/// A place without any rule, and these agents in it.
pub(crate) fn place(agents: &[(&str, &str)]) -> Place {
    with(Place::with("").set("ALLOWED_COMMANDS", None), agents)
}

/// The same place with these agents in it.
pub(crate) fn with(place: Place, agents: &[(&str, &str)]) -> Place {
    std::fs::create_dir_all(place.work().join("agents")).unwrap();
    agents.iter().for_each(|(name, text)| put(&place, name, text));
    place
}

fn put(place: &Place, name: &str, text: &str) {
    std::fs::write(place.work().join("agents").join(name), text).unwrap();
}

fn connect(place: &Place) -> Client {
    Client::connect_with(place, &FOLDER)
}

fn get(client: &mut Client, name: &str, arguments: &Value) -> Value {
    client.ask("prompts/get", &json!({"name": name, "arguments": arguments}))
}

/// The text of a prompt.
fn text(answer: &Value) -> &str {
    answer["result"]["messages"][0]["content"]["text"].as_str().unwrap_or_else(|| panic!("{answer}"))
}

fn names(client: &mut Client, method: &str, list: &str) -> Vec<String> {
    let listed = client.ask(method, &json!({}));
    let all = listed["result"][list].as_array().unwrap_or_else(|| panic!("{listed}"));
    all.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect()
}

/// An agent with a hook before and after, a command in its text and a step.
pub(crate) const WHOLE: &str = "---
description: Greet somebody
expose: tool
_inputs:
  who: {type: text, description: Whom to greet}
  times: {type: number, min: 1, max: 3, default: 1}
_steps:
  - {id: first, run: 'step for {{ who }}', command: echo}
pre: echo hooked
post: echo ended with $RUNWARD_EXIT_CODE > after
---
hello {{ who }} {{ times }} !`echo inline` {{ steps.first.stdout }}
";

/// An agent that runs its body as a script.
const SCRIPT: &str = "---\nexpose: tool\n$1: c\n---\n";

#[test]
fn every_file_is_a_prompt_with_all_that_it_takes() {
    let seeds = "---\nargs: [file]\n$tone: kind\n_level: 3\nmodel: small\n---\n{{ file }} {{ tone }} {{ level }} \
                 {{ model }} {{ who | default: 'me' }} {{ _stdin }}\n";
    let place = place(&[("greet.echo.md", WHOLE), ("seeds.echo.md", seeds), ("notes.md", "A document.\n")]);
    let mut client = connect(&place);
    let listed = client.ask("prompts/list", &json!({}));
    let prompts = listed["result"]["prompts"].as_array().unwrap();
    let named: Vec<&str> = prompts.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(named, ["greet", "notes", "seeds"]);
    assert_eq!(prompts[0]["description"], "Greet somebody");
    let who = json!({"name": "who", "description": "Whom to greet.", "required": true});
    let times = "Takes a number between 1 and 3. Default: 1.";
    assert_eq!(
        prompts[0]["arguments"],
        json!([who, {"name": "times", "description": times, "required": false}])
    );
    assert_eq!(prompts[1]["arguments"], json!([]), "a document takes nothing");
    let all = prompts[2]["arguments"].as_array().unwrap();
    let needed = |it: &Value| (it["name"].as_str().unwrap().to_owned(), it["required"] == true);
    let needed: Vec<(String, bool)> = all.iter().map(needed).collect();
    let expected = [
        ("file", true),
        ("tone", false),
        ("_level", false),
        ("level", true),
        ("model", false),
        ("who", false),
        ("input", false),
    ];
    assert_eq!(needed, expected.map(|(name, is)| (name.to_owned(), is)), "{all:?}");
    assert_eq!(all[1]["description"], "Default: kind.");
    assert!(names(&mut client, "tools/list", "tools").ends_with(&["greet".to_owned()]));
}

#[test]
fn those_that_clash_are_named_by_their_command() {
    let place = place(&[("a.echo.md", "x"), ("a.cat.md", "x"), ("execute_command.echo.md", SCRIPT)]);
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["a.cat", "a.echo", "execute_command"]);
    let tools = names(&mut client, "tools/list", "tools");
    assert_eq!(tools.iter().filter(|name| *name == "execute_command").count(), 1);
    assert_eq!(tools.last().unwrap(), "execute_command_echo");
}

#[test]
fn a_prompt_is_expanded_with_what_is_given() {
    let body = "@./part.txt and {{ what }} from !`echo $((6 * 7))`, {{ _stdin }}\n";
    let place = place(&[("ask.echo.md", body), ("part.txt", "A part for {{ reader }}")]);
    let mut client = connect(&place);
    let given = json!({"what": "a $(value) {{ raw }} @./part.txt", "reader": "you", "input": "fed"});
    let answer = get(&mut client, "ask", &given);
    let expected =
        "<stdin>\nfed\n</stdin>\n\nA part for you and a $(value) {{ raw }} @./part.txt from 42, fed";
    assert_eq!(text(&answer), expected);
    assert_eq!(answer["result"]["messages"][0]["role"], "user");
    assert_eq!(answer["result"]["messages"].as_array().unwrap().len(), 1);
}

#[test]
fn missing_and_bad_arguments_are_named() {
    let place = place(&[("greet.echo.md", WHOLE), ("both.echo.md", "{{ one }} {{ two }}")]);
    let mut client = connect(&place);
    let cases = [
        ("both", json!({}), "Missing required template variable: one, two. Give a value for `one`, `two`"),
        (
            "greet",
            json!({"who": "x", "times": "9"}),
            "the input `times` is `9`, but it takes a number between 1",
        ),
        (
            "greet",
            json!({"who": "x", "times": "abc"}),
            "the input `times` is `abc`, but it takes a number between 1 and 3",
        ),
        ("greet", json!({"who": ["x"]}), "the input `who` is `x`, but it takes a text"),
        ("greet", json!({"who": "x", "colour": "red"}), "there is no input named `colour`"),
        ("greet", json!({"who": "x", "_cwd": "/"}), "there is no input named `_cwd`"),
        ("greet", json!({"who": "x", "input": 5}), "`input` is not a text"),
        ("nobody", json!({}), "there is no prompt named `nobody`"),
        (
            "greet",
            json!({"times": "9", "colour": "red"}),
            "3 problems with the arguments\n  there is no input named `colour`\n  greet.echo.md:",
        ),
        (
            "greet",
            json!({"times": "9", "colour": "red"}),
            "is `9`, but it takes a number between 1 and 3\n  Missing required template variable: who",
        ),
    ];
    for (name, arguments, expected) in cases {
        let error = get(&mut client, name, &arguments)["error"].take();
        assert_eq!(error["code"], INVALID_PARAMS, "{name}: {error}");
        assert!(error["message"].as_str().unwrap().contains(expected), "{error}");
    }
    assert!(!place.work().join("after").exists());
    assert!(text(&get(&mut client, "greet", &json!({"who": 5, "times": "2"}))).contains("hello 5 2"));
    let called = client.call("greet", &json!({"who": "x", "times": "abc"}));
    assert!(called.is_error && called.fields["error"]["code"] == "flow.bad-input", "{called:?}");
    let called = client.call("greet", &json!({"times": 2}));
    assert!(called.is_error && called.fields["error"]["code"] == "flow.missing-variable", "{called:?}");
}

#[test]
fn a_refused_command_in_the_text_is_an_error_with_the_refusals_sentence() {
    let place = with(
        Place::with("").set("ALLOWED_COMMANDS", Some("echo,ls")),
        &[("peek.echo.md", "---\nexpose: tool\n---\nlook: !`touch made`\n")],
    );
    let mut client = connect(&place);
    let error = get(&mut client, "peek", &json!({}))["error"].take();
    let message = error["message"].as_str().unwrap();
    let refusal = "Command \"touch\" is not allowed, allowed commands: echo, ls (peek.echo.md:4:";
    assert!(message.starts_with(refusal), "{message}");
    assert_eq!(error["data"]["error"]["code"], "policy.denied");
    let called = client.call("peek", &json!({}));
    assert!(called.is_error && called.text.starts_with(refusal), "{called:?}");
    assert!(!place.work().join("made").exists());
}

#[test]
fn an_agent_with_hooks_a_command_and_a_step_runs_as_a_tool() {
    let place = place(&[("greet.echo.md", WHOLE)]);
    let mut client = connect(&place);
    let called = client.call("greet", &json!({"who": "you", "times": 2, "input": "fed"}));
    let prompt = "<stdin>\nfed\n</stdin>\n\nhooked\nhello you 2 inline step for you";
    assert!(!called.is_error, "{called:?}");
    assert_eq!(yaml(&called), json!({"exit_code": 0, "stdout": format!("{prompt}\n"), "stderr": ""}));
    let fields = &called.fields;
    assert_eq!((&fields["exitCode"], &fields["command"]), (&json!(0), &json!("echo")));
    assert_eq!((&fields["args"], &fields["stderr"]), (&json!([prompt]), &json!("")));
    assert_eq!(std::fs::read_to_string(place.work().join("after")).unwrap(), "ended with 0\n");
    let uri = format!("runward://exec/{}/stdout", fields["id"].as_str().unwrap());
    let read = client.ask("resources/read", &json!({"uri": uri}));
    assert_eq!(read["result"]["contents"][0]["text"], format!("{prompt}\n"));
}

#[test]
fn an_exit_code_is_an_answer_and_a_failed_hook_is_none() {
    let place = place(&[
        ("fails.sh.md", "---\nexpose: tool\n$1: c\npost: exit 4\n---\necho out; echo err >&2; exit 3\n"),
        ("hooked.echo.md", "---\nexpose: tool\npre: echo broken >&2; exit 2\n---\nx\n"),
        ("steps.echo.md", "---\nexpose: tool\n_steps: [{id: a, run: only this}]\n---\n"),
        ("gone.no-such-program.md", "---\nexpose: tool\n---\nx\n"),
    ]);
    let mut client = connect(&place);
    let called = client.call("fails", &json!({}));
    assert!(!called.is_error && called.fields["exitCode"] == 3, "{called:?}");
    assert_eq!((&called.fields["stdout"], &called.fields["stderr"]), (&json!("out\n"), &json!("err\n")));
    assert_eq!(called.fields["notes"], json!(["Post hook failed: exit code 4"]));
    let called = client.call("hooked", &json!({}));
    assert!(called.is_error && called.text.starts_with("Pre hook failed: exit code 2: broken"), "{called:?}");
    let called = client.call("steps", &json!({}));
    assert_eq!((&called.fields["stdout"], &called.fields["args"]), (&json!("only this"), &json!([])));
    assert_eq!(text(&get(&mut client, "steps", &json!({}))), "only this");
    let called = client.call("gone", &json!({}));
    assert!(called.is_error && called.text.contains("no-such-program"), "{called:?}");
}

#[test]
fn a_folder_is_leave_for_its_agents_and_for_nothing_else() {
    let place = place(&[("exec.echo.md", "---\nexpose: tool\n---\nfine\n")]);
    let mut client = Client::connect_with(&place, &["--flows", "agents", "--tools", "execute_command"]);
    assert_eq!(client.call("exec_echo", &json!({})).fields["stdout"], "fine\n");
    let called = client.call("execute_command", &json!({"command": "echo x"}));
    assert!(called.is_error && called.fields["error"]["code"] == "policy.denied", "{called:?}");
    let denied = with(Place::with("[policy]\nallow = [\"ls\"]\n").set("ALLOWED_COMMANDS", None), &[]);
    put(&denied, "exec.echo.md", "---\nexpose: tool\n---\nfine\n");
    let called = connect(&denied).call("exec_echo", &json!({}));
    assert!(called.is_error && called.fields["error"]["code"] == "policy.denied", "{called:?}");
}

#[test]
fn a_list_of_commands_governs_agents_too() {
    let agents = [
        ("script.sh.md", "---\nexpose: tool\n$1: c\n---\ntouch made\n"),
        ("greet.echo.md", "---\nexpose: tool\n---\nhi\n"),
    ];
    let place = with(Place::with("").set("ALLOWED_COMMANDS", Some("echo")), &agents);
    let mut client = connect(&place);
    assert_eq!(client.call("greet", &json!({})).fields["stdout"], "hi\n");
    let called = client.call("script", &json!({}));
    assert!(called.is_error && called.text.starts_with("Command \""), "{called:?}");
    assert!(called.text.contains("is not allowed, allowed commands: echo"), "{called:?}");
    assert!(!place.work().join("made").exists());
}

#[test]
fn what_is_given_stays_data() {
    let body = "---\nexpose: tool\n---\n{{ x }} !`printf %s {{ x | q }}`\n";
    let place = place(&[("data.echo.md", body), ("first.echo.md", body)]);
    let mut client = connect(&place);
    for value in
        ["$(touch made)", "!`touch made`", "'; touch made; '", "{{ 6 | times: 7 }}", "@./data.echo.md"]
    {
        let called = client.call("data", &json!({"x": value}));
        assert_eq!(called.fields["stdout"], format!("{value} {value}\n"), "{called:?}");
    }
    let called = client.call("data", &json!({"x": "-n --help"}));
    let refused = "the prompt begins with `-`, and `echo` would read it as an option";
    assert!(called.is_error && called.text.starts_with(refused), "{called:?}");
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_cancelled_agent_leaves_nothing_wherever_it_is() {
    let tree = "setsid sleep {{ mark }} & (sleep {{ mark }} &); trap '' TERM; sleep {{ mark }}; true";
    let inline = format!("---\nexpose: tool\n---\n!`{tree}`\n");
    let place = place(&[("body.sh.md", &format!("{SCRIPT}{tree}\n")), ("inline.echo.md", &inline)]);
    let mut client = connect(&place);
    for name in ["body", "inline"] {
        let mark = TreeMark::new();
        let id = client.send_call(name, &json!({"mark": mark.text()}));
        until("the whole tree is there", || mark.carriers().len() >= 4);
        client.cancel(id);
        until("nothing is left", || mark.carriers().is_empty());
    }
    let mark = TreeMark::new();
    let params = json!({"name": "inline", "arguments": {"mark": mark.text()}});
    let id = client.send("prompts/get", &params);
    until("the whole tree is there", || mark.carriers().len() >= 4);
    client.cancel(id);
    until("nothing is left", || mark.carriers().is_empty());
    assert!(!client.ask("prompts/list", &json!({}))["result"].is_null(), "the connection lives on");
}

#[test]
fn an_agent_may_take_as_long_as_any_other_call() {
    let place = with(Place::with("[limits]\ntimeout_ms = 300\n").set("ALLOWED_COMMANDS", None), &[]);
    put(&place, "slow.sh.md", &format!("{SCRIPT}echo begun; sleep 600\n"));
    let called = connect(&place).call("slow", &json!({}));
    assert!(called.is_error && called.fields["timedOut"] == true, "{called:?}");
    assert_eq!((&called.fields["exitCode"], &called.fields["stdout"]), (&json!(124), &json!("begun\n")));
    assert!(called.text.contains("Timed out after 300ms"), "{called:?}");
}

#[test]
fn a_file_says_how_long_its_agent_may_take() {
    let slow = "---\nexpose: tool\n$1: c\n_timeout: 0.2\n---\necho begun; sleep 600\n";
    let place = place(&[("slow.sh.md", slow)]);
    let called = connect(&place).call("slow", &json!({}));
    assert!(called.is_error && called.text.contains("Timed out after 200ms"), "{called:?}");
    let usual = "[limits]\ntimeout_ms = 300\n";
    let place = with(Place::with(usual).set("ALLOWED_COMMANDS", None), &[]);
    put(&place, "slow.sh.md", "---\nexpose: tool\n$1: c\n_timeout: 5m\n---\nsleep 0.6; echo done\n");
    assert_eq!(connect(&place).call("slow", &json!({})).fields["stdout"], "done\n");
}

#[test]
fn output_is_told_while_an_agent_runs() {
    let place = place(&[("steps.sh.md", &format!("{SCRIPT}echo one; read x < gate; echo two\n"))]);
    let gate = place.gate();
    let mut client = connect(&place);
    let id = client
        .send("tools/call", &json!({"name": "steps", "arguments": {}, "_meta": {"progressToken": "p"}}));
    assert_eq!(client.hears("notifications/progress")["params"]["message"], "one");
    std::fs::write(gate, "go\n").unwrap();
    assert_eq!(client.called(id).fields["stdout"], "one\ntwo\n");
}

#[test]
fn files_are_read_again_and_clients_hear_of_it() {
    let place = place(&[("one.echo.md", "1")]);
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["one"]);
    put(&place, "two.echo.md", "---\nexpose: tool\n---\n2\n");
    assert_eq!(client.call("two", &json!({})).fields["stdout"], "2\n");
    client.hears("notifications/prompts/list_changed");
    client.hears("notifications/tools/list_changed");
    put(&place, "two.echo.md", "---\nexpose: tool\n---\nanother\n");
    assert_eq!(client.call("two", &json!({})).fields["stdout"], "another\n");
    std::fs::remove_file(place.work().join("agents/one.echo.md")).unwrap();
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["two"]);
    put(&place, "three.echo.md", "3");
    let pid = client.pid().to_string();
    assert!(command(Path::new("/bin/kill")).args(["-HUP", &pid]).status().unwrap().success());
    client.heard.clear();
    client.hears("notifications/prompts/list_changed");
    assert_eq!(client.call("two", &json!({})).fields["stdout"], "another\n", "its leave is still there");
}

#[test]
fn broken_files_are_left_out_and_told_once() {
    let place = place(&[("good.echo.md", "1"), ("bad.echo.md", "---\nexpose: maybe\n---\n")]);
    put(&place, "open.i.echo.md", "---\nexpose: tool\n---\nx\n");
    let mut server = place.server(&FOLDER);
    let complaints = place.work().join("complaints");
    server.stderr(Stdio::from(std::fs::File::create(&complaints).unwrap()));
    let mut client = Client::of(server);
    client.greet();
    let told = client.hears("notifications/message")["params"]["data"]["message"].take();
    let said = "agents/bad.echo.md` is left out: `expose` is `maybe`, not `tool` or `prompt` (line 2)";
    assert!(told.as_str().unwrap().ends_with(said), "{told}");
    let told = client.hears("notifications/message")["params"]["data"]["message"].take();
    let said = "agents/open.i.echo.md` is a prompt only, and no tool: an interactive agent has a terminal, which a \
                tool has not (line 2)";
    assert!(told.as_str().unwrap().ends_with(said), "{told}");
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["good", "open"]);
    put(&place, "worse.echo.md", "{{ oops");
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["good", "open"]);
    let told = client.hears("notifications/message")["params"]["data"]["message"].take();
    assert!(told.as_str().unwrap().contains("worse.echo.md` is left out"), "{told}");
    client.close();
    let said = std::fs::read_to_string(complaints).unwrap();
    let files = ["bad.echo.md", "open.i.echo.md", "worse.echo.md"];
    let others = said.lines().filter(|line| !line.contains("No rules are set"));
    assert_eq!(others.count(), 3, "{said}");
    assert!(files.iter().all(|file| said.matches(file).count() == 1), "{said}");
}

#[test]
fn a_document_is_a_prompt_to_the_letter() {
    let words = "# Notes\n\nNo {{ template }}, no !`touch made`, no @./import.\n";
    let place = place(&[("notes.md", words), ("notes.echo.md", "x"), ("empty.md", "")]);
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["empty", "notes.echo", "notes.md"]);
    assert_eq!(text(&get(&mut client, "notes.md", &json!({}))), words);
    assert_eq!(text(&get(&mut client, "empty", &json!({}))), "");
    for given in [json!({"template": "x"}), json!({"input": "x"})] {
        let error = get(&mut client, "notes.md", &given)["error"].take();
        assert_eq!(error["code"], INVALID_PARAMS, "{error}");
        assert!(error["message"].as_str().unwrap().contains("there is no input named"), "{error}");
    }
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_file_that_names_no_command_is_a_prompt_and_no_tool() {
    let words = "---\ndescription: Plan\nexpose: tool\nargs: [what]\n---\nPlan {{ what }} !`echo well`.\n";
    let steps = "---\n_steps: [{id: a, run: x}]\n---\n{{ steps.a.stdout }}";
    let own = "---\n_steps: [{id: a, run: x, command: echo}]\n---\nsaid {{ steps.a.stdout }}";
    let place = place(&[("plan.md", words), ("steps.md", steps), ("own.md", own)]);
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["own", "plan"]);
    assert!(!names(&mut client, "tools/list", "tools").contains(&"plan".to_owned()));
    assert_eq!(text(&get(&mut client, "plan", &json!({"what": "a trip"}))), "Plan a trip well.");
    assert_eq!(text(&get(&mut client, "own", &json!({}))), "said x");
    let huge = "x".repeat(200 * 1024);
    let answer = get(&mut client, "plan", &json!({"what": huge}));
    assert_eq!(text(&answer).len(), huge.len() + "Plan  well.".len(), "it is nobody's argument");
}

#[test]
fn an_interactive_file_is_a_prompt_whatever_it_exposes() {
    let tool = "---\nexpose: tool\n---\nTalk about {{ what }}.\n";
    let place = place(&[("talk.i.echo.md", tool), ("chat.echo.md", "---\n_interactive: true\n---\nhi\n")]);
    let mut client = connect(&place);
    assert_eq!(names(&mut client, "prompts/list", "prompts"), ["chat", "talk"]);
    assert_eq!(text(&get(&mut client, "talk", &json!({"what": "rain"}))), "Talk about rain.");
    assert_eq!(text(&get(&mut client, "chat", &json!({}))), "hi");
    let tools = names(&mut client, "tools/list", "tools");
    assert!(tools.iter().all(|name| name != "talk" && name != "chat"), "{tools:?}");
}

#[test]
fn a_folder_that_does_not_exist_is_an_error_at_the_start() {
    let place = Place::open();
    let said = place.server(&["--flows", "nowhere"]).output().unwrap();
    assert_eq!(said.status.code(), Some(125));
    let words = String::from_utf8(said.stderr).unwrap();
    assert!(words.contains("the folder of agents `nowhere` is not a directory"), "{words}");
}

#[test]
fn a_person_is_asked_about_what_an_agent_runs() {
    let rules = "[policy]\nallow = [\"echo\"]\nask = [\"touch\"]\n";
    let place = with(Place::with(rules).set("ALLOWED_COMMANDS", None), &[]);
    put(&place, "ask.echo.md", "---\nexpose: tool\n---\nmade: !`touch made`\n");
    let mut client = Client::silent(&place, &FOLDER);
    client.greet_as(&json!({"elicitation": {}}));
    let id = client.send("prompts/get", &json!({"name": "ask", "arguments": {}}));
    let form = client.hears("elicitation/create");
    assert!(form["params"]["message"].as_str().unwrap().contains("touch made"), "{form}");
    client.reply(&form, &json!({"action": "decline"}));
    let answer = client.answer(id);
    assert_eq!(answer["error"]["data"]["error"]["code"], "policy.declined", "{answer}");
    let id = client.send_call("ask", &json!({}));
    let form = client.hears("elicitation/create");
    assert!(!place.work().join("made").exists());
    client.reply(&form, &json!({"action": "accept", "content": {"answer": "once"}}));
    assert_eq!(client.called(id).fields["stdout"], "made:\n");
    assert!(place.work().join("made").exists());
}

#[test]
fn without_the_option_there_are_no_prompts() {
    let mut client = Client::open(&[]);
    assert!(client.ask("prompts/list", &json!({}))["result"]["prompts"].as_array().unwrap().is_empty());
    assert_eq!(get(&mut client, "x", &json!({}))["error"]["code"], INVALID_PARAMS);
}
