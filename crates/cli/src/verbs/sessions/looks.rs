//! The terminal modes that a session's program changed, so that they can be undone when the person detaches.
//!
//! Follows private modes, the scrolling region and the keypad through the bytes that pass. May not change a byte.

use std::collections::BTreeSet;

/// What was changed so far.
#[derive(Debug, Default)]
pub(in crate::verbs) struct Looks {
    at: At,
    /// Modes that are switched on and usually are not.
    on: BTreeSet<u16>,
    /// Modes that are switched off and usually are not.
    off: BTreeSet<u16>,
    region: bool,
    keypad: bool,
}

/// Where in a sequence the bytes are; it may be cut anywhere.
#[derive(Debug, Default)]
enum At {
    #[default]
    Text,
    Escape,
    Control(Control),
}

/// A control sequence that is not over yet.
#[derive(Debug, Default)]
struct Control {
    private: bool,
    numbers: Vec<u16>,
}

/// Numbers of one sequence that are looked at; no program sends as many.
const NUMBERS: usize = 32;

/// Modes that are on from the start: lines wrap, and the cursor is seen.
const USUALLY_ON: [u16; 2] = [7, 25];

/// Modes that show another screen; leaving it comes first.
const OTHER_SCREEN: [u16; 3] = [47, 1047, 1049];

/// Saves or restores the cursor, and switches nothing.
const CURSOR: u16 = 1048;

impl Looks {
    /// These bytes go to the terminal.
    pub(in crate::verbs) fn pass(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.at = match (std::mem::take(&mut self.at), *byte) {
                (_, 0x1b) => At::Escape,
                (At::Escape, b'[') => At::Control(Control::default()),
                (At::Escape, letter) => self.escape(letter),
                (At::Control(control), byte) => self.control(control, byte),
                (At::Text, _) => At::Text,
            };
        }
    }

    /// What to print so that everything is as usual again.
    pub(in crate::verbs) fn undo(&self) -> String {
        let (screens, others): (Vec<&u16>, Vec<&u16>) =
            self.on.iter().partition(|mode| OTHER_SCREEN.contains(mode));
        let mut out: String =
            screens.into_iter().chain(others).map(|mode| format!("\x1b[?{mode}l")).collect();
        out.extend(self.off.iter().map(|mode| format!("\x1b[?{mode}h")));
        if self.region {
            // Setting the region moves the cursor, which must stay.
            out.push_str("\x1b7\x1b[r\x1b8");
        }
        if self.keypad {
            out.push_str("\x1b>");
        }
        // No attributes, no colour.
        out.push_str("\x1b(B\x1b[m");
        out
    }

    fn escape(&mut self, letter: u8) -> At {
        match letter {
            b'=' => self.keypad = true,
            b'>' => self.keypad = false,
            // Every mode at its default.
            b'c' => *self = Self::default(),
            _ => {}
        }
        At::Text
    }

    fn control(&mut self, mut control: Control, byte: u8) -> At {
        match byte {
            b'?' => control.private = true,
            b'0'..=b'9' => {
                if control.numbers.is_empty() {
                    control.numbers.push(0);
                }
                if let Some(last) = control.numbers.last_mut() {
                    *last = last.saturating_mul(10).saturating_add(u16::from(byte - b'0'));
                }
            }
            b';' if control.numbers.len() < NUMBERS => control.numbers.push(0),
            0x40..=0x7e => {
                self.done(&control, byte);
                return At::Text;
            }
            _ => {}
        }
        At::Control(control)
    }

    fn done(&mut self, control: &Control, letter: u8) {
        match (control.private, letter) {
            (true, b'h') => control.numbers.iter().for_each(|mode| self.switch(*mode, true)),
            (true, b'l') => control.numbers.iter().for_each(|mode| self.switch(*mode, false)),
            (false, b'r') => self.region = !control.numbers.is_empty(),
            _ => {}
        }
    }

    fn switch(&mut self, mode: u16, on: bool) {
        if mode == CURSOR {
            return;
        }
        let (unusual, set) = match USUALLY_ON.contains(&mode) {
            true => (!on, &mut self.off),
            false => (on, &mut self.on),
        };
        if unusual {
            set.insert(mode)
        } else {
            set.remove(&mode)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "\x1b(B\x1b[m";

    fn undone(pieces: &[&str]) -> String {
        let mut looks = Looks::default();
        pieces.iter().for_each(|piece| looks.pass(piece.as_bytes()));
        looks.undo().strip_suffix(PLAIN).unwrap().to_owned()
    }

    #[test]
    fn what_was_switched_is_switched_back() {
        assert_eq!(undone(&["\x1b[?1h\x1b[?1049h\x1b[?25l\x1b="]), "\x1b[?1049l\x1b[?1l\x1b[?25h\x1b>");
        assert_eq!(undone(&["\x1b[?1000;1006h"]), "\x1b[?1000l\x1b[?1006l");
        assert_eq!(undone(&["\x1b[3;20r"]), "\x1b7\x1b[r\x1b8");
    }

    #[test]
    fn what_the_program_switched_back_itself_is_left_alone() {
        let tidy = "\x1b[?1049h\x1b[?25l\x1b=\x1b[1;9r\x1b[31mtext\x1b[r\x1b>\x1b[?25h\x1b[?1049l";
        assert_eq!(undone(&[tidy]), "");
        assert_eq!(undone(&["\x1b[?2004h\x1bc"]), "", "a full reset is one too");
        assert_eq!(undone(&["\x1b[?1l\x1b[?2004l\x1b[?7h\x1b[4h\x1b[?1048h"]), "");
    }

    #[test]
    fn a_sequence_may_come_in_pieces() {
        assert_eq!(undone(&["a\x1b", "[", "?10", "49", "h"]), "\x1b[?1049l");
        assert_eq!(undone(&["\x1b[?10\x1b[?25l"]), "\x1b[?25h", "one that is broken off is none");
        assert_eq!(undone(&["\x1b[?99999999h"]), "\x1b[?65535l", "absurd numbers are no harm");
    }
}
