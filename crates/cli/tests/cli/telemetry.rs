//! Telemetry: commands as spans, sent to a collector that this test plays.

use crate::runner::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

/// A collector: hears requests, answers each, and passes on what it heard.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (told, heard) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(&stream);
            let (mut head, mut line) = (String::new(), String::new());
            while reader.read_line(&mut line).unwrap() > 2 {
                head.push_str(&std::mem::take(&mut line));
            }
            let length =
                head.lines().find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok()).unwrap();
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            (&stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}").unwrap();
            // The test may have heard enough.
            let _ = told.send((head, serde_json::from_slice(&body).unwrap()));
        }
    });
    (address, heard)
}

fn attribute<'a>(span: &'a Value, key: &str) -> &'a Value {
    let all = span["attributes"].as_array().unwrap();
    &all.iter().find(|it| it["key"] == key).unwrap_or_else(|| panic!("{key}: {span}"))["value"]
}

#[test]
fn a_collector_is_told_of_every_command() {
    let (address, heard) = collector();
    let place = Place::new();
    place.owner(&format!("[telemetry]\notlp = \"{address}\"\n"));
    let said = place.run(["exec", "--", "sh", "-c", "echo API_TOKEN=very-secret; exit 3"]);
    assert_eq!(said.code, 3, "{said:?}");
    let (head, message) = heard.recv().unwrap();
    assert!(
        head.starts_with("POST /v1/traces HTTP/1.1\r\n") && head.contains("Content-Type: application/json"),
        "{head}"
    );
    assert_eq!(message["resourceSpans"][0]["resource"]["attributes"][0]["value"]["stringValue"], "runward");
    let span = &message["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    assert_eq!((span["traceId"].as_str().unwrap().len(), span["spanId"].as_str().unwrap().len()), (32, 16));
    assert_eq!(attribute(span, "process.exit.code"), &json!({"intValue": "3"}));
    assert_eq!(attribute(span, "runward.door"), &json!({"stringValue": "cli"}));
    assert_eq!(span["status"]["code"], 2);
    assert!(!message.to_string().contains("very-secret"), "{message}");
    let time = |name: &str| span[name].as_str().unwrap().parse::<u128>().unwrap();
    assert!(time("startTimeUnixNano") < time("endTimeUnixNano"));
}

#[test]
fn a_collector_is_told_nothing_that_the_journal_masks() {
    let (address, heard) = collector();
    let place = Place::new();
    place.owner(&format!("[telemetry]\notlp = \"{address}\"\n"));
    // In quotes it is another text.
    let secret = "it's-very-secret";
    let folder = place.work().join(secret);
    std::fs::create_dir(&folder).unwrap();
    let program = folder.join("tool");
    std::fs::copy("/bin/sh", &program).unwrap();
    let (set, program) = (format!("DB_PASSWORD={secret}"), program.to_str().unwrap());
    let said = place.run(
        [
            ["exec", "--env", &set, "--cwd", folder.to_str().unwrap(), "--"].as_slice(),
            &[program, "-c", "exit 0", "tool", secret, "--password", "two words"],
        ]
        .concat(),
    );
    assert_eq!(said.code, 0, "{said:?}");
    let (_, message) = heard.recv().unwrap();
    let span = &message["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
    let line = attribute(span, "process.command_line")["stringValue"].as_str().unwrap();
    assert!(line.ends_with("tool '[redacted: DB_PASSWORD]' --password '[redacted]'"), "{line}");
    let path = attribute(span, "process.executable.path")["stringValue"].as_str().unwrap();
    assert!(path.ends_with("/[redacted: DB_PASSWORD]/tool"), "{path}");
    let text = message.to_string();
    assert!(!text.contains("very-secret") && !text.contains("two words"), "{text}");
}

#[test]
fn a_collector_that_is_away_costs_nothing_but_its_spans() {
    let place = Place::new();
    // There is no listener on the port that was just given back.
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    place.owner(&format!("[telemetry]\notlp = \"http://{free}\"\n"));
    let said = place.run(["exec", "--", "echo", "hi"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "hi\n"), "{said:?}");
    place.owner("[telemetry]\notlp = \"https://example.com\"\n");
    let said = place.run(["exec", "--", "true"]);
    assert!(said.stderr.contains("is not of the form `http://HOST"), "{said:?}");
}
