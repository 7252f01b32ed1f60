//! The little of HTTP/1.1 that clients of a model use: a request with a body, an answer as JSON or as a stream of events.

use super::dialect::{ModelDialect, ModelReply};
use super::record::ModelRequest;
use super::stage::ModelStage;
use crate::LIMIT;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;

/// A request as it came.
#[derive(Debug)]
struct RawRequest {
    method: String,
    path: String,
    body: Vec<u8>,
}

/// Answers one request after the other until the client is done.
pub(super) fn serve(stream: TcpStream, stage: &ModelStage) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(LIMIT))?;
    let (mut reader, mut writer) = (BufReader::new(stream.try_clone()?), stream);
    while let Some(request) = read(&mut reader, &mut writer)? {
        let body = serde_json::from_slice(&request.body).unwrap_or(Value::Null);
        stage.note(ModelRequest { path: request.path.clone(), body: body.clone() });
        let dialect = ModelDialect::of(&request.path).filter(|_| request.method == "POST");
        let reply = match dialect {
            Some(dialect) => {
                let turn = stage.turn(dialect.hear(&body));
                dialect.speak(&request.path, &body, &turn)
            }
            None => ModelReply::Whole(aside(&request.path)),
        };
        match reply {
            ModelReply::Whole(value) => whole(&mut writer, &request.method, &value)?,
            // The end of a stream is the end of the connection.
            ModelReply::Streamed(events) => return streamed(&mut writer, &events),
        }
    }
    Ok(())
}

/// What clients ask besides: which models there are, and how many tokens something has.
fn aside(path: &str) -> Value {
    if path.contains("count_tokens") || path.contains(":countTokens") {
        json!({"input_tokens": 100, "totalTokens": 100})
    } else if path.contains("/models") {
        json!({"object": "list", "data": [], "models": [], "has_more": false})
    } else {
        json!({})
    }
}

fn read(reader: &mut impl BufRead, writer: &mut impl Write) -> io::Result<Option<RawRequest>> {
    let Some(first) = line(reader)? else { return Ok(None) };
    let mut words = first.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (mut length, mut chunked) = (0, false);
    while let Some(header) = line(reader)?.filter(|header| !header.is_empty()) {
        let (name, value) = header.split_once(':').unwrap_or((&header, ""));
        match (name.to_ascii_lowercase().as_str(), value.trim()) {
            ("content-length", value) => length = value.parse().map_err(io::Error::other)?,
            ("transfer-encoding", "chunked") => chunked = true,
            ("expect", _) => writer.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?,
            ("content-encoding", value) => {
                return Err(io::Error::other(format!("the body is packed as `{value}`")));
            }
            _ => {}
        }
    }
    let body = if chunked { chunks(reader)? } else { exactly(reader, length)? };
    Ok(Some(RawRequest { method, path, body }))
}

/// A line without its end; nothing where the client has closed.
fn line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = reader.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim_end().to_owned()))
}

fn exactly(reader: &mut impl Read, length: usize) -> io::Result<Vec<u8>> {
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(body)
}

fn chunks(reader: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(reader)?.unwrap_or_default();
        let size = usize::from_str_radix(size.trim(), 16).map_err(io::Error::other)?;
        body.extend(exactly(reader, size)?);
        line(reader)?;
        if size == 0 {
            return Ok(body);
        }
    }
}

fn whole(writer: &mut impl Write, method: &str, value: &Value) -> io::Result<()> {
    let text = value.to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length";
    let body = if method == "HEAD" { "" } else { &text };
    write!(writer, "{head}: {}\r\n\r\n{body}", text.len())
}

fn streamed(writer: &mut impl Write, events: &[super::dialect::ModelEvent]) -> io::Result<()> {
    let mut text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n\
        Connection: close\r\n\r\n"
        .to_owned();
    for event in events {
        if let Some(name) = &event.name {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&format!("data: {}\n\n", event.text));
    }
    writer.write_all(text.as_bytes())
}
