//! One question as a form: its text, and what a key changes. May not draw or read.

use super::keys::KeyPress;
use unicode_width::UnicodeWidthChar;

/// A question.
#[derive(Debug, Clone)]
pub(super) struct TerminalForm {
    label: String,
    /// What is wrong with the last answer.
    wrong: Option<String>,
    answer: FormOutcome,
}

#[derive(Debug, Clone)]
enum FormOutcome {
    /// A line of text, and where in it the cursor is.
    Line { text: Vec<char>, at: usize, echo: Echo, offered: Option<String> },
    /// One of several words.
    Choice { words: Vec<String>, at: usize },
}

/// Whether what is typed is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Echo {
    Shown,
    Hidden,
}

/// What a form looks like: its lines, and where the cursor stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct DrawnForm {
    pub(super) lines: Vec<String>,
    /// Line and column, both from 0; nowhere for a choice.
    pub(super) cursor: Option<(usize, usize)>,
}

impl TerminalForm {
    /// A line of text. Enter on an empty line takes what is offered.
    pub(super) fn line(label: String, echo: Echo, offered: Option<String>) -> Self {
        Self { label, wrong: None, answer: FormOutcome::Line { text: Vec::new(), at: 0, echo, offered } }
    }

    /// One of these words, beginning at one of them.
    pub(super) fn choice(label: String, words: Vec<String>, at: usize) -> Self {
        let at = at.min(words.len().saturating_sub(1));
        Self { label, wrong: None, answer: FormOutcome::Choice { words, at } }
    }

    /// Says what is wrong with the answer, which is asked for again.
    pub(super) fn refuse(&mut self, why: String) {
        self.wrong = Some(why);
        if let FormOutcome::Line { text, at, .. } = &mut self.answer {
            text.clear();
            *at = 0;
        }
    }

    /// Handles a key; gives the answer, if that was the last one.
    pub(super) fn press(&mut self, key: KeyPress) -> Option<String> {
        match &mut self.answer {
            FormOutcome::Line { text, at, offered, .. } => match key {
                KeyPress::Enter if text.is_empty() => return Some(offered.clone().unwrap_or_default()),
                KeyPress::Enter => return Some(text.iter().collect()),
                key => edit(text, at, key),
            },
            FormOutcome::Choice { words, at } => {
                let count = words.len();
                match key {
                    KeyPress::Up | KeyPress::Left => *at = (*at + count - 1) % count,
                    KeyPress::Down | KeyPress::Right => *at = (*at + 1) % count,
                    KeyPress::Home => *at = 0,
                    KeyPress::End => *at = count - 1,
                    KeyPress::Letter(letter) => {
                        // The next word that begins with it.
                        let begins =
                            |word: &String| word.to_lowercase().starts_with(letter.to_ascii_lowercase());
                        let next =
                            (1..=count).map(|step| (*at + step) % count).find(|at| begins(&words[*at]));
                        *at = next.unwrap_or(*at);
                    }
                    KeyPress::Enter => return words.get(*at).cloned(),
                    _ => {}
                }
            }
        }
        None
    }

    /// What it looks like on a terminal of this size.
    pub(super) fn drawn(&self, rows: usize, columns: usize) -> DrawnForm {
        // The last column is left free: some terminals wrap there.
        let room = columns.saturating_sub(1).max(1);
        let mut drawn = match &self.answer {
            FormOutcome::Line { text, at, echo, offered } => {
                let offered = offered.as_ref().map(|word| format!(" [{word}]")).unwrap_or_default();
                let head = clipped(&format!("{}{offered}: ", self.label), room.saturating_sub(room / 3));
                let (shown, column) = match echo {
                    Echo::Hidden => (String::new(), 0),
                    Echo::Shown => window(text, *at, room.saturating_sub(width(&head))),
                };
                DrawnForm { cursor: Some((0, width(&head) + column)), lines: vec![head + &shown] }
            }
            FormOutcome::Choice { words, at } => {
                let fits = rows.saturating_sub(3).clamp(1, words.len().max(1));
                let from = at.saturating_sub(fits - 1);
                let line = |(index, word): (usize, &String)| {
                    clipped(&format!("{} {word}", if index == *at { ">" } else { " " }), room)
                };
                let mut lines = vec![clipped(&format!("{} (arrow keys, then Enter)", self.label), room)];
                lines.extend(words.iter().enumerate().skip(from).take(fits).map(line));
                DrawnForm { lines, cursor: None }
            }
        };
        drawn.lines.extend(self.wrong.as_ref().map(|why| clipped(&format!("  {why}"), room)));
        drawn
    }

    /// The line that stays on the terminal when it is answered.
    pub(super) fn answered(&self, answer: &str, columns: usize) -> String {
        let shown = match &self.answer {
            FormOutcome::Line { echo: Echo::Hidden, .. } => "(hidden)",
            _ => answer,
        };
        clipped(&format!("{}: {shown}", self.label), columns.saturating_sub(1).max(1))
    }
}

