//! Children that send too much, or nothing that can be parsed: each call is answered, and memory stays bounded.

use crate::client::{Called, Client};
use crate::gateway::{child, connect, connect_as, list, place};
use crate::place::Place;
use serde_json::{Value, json};
use testkit::process::resident;
use testkit::until;

const MIB: i64 = 1 << 20;

/// A place with these servers, and messages of at most a mebibyte.
fn tight(servers: &Value) -> Place {
    let place = Place::with("[gateway]\nmessage_bytes = 1048576\n").set("ALLOWED_COMMANDS", None);
    list(&place, servers);
    place
}

/// The most memory that a process ever had, in bytes.
fn peak(pid: u32) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<i64>().unwrap() * 1024
}

fn is_bad_answer(called: &Called, words: &str) {
    assert!(called.is_error && called.text.contains(words), "{words}: {called:?}");
    assert_eq!(called.fields["error"]["code"], "gateway.bad-answer", "{called:?}");
}

#[test]
fn an_answer_beyond_the_bound_is_an_error_for_its_call_alone_wherever_its_id_stands() {
    let place = tight(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let before = client.call("one__pid", &json!({})).text;
    let waits = client.send_call("one__wait", &json!({"until": place.work().join("gate")}));
    for tool in ["one__big", "one__id_last"] {
        assert_eq!(client.call(tool, &json!({"bytes": 1_000_000})).text.len(), 1_000_000, "{tool}");
        let long = client.call(tool, &json!({"bytes": 3_000_000}));
        is_bad_answer(&long, "the server `one` sent a message of more than 1 MiB (`gateway.message_bytes`)");
    }
    std::fs::write(place.work().join("gate"), "").unwrap();
    assert_eq!(client.called(waits).text, "waited");
    assert_eq!(client.call("one__pid", &json!({})).text, before, "it was not ended");
}

#[test]
fn a_line_without_an_end_ends_the_child_and_answers_everybody_who_waits() {
    let place = tight(&json!({"one": child(&[]), "two": child(&[])}));
    let mut client = connect(&place);
    let waits = client.send_call("one__wait", &json!({"until": "/nonexistent"}));
    let endless = client.call("one__endless", &json!({"bytes": 30_000_000}));
    for called in [endless, client.called(waits)] {
        assert_eq!(called.fields["error"]["code"], "gateway.unavailable", "{called:?}");
        assert!(
            called.text.contains("it was ended because it sent a message of more than 1 MiB"),
            "{called:?}"
        );
    }
    assert_eq!(client.call("two__echo", &json!({"text": "x"})).text, "x");
}

#[test]
fn an_answer_that_nobody_can_read_is_an_error_at_once() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let before = client.call("one__pid", &json!({})).text;
    let answer = |result: &str| json!({"text": format!(r#"{{"jsonrpc":"2.0","id":$ID,"result":{result}}}"#)});
    let mut nested = answer("$NEST");
    nested["nested"] = json!(100_000);
    let mut bytes = br#"{"jsonrpc":"2.0","id":$ID,"result":"#.to_vec();
    bytes.extend(b"\"\xff\xfe\"}");
    let objects = format!("[{}0]", r#"{"":0},"#.repeat(200_000));
    for (raw, words) in [
        (nested, "recursion limit"),
        (answer("1e999999"), "number out of range"),
        (answer("\"a\u{0}b\""), "control character"),
        (json!({ "bytes": bytes }), "invalid unicode"),
        (answer("{\"a\":"), "expected value"),
        (answer(&objects), "too much memory"),
    ] {
        is_bad_answer(&client.call("one__raw", &raw), words);
    }
    assert_eq!(client.call("one__pid", &json!({})).text, before, "it was not ended");
}

#[test]
fn whoever_gets_no_answer_of_theirs_hears_so_in_time() {
    let mut one = child(&[]);
    one["timeout_ms"] = json!(300);
    let place = place(&json!({ "one": one }));
    let mut client = connect(&place);
    for raw in [
        json!({"text": r#"{"jsonrpc":"2.0","id":$ID,"resu"#, "end": false}),
        json!({"text": r#"lt":{}}"#}),
        json!({"text": r#"{"jsonrpc":"2.0","id":999999,"result":{}}"#}),
        json!({"text": r#"{"jsonrpc":"2.0","id":[$ID],"result":{}}"#}),
        json!({"bytes": [0, 0, 0, 0]}),
    ] {
        let late = client.call("one__raw", &raw);
        assert!(late.is_error && late.text.contains("did not answer within 300ms"), "{raw}: {late:?}");
    }
    assert_eq!(client.call("one__twice", &json!({})).text, "first");
    let closed = client.call("one__shut", &json!({"what": "stdout"}));
    assert!(closed.is_error && closed.text.contains("did not answer within 300ms"), "{closed:?}");
}

#[test]
fn a_child_that_closes_its_input_is_ended_with_the_reason() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    assert_eq!(client.call("one__shut", &json!({"what": "stdin"})).text, "deaf");
    let called = client.call("one__echo", &json!({"text": "x"}));
    assert!(
        called.is_error && called.text.contains("it was ended because it closed its input"),
        "{called:?}"
    );
    until("it is back", || !client.call("one__echo", &json!({"text": "x"})).is_error);
}

#[test]
fn fifty_who_wait_for_a_child_that_exits_are_all_answered() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    let waiting: Vec<_> =
        (0..50).map(|_| client.send_call("one__wait", &json!({"until": "/nonexistent"}))).collect();
    let died = client.send_call("one__die", &json!({"code": 7}));
    for id in waiting.into_iter().chain([died]) {
        let called = client.called(id);
        assert!(called.is_error && called.text.contains("died before it answered"), "{called:?}");
    }
}

/// What is flooded with, and how many bytes of it.
fn storm(client: &mut Client, kind: &str, size: usize, bytes: usize) -> u64 {
    let arguments = json!({"kind": kind, "size": size, "bytes": bytes});
    let params = json!({"name": "one__storm", "arguments": arguments, "_meta": {"progressToken": "t"}});
    client.send("tools/call", &params)
}

#[test]
fn a_flood_that_is_taken_passes_and_the_gateway_stays_small() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect_as(&place, &json!({"sampling": {}}));
    assert!(!client.call("one__pid", &json!({})).is_error);
    let before = resident(client.pid());
    for (kind, size) in [
        ("progress", 100),
        ("notice", 100),
        ("notice", 500_000),
        ("changed", 0),
        ("answer", 100_000),
        ("junk", 1000),
    ] {
        let id = storm(&mut client, kind, size, 4_000_000);
        loop {
            let message = client.next().expect("the gateway is there");
            if message["id"] == id && message.get("method").is_none() {
                assert_eq!(message["result"]["content"][0]["text"], "over", "{kind}: {message}");
                break;
            }
        }
        let grown = peak(client.pid()) - before;
        assert!(grown < 64 * MIB, "{kind} of {size}: it grew by {grown} bytes");
    }
    assert!(!client.call("one__flood", &json!({"bytes": 20_000_000})).is_error);
    let grown = resident(client.pid()) - before;
    println!("at most {} KiB more, {} KiB in the end", (peak(client.pid()) - before) / 1024, grown / 1024);
    assert!(grown < 24 * MIB, "{grown} bytes did not come back");
}

/// How many bytes a process has written.
fn written(pid: &str) -> u64 {
    let io = std::fs::read_to_string(format!("/proc/{pid}/io")).unwrap();
    let line = io.lines().find(|line| line.starts_with("wchar:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_flood_that_nobody_takes_slows_its_child_down_and_everything_arrives_later() {
    let place = place(&json!({"one": child(&[])}));
    for (kind, size) in [("progress", 1000), ("notice", 1000), ("notice", 500_000)] {
        let mut client = connect(&place);
        let pid = client.call("one__pid", &json!({})).text;
        let before = resident(client.pid());
        let bytes = 48_000_000;
        let id = storm(&mut client, kind, size, bytes);
        let (mut last, mut same) = (0, 0);
        until("the child is held up", || {
            let now = written(&pid);
            same = if now == last && now > 1_000_000 { same + 1 } else { 0 };
            last = now;
            same > 200
        });
        assert!(last < bytes as u64 / 2, "it was not slowed down: {last} bytes of {kind}");
        let grown = peak(client.pid()) - before;
        println!("{kind} of {size}: {last} bytes were taken, {} KiB more", grown / 1024);
        assert!(grown < 48 * MIB, "{kind} of {size}: it grew by {grown} bytes");
        // An answer need not wait for notices that came before it.
        let (mut heard, mut over) = (0, false);
        while heard < bytes / (size + 300) || !over {
            let message = client.next().expect("the gateway is there");
            over |= message["id"] == id;
            heard += usize::from(message.get("method").is_some());
        }
        let grown = resident(client.pid()) - before;
        assert!(grown < 32 * MIB, "{grown} bytes did not come back");
    }
}

#[test]
fn a_child_that_asks_more_than_may_be_open_is_refused_and_the_client_is_spared() {
    let place = place(&json!({"one": child(&["--record", "heard"])}));
    let mut client = connect_as(&place, &json!({"sampling": {}}));
    let before = resident(client.pid());
    let id = storm(&mut client, "question", 100, 300_000);
    let mut asked = 0;
    loop {
        let message = client.next().expect("the gateway is there");
        match message["method"].as_str() {
            Some(method) => asked += usize::from(method == "sampling/createMessage"),
            None if message["id"] == id => break,
            None => {}
        }
    }
    assert!(asked <= 64, "{asked}");
    until("the others were refused", || {
        std::fs::read_to_string(place.work().join("heard"))
            .is_ok_and(|text| text.matches("64 questions are open already").count() > 1000)
    });
    let grown = peak(client.pid()) - before;
    assert!(grown < 64 * MIB, "it grew by {grown} bytes");
}

#[test]
fn a_child_that_pings_and_does_not_read_is_ended_with_the_reason() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    // It reads nothing while it talks, and what it is answered does not fit into a pipe.
    let id = storm(&mut client, "ping", 0, 40_000_000);
    let called = client.called(id);
    assert!(called.is_error && called.text.contains("it does not read"), "{called:?}");
}

#[test]
fn a_large_message_takes_few_copies_and_its_memory_comes_back() {
    let place = place(&json!({"one": child(&[])}));
    let mut client = connect(&place);
    assert!(!client.call("one__big", &json!({"bytes": 100_000})).is_error);
    let before = resident(client.pid());
    let size = 15_000_000;
    for tool in ["one__big", "one__id_last"] {
        assert_eq!(client.call(tool, &json!({ "bytes": size })).text.len(), size);
    }
    let grown = peak(client.pid()) - before;
    println!("a message of {size} bytes took {:.2} times of it", grown as f64 / size as f64);
    assert!(grown < 5 * size as i64 / 2, "it took {grown} bytes");
    let kept = resident(client.pid()) - before;
    println!("{} KiB were kept", kept / 1024);
    assert!(kept < size as i64 / 2, "{kept} bytes did not come back");
}
