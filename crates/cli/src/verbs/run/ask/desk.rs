//! The terminal while a person is asked: keys come in one by one, the question is drawn on standard error.
//!
//! Hazard: nobody may read standard input any more when the last question is answered, because what runs then may want to.
//! So a read begins only when a key is needed, and the only one that is left behind is that of a person who leaves. However
//! it ends, dropping the desk puts the terminal back.

use super::form::Form;
use super::keys::{self, Key};
use runward::host::{RawTerminal, terminal_size};
use std::io::{self, Read, Write};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How long the rest of a key may take: Esc by itself is one, and so is what begins with it.
const REST_OF_A_KEY: Duration = Duration::from_millis(50);

/// The terminal, handed over.
pub(super) struct Desk {
    raw: Option<RawTerminal>,
    /// What was read and is no whole key yet.
    bytes: Vec<u8>,
    reading: Option<JoinHandle<io::Result<Vec<u8>>>>,
    /// Lines from the first of the form down to the cursor.
    below: Option<usize>,
}

impl Desk {
    /// Takes the terminal. Not every host can hand one over.
    pub(super) fn open() -> io::Result<Self> {
        Ok(Self { raw: Some(RawTerminal::enter()?), bytes: Vec::new(), reading: None, below: None })
    }

    /// Shows a form and gives it keys, until there is an answer; none where the person leaves.
    pub(super) async fn ask(&mut self, form: &mut Form) -> io::Result<Option<String>> {
        loop {
            self.draw(form)?;
            let key = self.key().await?;
            if key == Key::Leave {
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

    fn draw(&mut self, form: &Form) -> io::Result<()> {
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

    /// To the beginning of what was drawn, and takes it away.
    fn up(&self) -> String {
        format!("{}\r\x1b[J", moves(self.below.unwrap_or(0), 'A'))
    }

    async fn key(&mut self) -> io::Result<Key> {
        loop {
            if let Some((key, length)) = keys::first(&self.bytes) {
                self.bytes.drain(..length);
                return Ok(key);
            }
            let reading = self.reading.get_or_insert_with(|| tokio::task::spawn_blocking(read));
            let read = if self.bytes.is_empty() {
                reading.await
            } else {
                match tokio::time::timeout(REST_OF_A_KEY, reading).await {
                    Ok(read) => read,
                    Err(_) if self.bytes == [0x1b] => return Ok(Key::Leave),
                    Err(_) => {
                        // Half a key that does not go on is none.
                        self.bytes.clear();
                        continue;
                    }
                }
            };
            self.reading = None;
            let bytes = read.map_err(io::Error::other)??;
            if bytes.is_empty() {
                // The terminal is gone, and whoever sat there with it.
                return Ok(Key::Leave);
            }
            self.bytes.extend(bytes);
        }
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let line = if self.below.is_some() { "\r\n" } else { "" };
        // A terminal that is gone looks like nothing.
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

/// So many steps in one direction; no step needs no words.
fn moves(count: usize, direction: char) -> String {
    if count == 0 { String::new() } else { format!("\x1b[{count}{direction}") }
}
