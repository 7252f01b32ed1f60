//! The terminal while a person is asked: keys are read one by one, the question is drawn on standard error.
//!
//! Hazard: nothing here may still read standard input when the last question is answered, because the command may want to.
//! So a read begins only when a key is needed, and the only one that is left behind is that of a person who leaves. However
//! it ends, dropping this puts the terminal back.

use super::form::TerminalForm;
use super::keys::{self, KeyPress};
use crate::threads::aside;
use runward::host::{RawTerminal, terminal_size};
use std::io::{self, Read, Write};
use std::time::Duration;
use tokio::sync::oneshot::Receiver;

/// How long the rest of a key may take: Esc by itself is one, and other keys begin with it.
const REST_OF_A_KEY: Duration = Duration::from_millis(50);

/// The terminal, handed over.
pub(super) struct AskTerminal {
    raw: Option<RawTerminal>,
    /// Bytes that are not a whole key yet.
    bytes: Vec<u8>,
    reading: Option<Receiver<io::Result<Vec<u8>>>>,
    /// Lines from the first of the form down to the cursor.
    below: Option<usize>,
}

impl AskTerminal {
    /// Takes the terminal. Not every host can hand one over.
    pub(super) fn open() -> io::Result<Self> {
        Ok(Self { raw: Some(RawTerminal::enter()?), bytes: Vec::new(), reading: None, below: None })
    }

    /// Shows a form and gives it keys, until there is an answer; none where the person leaves.
    pub(super) async fn ask(&mut self, form: &mut TerminalForm) -> io::Result<Option<String>> {
        loop {
            self.draw(form)?;
            let key = self.key().await?;
            if key == KeyPress::Leave {
                return Ok(None);
            }
            if let Some(answer) = form.press(key) {
                return Ok(Some(answer));
            }
        }
    }

    /// Leaves one line of what was asked.
    pub(super) fn close(&mut self, line: &str) -> io::Result<()> {
        let up = self.up();
        self.below = None;
        write!(io::stderr(), "{up}{line}\r\n\x1b[?25h")
    }

    fn draw(&mut self, form: &TerminalForm) -> io::Result<()> {
        let (rows, columns) = terminal_size().unwrap_or((24, 80));
        let drawn = form.drawn(usize::from(rows), usize::from(columns));
        let mut text = self.up();
        text.push_str(&drawn.lines.join("\r\n"));
        let last = drawn.lines.len().saturating_sub(1);
        self.below = Some(drawn.cursor.map_or(last, |(line, _)| line));
        match drawn.cursor {
            None => text.push_str("\x1b[?25l"),
            Some((line, column)) => {
                text.push_str(&moves(last - line, 'A'));
                text.push('\r');
                text.push_str(&moves(column, 'C'));
                text.push_str("\x1b[?25h");
            }
        }
        io::stderr().write_all(text.as_bytes())
    }

    /// Moves to the beginning of what was drawn, and erases it.
    fn up(&self) -> String {
        format!("{}\r\x1b[J", moves(self.below.unwrap_or(0), 'A'))
    }

    async fn key(&mut self) -> io::Result<KeyPress> {
        loop {
            if let Some((key, length)) = keys::first(&self.bytes) {
                self.bytes.drain(..length);
                return Ok(key);
            }
            let reading = match &mut self.reading {
                Some(reading) => reading,
                none => none.insert(aside("keys", read)?),
            };
            let read = if self.bytes.is_empty() {
                reading.await
            } else {
                match tokio::time::timeout(REST_OF_A_KEY, reading).await {
                    Ok(read) => read,
                    Err(_) if self.bytes == [0x1b] => return Ok(KeyPress::Leave),
                    Err(_) => {
                        // Half a key that does not go on is dropped.
                        self.bytes.clear();
                        continue;
                    }
                }
            };
            self.reading = None;
            let bytes = read.map_err(io::Error::other)??;
            if bytes.is_empty() {
                // The terminal is gone, and the person with it.
                return Ok(KeyPress::Leave);
            }
            self.bytes.extend(bytes);
        }
    }
}

impl Drop for AskTerminal {
    fn drop(&mut self) {
        let line = if self.below.is_some() { "\r\n" } else { "" };
        // A terminal that is gone needs no restoring.
        let _ = write!(io::stderr(), "{line}\x1b[?25h");
        if let Some(raw) = self.raw.take() {
            raw.leave();
        }
    }
}

fn read() -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 1024];
    let length = io::stdin().lock().read(&mut bytes)?;
    bytes.truncate(length);
    Ok(bytes)
}

/// So many steps in one direction; no step needs no bytes.
fn moves(count: usize, direction: char) -> String {
    if count == 0 { String::new() } else { format!("\x1b[{count}{direction}") }
}
