//! The server name in the first message of a TLS connection. It is the last thing that is said in the open about whom a
//! connection is for.
//!
//! Read by hand and strictly: what a server might read otherwise than we do is no TLS. An encrypted ClientHello has an
//! outer name, and that one counts. May not say whether a name is good.

/// The most that is read of one.
const LONGEST: usize = 16 * 1024;

const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SERVER_NAME: u16 = 0;
const HOST_NAME: u8 = 0;

/// What the first bytes of a connection say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientHelloReading {
    /// Nothing yet: more bytes are needed.
    Incomplete,
    /// The ClientHello is whole; the name as it was sent, if there is one.
    ServerName(Option<String>),
    /// This is no ClientHello, or none that can be read in one way only.
    NotTls,
}

/// Why reading ended before there was a result.
enum CutShort {
    Needs,
    Wrong,
}

/// Reads the first bytes of a connection, of which there may be more than a ClientHello.
pub fn read_client_hello(bytes: &[u8]) -> ClientHelloReading {
    let result = message(bytes).and_then(|body| server_name(&body).ok_or(CutShort::Wrong));
    match result {
        Ok(name) => ClientHelloReading::ServerName(name),
        Err(CutShort::Needs) if bytes.len() < LONGEST => ClientHelloReading::Incomplete,
        Err(CutShort::Needs | CutShort::Wrong) => ClientHelloReading::NotTls,
    }
}

/// The body of the first handshake message, which may be spread over any number of records.
fn message(bytes: &[u8]) -> Result<Vec<u8>, CutShort> {
    let mut said = Vec::new();
    let mut rest = bytes;
    loop {
        if let Some(length) = length(&said)?
            && let Some(body) = said.get(4..4 + length)
        {
            return Ok(body.to_vec());
        }
        if rest.is_empty() {
            return Err(CutShort::Needs);
        }
        let (part, behind) = record(rest)?;
        said.extend(part);
        rest = behind;
    }
}

/// The length of the message's body, as soon as it is there.
fn length(said: &[u8]) -> Result<Option<usize>, CutShort> {
    if said.first().is_some_and(|kind| *kind != CLIENT_HELLO) {
        return Err(CutShort::Wrong);
    }
    let Some(&[_, a, b, c]) = said.first_chunk::<4>() else { return Ok(None) };
    let length = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
    if length > LONGEST { Err(CutShort::Wrong) } else { Ok(Some(length)) }
}

/// What is there of the first record's content, and what stands behind it.
fn record(bytes: &[u8]) -> Result<(&[u8], &[u8]), CutShort> {
    // The version of records is 3.1 or 3.3 and has no meaning; 3 it is always.
    for (expected, byte) in [HANDSHAKE, 3].iter().zip(bytes) {
        if expected != byte {
            return Err(CutShort::Wrong);
        }
    }
    let Some((&[_, _, _, a, b], content)) = bytes.split_first_chunk::<5>() else {
        return Err(CutShort::Needs);
    };
    let length = usize::from(u16::from_be_bytes([a, b]));
    if length == 0 || length > LONGEST {
        return Err(CutShort::Wrong);
    }
    Ok(content.split_at(length.min(content.len())))
}

/// Takes values off the front of bytes that are all there.
struct HelloPart<'a>(&'a [u8]);

impl<'a> HelloPart<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<u16> {
        self.take(2).map(|bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
    }

    /// What a length of two bytes stands before.
    fn part(&mut self) -> Option<HelloPart<'a>> {
        let length = self.number()?;
        self.take(length.into()).map(HelloPart)
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}

/// The server name in the body of a ClientHello; nothing if the body is not one to the last byte.
fn server_name(body: &[u8]) -> Option<Option<String>> {
    let mut body = HelloPart(body);
    body.take(2 + 32)?;
    let session = body.byte()?;
    body.take(session.into()).filter(|_| session <= 32)?;
    let suites = body.part()?.0.len();
    let methods = body.byte()?;
    body.take(methods.into())?;
    if suites == 0 || suites % 2 == 1 || methods == 0 {
        return None;
    }
    if body.is_over() {
        return Some(None);
    }
    let mut extensions = body.part()?;
    body.is_over().then_some(())?;
    let mut name = None;
    while !extensions.is_over() {
        let kind = extensions.number()?;
        let content = extensions.part()?;
        if kind == SERVER_NAME {
            // Of two, servers may take either.
            if name.is_some() {
                return None;
            }
            name = Some(only_name(content)?);
        }
    }
    Some(name)
}

/// The only name of the extension, as ASCII.
fn only_name(mut content: HelloPart<'_>) -> Option<String> {
    let mut names = content.part()?;
    content.is_over().then_some(())?;
    let kind = names.byte()?;
    let name = names.part()?.0;
    if kind != HOST_NAME || !names.is_over() || name.is_empty() {
        return None;
    }
    let name = std::str::from_utf8(name).ok()?;
    name.bytes().all(|b| b.is_ascii_graphic()).then(|| name.to_owned())
}

#[cfg(test)]
#[path = "hello_tests.rs"]
mod tests;
