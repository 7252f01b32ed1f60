//! Operating-system text and command lines, quoted and escaped for people. May not be executed.

use std::ffi::OsStr;

/// One word for people: UTF-8 as it is, anything else with `\xNN` escapes.
pub fn word(text: &OsStr) -> String {
    match text.to_str() {
        Some(text) => text.to_owned(),
        None => crate::output::escaped(text.as_encoded_bytes()),
    }
}

/// A command line as a person would type it. Control characters and other invisible ones are escaped, so
/// that what is shown is what there is.
pub fn command_line<W: AsRef<OsStr>>(words: impl IntoIterator<Item = W>) -> String {
    words.into_iter().map(|w| quoted(&word(w.as_ref()))).collect::<Vec<_>>().join(" ")
}

/// Text as one line: control characters and other invisible ones are escaped.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if invisible(c) { line.push_str(&escape_char(c)) } else { line.push(c) }
    }
    line
}

/// The beginning of a text as one line, for a message that must not be as long as what it is about.
pub fn one_short_line(text: &str) -> String {
    const LONGEST: usize = 300;
    match text.char_indices().nth(LONGEST) {
        None => one_line(text),
        Some((end, _)) => one_line(&text[..end]) + "…",
    }
}

fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "%+,-./:=@_".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    if text.chars().any(invisible) {
        let inner: String = text.chars().map(escape_char).collect();
        return format!("$'{inner}'");
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Characters that would not show, or would make the line show as something else.
fn invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}')
}

fn escape_char(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\t' => "\\t".to_owned(),
        '\r' => "\\r".to_owned(),
        '\'' | '\\' => format!("\\{c}"),
        c if invisible(c) && c.is_ascii() => format!("\\x{:02x}", u32::from(c)),
        c if invisible(c) => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_typed_again() {
        assert_eq!(command_line(["echo", "a b", "it's", "", "x=1"]), r"echo 'a b' 'it'\''s' '' x=1");
    }

    #[test]
    fn a_long_text_is_cut_and_says_so() {
        assert_eq!(one_short_line("a\nb"), "a\\nb");
        assert_eq!(one_short_line(&"ä".repeat(301)), "ä".repeat(300) + "…");
    }

    #[test]
    fn nothing_hides() {
        assert_eq!(command_line(["a\nb", "\u{202e}x", "\u{1b}[2J"]), r"$'a\nb' $'\u202ex' $'\x1b[2J'");
    }
}
