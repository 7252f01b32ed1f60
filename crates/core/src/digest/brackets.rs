//! What Runward itself writes into a stream: always a line in brackets. May not say that anything went well.

use super::layout::HiddenStretch;
use super::tally::LeftOutTally;

/// Where the bytes of a stream are read: the words of its addresses.
#[derive(Debug, Clone, Copy)]
pub(super) struct StreamAddress<'a> {
    pub(super) id: &'a str,
    pub(super) stream: &'static str,
}

impl StreamAddress<'_> {
    fn at(self, offset: u64) -> String {
        let id = serde_json::Value::from(self.id);
        format!("read_output {{\"sessionId\":{id},\"stream\":\"{}\",\"offset\":{offset}}}", self.stream)
    }

    /// The line for what was cut.
    pub(super) fn cut(self, hidden: &HiddenStretch) -> String {
        let bytes = hidden.raw.end.saturating_sub(hidden.raw.start);
        let amount = match (hidden.lines, hidden.marked) {
            (None, 0) => format!("{bytes} bytes"),
            (None, marked) => format!("{bytes} bytes, at least {marked} lines with marks"),
            (Some(lines), 0) => format!("{lines} lines, {bytes} bytes"),
            (Some(lines), marked) => format!("{lines} lines, {bytes} bytes, {marked} of them with marks"),
        };
        format!("[cut: {amount}; {}]\n", self.at(hidden.raw.start))
    }

    /// The line that says where the whole stream is.
    pub(super) fn whole(self) -> String {
        format!("[whole: {}]\n", self.at(0))
    }
}

/// The line for a run of lines that differ in digits only.
pub(super) fn folded(lines: usize) -> String {
    format!("[{lines} lines like these]\n")
}

/// The line for everything that a digest left out.
pub(super) fn left_out(tally: &LeftOutTally) -> String {
    format!("[left out: {tally}]\n")
}

/// Whether a line of a command begins like one of ours. It is shown with a blank before it.
pub(super) fn looks_like_ours(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('[') else { return false };
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    ["cut:", "left out:", "whole:", "redacted"].iter().any(|word| rest.starts_with(word))
        || number.len() < rest.len() && number.starts_with(" lines like these")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_what_a_caller_sends() {
        let address = StreamAddress { id: "ID", stream: "stdout" };
        let hidden = HiddenStretch { raw: 18_233..219_666, lines: Some(3812), marked: 14 };
        assert_eq!(
            address.cut(&hidden),
            "[cut: 3812 lines, 201433 bytes, 14 of them with marks; read_output \
             {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":18233}]\n"
        );
        assert_eq!(
            address.whole(),
            "[whole: read_output {\"sessionId\":\"ID\",\"stream\":\"stdout\",\"offset\":0}]\n"
        );
    }

    #[test]
    fn lines_that_look_like_ours_are_known() {
        for line in ["[cut: 5 lines", "[left out: x", "[whole: y", "[redacted]", "[12 lines like these]"] {
            assert!(looks_like_ours(line), "{line}");
        }
        for line in ["[INFO] x", "[ lines like these]", "[12] lines", " [cut: 5", "cut:", ""] {
            assert!(!looks_like_ours(line), "{line}");
        }
    }
}
