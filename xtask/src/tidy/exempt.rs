//! Exemptions: a rule, what it is about, and the reason, one to a line.
//!
//! An exemption without a reason, or one that nothing needs any more, is a breach itself: the list only shrinks.

use super::breach::Breach;

/// Where the list is.
pub(crate) const PATH: &str = "xtask/tidy-exempt.txt";

const RULE: &str = "exempt";

struct Exemption {
    line: usize,
    rule: String,
    subject: String,
    reason: String,
}

/// The whole list.
pub(crate) struct Exemptions(Vec<Exemption>);

impl Exemptions {
    /// Reads the list. Blank lines and lines that begin with `#` say nothing.
    pub(crate) fn parse(text: &str) -> Self {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        Self(lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).map(exemption).collect())
    }

    /// The breaches that no line excuses, and the lines that excuse nothing, in the order of files.
    pub(crate) fn sift(&self, found: Vec<Breach>) -> Vec<Breach> {
        let mut used = vec![false; self.0.len()];
        let mut left: Vec<Breach> = Vec::new();
        for breach in found {
            match self.0.iter().position(|line| line.rule == breach.rule && line.subject == breach.subject) {
                Some(index) => used[index] = true,
                None => left.push(breach),
            }
        }
        left.extend(self.0.iter().zip(used).filter_map(|(line, used)| line.complaint(used)));
        left.sort();
        left.dedup();
        left
    }
}

impl Exemption {
    fn complaint(&self, used: bool) -> Option<Breach> {
        let sentence = match (used, self.reason.is_empty()) {
            (false, _) => format!("nothing needs the exemption `{} {}`; remove it", self.rule, self.subject),
            (true, true) => "an exemption needs a reason".to_owned(),
            (true, false) => return None,
        };
        Some(Breach::new(RULE, PATH, self.line, sentence))
    }
}

fn exemption((line, text): (usize, &str)) -> Exemption {
    let (rule, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    let (subject, reason) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    Exemption { line, rule: rule.to_owned(), subject: subject.to_owned(), reason: reason.trim().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sift(list: &str) -> Vec<String> {
        let found =
            vec![Breach::new("size", "a.rs", 1, "too long"), Breach::new("size", "b.rs", 1, "too long")];
        Exemptions::parse(list).sift(found).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_line_excuses_one_subject_of_one_rule() {
        assert_eq!(sift("# a list\n\nsize a.rs  A table."), ["b.rs:1: too long [size]"]);
        assert_eq!(sift("size a.rs A table.\nsize b.rs Another."), [""; 0]);
    }

    #[test]
    fn a_line_without_a_reason_or_a_use_is_a_breach() {
        let left = sift("size a.rs\nsize b.rs Why not.\nlossy c.rs Gone.");
        assert_eq!(left.len(), 2, "{left:?}");
        assert!(left[0].contains(":1: an exemption needs a reason"));
        assert!(left[1].contains(":3: nothing needs the exemption `lossy c.rs`"));
    }
}