fn edit(text: &mut Vec<char>, at: &mut usize, key: KeyPress) {
    match key {
        KeyPress::Letter(letter) => {
            text.insert(*at, letter);
            *at += 1;
        }
        KeyPress::Backspace if *at > 0 => {
            *at -= 1;
            text.remove(*at);
        }
        KeyPress::Delete if *at < text.len() => drop(text.remove(*at)),
        KeyPress::Left => *at = at.saturating_sub(1),
        KeyPress::Right => *at = (*at + 1).min(text.len()),
        KeyPress::Home => *at = 0,
        KeyPress::End => *at = text.len(),
        KeyPress::Clear => {
            text.clear();
            *at = 0;
        }
        _ => {}
    }
}

/// As much of a long line as fits, with the cursor in it, and the column where that stands.
fn window(text: &[char], at: usize, room: usize) -> (String, usize) {
    let mut from = 0;
    while from < at && columns(&text[from..at]) >= room.max(1) {
        from += 1;
    }
    let mut shown = String::new();
    for letter in &text[from..] {
        if width(&shown) + letter.width().unwrap_or(0) > room {
            break;
        }
        shown.push(*letter);
    }
    (shown, columns(&text[from..at]))
}

fn columns(text: &[char]) -> usize {
    text.iter().map(|letter| letter.width().unwrap_or(0)).sum()
}

fn width(text: &str) -> usize {
    text.chars().map(|letter| letter.width().unwrap_or(0)).sum()
}

/// The beginning of a text, as wide as there is room.
fn clipped(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut shown = String::new();
    for letter in text.chars() {
        if width(&shown) + letter.width().unwrap_or(0) + 1 > room {
            break;
        }
        shown.push(letter);
    }
    shown + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(form: &mut TerminalForm, text: &str) {
        for letter in text.chars() {
            assert_eq!(form.press(KeyPress::Letter(letter)), None);
        }
    }

    #[test]
    fn a_line_is_edited_where_the_cursor_stands() {
        let mut form = TerminalForm::line("who".to_owned(), Echo::Shown, None);
        typed(&mut form, "Adda");
        for key in [
            KeyPress::Left,
            KeyPress::Backspace,
            KeyPress::Home,
            KeyPress::Delete,
            KeyPress::Letter('I'),
            KeyPress::End,
        ] {
            form.press(key);
        }
        typed(&mut form, "!");
        assert_eq!(
            form.drawn(24, 80),
            DrawnForm { lines: vec!["who: Ida!".to_owned()], cursor: Some((0, 9)) }
        );
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("Ida!"));
        form.press(KeyPress::Clear);
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some(""));
    }

    #[test]
    fn enter_takes_what_is_offered_unless_something_is_typed() {
        let mut form = TerminalForm::line("who".to_owned(), Echo::Shown, Some("Ada".to_owned()));
        assert_eq!(form.drawn(24, 80).lines, ["who [Ada]: "]);
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("Ada"));
        typed(&mut form, "Ida");
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("Ida"));
    }

    #[test]
    fn nothing_of_a_hidden_line_is_drawn() {
        let mut form = TerminalForm::line("key".to_owned(), Echo::Hidden, None);
        typed(&mut form, "s3cret");
        assert_eq!(form.drawn(24, 80), DrawnForm { lines: vec!["key: ".to_owned()], cursor: Some((0, 5)) });
        assert_eq!(form.answered("s3cret", 80), "key: (hidden)");
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("s3cret"));
    }

    #[test]
    fn a_choice_goes_round_and_knows_letters() {
        let words = ["dev", "prod", "preview"].map(str::to_owned).to_vec();
        let mut form = TerminalForm::choice("where".to_owned(), words, 0);
        form.press(KeyPress::Up);
        assert_eq!(
            form.drawn(24, 80).lines,
            ["where (arrow keys, then Enter)", "  dev", "  prod", "> preview"]
        );
        form.press(KeyPress::Down);
        form.press(KeyPress::Letter('p'));
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("prod"));
        form.press(KeyPress::Letter('p'));
        form.press(KeyPress::Letter('x'));
        assert_eq!(form.press(KeyPress::Enter).as_deref(), Some("preview"));
    }

    #[test]
    fn more_words_than_lines_scroll() {
        let words: Vec<String> = (0..50).map(|number| format!("word {number}")).collect();
        let mut form = TerminalForm::choice("which".to_owned(), words, 40);
        let drawn = form.drawn(8, 80).lines;
        assert_eq!((drawn.len(), drawn[5].as_str()), (6, "> word 40"));
        form.press(KeyPress::Home);
        assert_eq!(form.drawn(8, 80).lines[1], "> word 0");
    }

    #[test]
    fn what_is_wrong_is_said_below_and_the_line_is_empty_again() {
        let mut form = TerminalForm::line("n".to_owned(), Echo::Shown, None);
        typed(&mut form, "9");
        form.refuse("at most 5".to_owned());
        assert_eq!(form.drawn(24, 80).lines, ["n: ", "  at most 5"]);
        assert_eq!(form.drawn(24, 80).cursor, Some((0, 3)));
    }

    #[test]
    fn nothing_is_wider_than_the_terminal() {
        let mut form = TerminalForm::line("a long question".repeat(5), Echo::Shown, Some("x".repeat(30)));
        typed(&mut form, &"日本".repeat(20));
        for columns in [1, 5, 20, 33] {
            let DrawnForm { lines, cursor } = form.drawn(24, columns);
            assert!(width(&lines[0]) < columns.max(4), "{columns}: {lines:?}");
            assert!(cursor.unwrap().1 < columns.max(4), "{columns}: {cursor:?}");
        }
    }
}
