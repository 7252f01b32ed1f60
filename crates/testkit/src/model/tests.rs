//! The model, asked by a client that is nothing but a socket.

use super::{ModelScript, ScriptedModel};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;

/// Sends one request and reads everything that comes.
fn ask(model: &ScriptedModel, path: &str, body: &Value) -> String {
    let (address, body) = (model.address, body.to_string());
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    write!(stream, "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n{body}")
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The JSON of an answer that came whole.
fn whole(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn script() -> ModelScript {
    ModelScript::new().call("execute_command", json!({"command": "echo hello"})).say("that was all")
}

#[test]
fn messages_are_streamed_and_results_are_written_down_once() {
    let model = ScriptedModel::start(script());
    let tools = json!([{"name": "Bash"}, {"name": "mcp__runward__execute_command", "input_schema": {}}]);
    let mut body = json!({"model": "m", "stream": true, "tools": tools, "messages": []});
    let first = ask(&model, "/v1/messages?beta=true", &body);
    assert!(first.contains("text/event-stream") && first.contains("event: message_stop"), "{first}");
    assert!(first.contains(r#""name":"mcp__runward__execute_command""#), "{first}");
    let result =
        json!({"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "hello"}]});
    body["messages"] = json!([{"role": "user", "content": [result]}]);
    for _ in 0..2 {
        let second = ask(&model, "/v1/messages", &body);
        assert!(second.contains("that was all") && second.contains("end_turn"), "{second}");
    }
    let record = model.record();
    assert_eq!((record.texts(), record.requests.len()), (vec!["hello".to_owned()], 3));
    assert_eq!(record.offered_by("runward").len(), 1);
}

#[test]
fn a_tool_in_a_group_is_called_with_its_group() {
    let model = ScriptedModel::start(script());
    let group = json!({"type": "namespace", "name": "mcp__runward", "tools": [{"name": "execute_command"}]});
    let own = json!({"type": "function", "name": "execute_command"});
    let body = json!({"model": "m", "tools": [own, group], "input": []});
    let answer = whole(&ask(&model, "/v1/responses", &body));
    let call = &answer["output"][0];
    assert_eq!((&call["namespace"], &call["name"]), (&json!("mcp__runward"), &json!("execute_command")));
    assert_eq!(call["arguments"], r#"{"command":"echo hello"}"#);
}

#[test]
fn arguments_can_come_from_the_result_before() {
    let script = script().call_after("read_output", |shown| Some(json!({"id": shown.last()?.trim()})));
    let model = ScriptedModel::start(script);
    let tools = json!([{"functionDeclarations": [{"name": "mcp_runward_read_output"}]}]);
    let part = json!({"functionResponse": {"name": "x", "response": {"output": " 17 "}}});
    let body = json!({"tools": tools, "contents": [{"parts": [part]}]});
    let answer = whole(&ask(&model, "/v1beta/models/m:generateContent", &body));
    let call = &answer["candidates"][0]["content"]["parts"][0]["functionCall"];
    assert_eq!(call["args"], json!({"id": "17"}));
}

#[test]
fn a_tool_that_is_not_offered_is_told_and_ends_the_script() {
    let model = ScriptedModel::start(script());
    let tools = json!([{"type": "function", "function": {"name": "not_execute_command_at_all"}}]);
    let body = json!({"model": "m", "tools": tools, "messages": []});
    let answer = whole(&ask(&model, "/v1/chat/completions", &body));
    assert_eq!(answer["choices"][0]["finish_reason"], "stop", "{answer}");
    assert_eq!(model.record().missing.len(), 1);
}

#[test]
fn without_tools_nothing_of_the_script_is_played() {
    let model = ScriptedModel::start(script());
    let body = json!({"model": "m", "stream": true, "messages": []});
    let answer = ask(&model, "/v1/chat/completions", &body);
    assert!(answer.contains(r#""content":"ok""#) && answer.ends_with("data: [DONE]\n\n"), "{answer}");
    assert_eq!(model.record().missing, [""; 0]);
}

#[test]
fn a_body_in_pieces_is_read_whole() {
    let model = ScriptedModel::start(ModelScript::new());
    let mut stream = TcpStream::connect(model.address).unwrap();
    let head = "POST /v1/messages HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    write!(stream, "{head}8\r\n{{\"model\"\r\n5\r\n:\"m\"}}\r\n0\r\n\r\n").unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert_eq!(model.record().requests[0].body, json!({"model": "m"}), "{answer}");
}
