//! The name of a host in the one spelling in which names are compared: ASCII, lower case, without a dot at its end.
//!
//! May not ask anybody whether there is such a host. What could be read as an address in any of the old ways of writing
//! one (`127.1`, `0x7f.1`, `2130706433`) is no name.

use super::suffixes::suffix_labels;
use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

const LONGEST_LABEL: usize = 63;
const LONGEST_NAME: usize = 253;
/// Longer text is no name in any script, and is not looked at.
const LONGEST_TEXT: usize = 4 * 1024;

/// What a name may not have besides letters, digits, `-` and `_`.
const DENIED: AsciiDenyList = AsciiDenyList::new(true, "!\"#$%&'()*+,/:;<=>?@[\\]^`{|}~");

/// The name of a host, normalised. Two spellings of one name are equal.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostName(Arc<str>);

/// What is wrong with text that should be the name of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostNameFlaw {
    /// There is nothing.
    #[error("it is empty")]
    Empty,
    /// A character that no name has.
    #[error("it has the character {0:?}")]
    Character(char),
    /// Two dots without anything between them, or a dot at the beginning.
    #[error("a part between two dots is empty")]
    EmptyLabel,
    /// A label of more than 63 characters.
    #[error("a part between two dots has more than 63 characters")]
    LongLabel,
    /// More than 253 characters.
    #[error("it has more than 253 characters")]
    LongName,
    /// A label that begins or ends with `-`.
    #[error("a part between two dots begins or ends with `-`")]
    Hyphen,
    /// `_` where only services, not hosts, have one.
    #[error("the part that is registered begins with `_`")]
    Underscore,
    /// A number at the end: an address, or what some program would take for one.
    #[error("it ends in a number, as an address does")]
    Number,
    /// Characters that cannot stand in a name together, or a broken `xn--` form.
    #[error("it has no ASCII form")]
    NoAscii,
}

/// Text that is not the name of a host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not the name of a host: {flaw}", shown(text))]
pub struct HostNameError {
    text: String,
    flaw: HostNameFlaw,
}

impl HostNameError {
    /// What is wrong with it.
    pub fn flaw(&self) -> HostNameFlaw {
        self.flaw
    }
}

/// As far as it can stand in a sentence.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let end = if text.chars().nth(MOST).is_some() { "…" } else { "" };
    text.chars().take(MOST).flat_map(char::escape_debug).collect::<String>() + end
}

impl HostName {
    /// The name in its one spelling.
    ///
    /// ```
    /// use runward_core::network::HostName;
    /// assert_eq!(HostName::parse("Registry.EXAMPLE.").unwrap().as_str(), "registry.example");
    /// assert_eq!(HostName::parse("bücher.example"), HostName::parse("xn--bcher-kva.example"));
    /// assert!(HostName::parse("0x7f.1").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, HostNameError> {
        let wrong = |flaw| HostNameError { text: text.to_owned(), flaw };
        let ascii = in_ascii(text).map_err(wrong)?;
        let name = ascii.strip_suffix('.').unwrap_or(&ascii);
        check(name).map_err(wrong)?;
        Ok(Self(name.into()))
    }

    /// The name as it is compared, asked for and shown.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name lies below another: has further labels before all of its labels.
    pub fn is_below(&self, above: &HostName) -> bool {
        self.0.strip_suffix(above.as_str()).is_some_and(|front| front.ends_with('.'))
    }
}

/// Small letters of ASCII, with everything else mapped as UTS 46 has it.
fn in_ascii(text: &str) -> Result<String, HostNameFlaw> {
    if text.is_empty() {
        return Err(HostNameFlaw::Empty);
    }
    if text.len() > LONGEST_TEXT {
        return Err(HostNameFlaw::LongName);
    }
    if let Some(wrong) = text.chars().find(|&c| c.is_ascii() && !is_allowed(c)) {
        return Err(HostNameFlaw::Character(wrong));
    }
    let lower = text.to_ascii_lowercase();
    if lower.is_ascii() && !lower.split('.').any(|label| label.starts_with("xn--")) {
        return Ok(lower);
    }
    let mapped = Uts46::new().to_ascii(lower.as_bytes(), DENIED, Hyphens::Allow, DnsLength::Ignore);
    mapped.map(std::borrow::Cow::into_owned).map_err(|_| HostNameFlaw::NoAscii)
}

fn is_allowed(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')
}

fn check(name: &str) -> Result<(), HostNameFlaw> {
    let labels: Vec<&str> = name.split('.').collect();
    // Of a name that only characters without a form of their own were mapped to, nothing is left.
    if name.is_empty() || labels.iter().any(|label| label.is_empty()) {
        return Err(HostNameFlaw::EmptyLabel);
    }
    if labels.iter().any(|label| label.len() > LONGEST_LABEL) {
        return Err(HostNameFlaw::LongLabel);
    }
    if name.len() > LONGEST_NAME {
        return Err(HostNameFlaw::LongName);
    }
    if labels.last().is_some_and(|last| is_number(last)) {
        return Err(HostNameFlaw::Number);
    }
    if labels.iter().any(|label| label.starts_with('-') || label.ends_with('-')) {
        return Err(HostNameFlaw::Hyphen);
    }
    let registered = labels.len().saturating_sub(suffix_labels(name) + 1);
    if labels.iter().skip(registered).any(|label| label.starts_with('_')) {
        return Err(HostNameFlaw::Underscore);
    }
    Ok(())
}

/// Whether some program would take a name with this label at its end for an address.
fn is_number(label: &str) -> bool {
    let hex = |digits: &str| digits.bytes().all(|b| b.is_ascii_hexdigit());
    label.bytes().all(|b| b.is_ascii_digit()) || label.strip_prefix("0x").is_some_and(hex)
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for HostName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for HostName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flaw(text: &str) -> HostNameFlaw {
        HostName::parse(text).expect_err(text).flaw()
    }

    fn name(text: &str) -> String {
        HostName::parse(text).unwrap_or_else(|error| panic!("{error}")).as_str().to_owned()
    }

    #[test]
    fn text_that_some_program_takes_for_an_address_is_no_name() {
        let numbers = [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0x7F000001",
            "0177.0.0.1",
            "017700000001",
            "1",
            "0",
            "0x",
            "a.0x7f",
            "example.1",
            "example.com.127",
            "1.2.3.4.5",
            "256.256.256.256",
            "127.0.0.1.",
            "00000000127.1",
            // Digits of other scripts are digits once they are mapped.
            "１２７.1",
            "127。1",
            "①②⑦.⑴",
            "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
            "example.٠x7f１",
        ];
        for text in numbers {
            let found = flaw(text);
            assert!(matches!(found, HostNameFlaw::Number | HostNameFlaw::NoAscii), "{text}: {found:?}");
        }
        for text in ["1.example", "0x7f.example", "127.0.0.1.example", "1e100.net", "0xg"] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn characters_that_no_name_has_are_refused_wherever_they_stand() {
        for wrong in
            ['\0', ' ', '\t', '\n', '\r', '/', '\\', ':', '@', '%', '?', '#', '[', ']', '*', ',', '\u{7f}']
        {
            for text in
                [format!("{wrong}a.example"), format!("a{wrong}b.example"), format!("a.example{wrong}")]
            {
                assert_eq!(flaw(&text), HostNameFlaw::Character(wrong), "{text:?}");
            }
        }
        // What is mapped to one of them, too.
        for text in
            ["a／b.example", "a\u{ff1a}80", "user＠evil.example", "a\u{a0}b.example", "a\u{2100}.example"]
        {
            assert_eq!(flaw(text), HostNameFlaw::NoAscii, "{text:?}");
        }
    }

    #[test]
    fn labels_are_neither_empty_nor_long() {
        for text in [".", "..", ".a", "a..b", "a..", "a.b..", "。", "a。。b", "\u{ad}", "a.\u{ad}.b"] {
            assert!(matches!(flaw(text), HostNameFlaw::EmptyLabel | HostNameFlaw::NoAscii), "{text:?}");
        }
        assert_eq!(flaw(""), HostNameFlaw::Empty);
        let label = "a".repeat(63);
        assert_eq!(name(&format!("{label}.example")), format!("{label}.example"));
        assert_eq!(flaw(&format!("{label}a.example")), HostNameFlaw::LongLabel);
        let most = format!("{label}.{label}.{label}.{}", "b".repeat(61));
        assert_eq!(most.len(), 253);
        assert_eq!(name(&format!("{most}.")), most);
        assert_eq!(flaw(&format!("{most}b")), HostNameFlaw::LongName);
        assert_eq!(flaw(&"a".repeat(100_000)), HostNameFlaw::LongName);
    }

    #[test]
    fn hyphens_stand_inside_of_labels() {
        for text in ["-a.example", "a-.example", "a.-b", "-oProxyCommand=x", "--", "-"] {
            assert!(matches!(flaw(text), HostNameFlaw::Hyphen | HostNameFlaw::Character('=')), "{text}");
        }
        assert_eq!(name("r3---sn-4g5e.example.com"), "r3---sn-4g5e.example.com");
    }

    #[test]
    fn an_underscore_begins_no_part_that_is_registered() {
        for text in ["_example.com", "_", "a._com", "_a.co.uk", "x._a.co.uk", "_localhost"] {
            assert_eq!(flaw(text), HostNameFlaw::Underscore, "{text}");
        }
        for text in ["_dmarc.example.com", "_http._tcp.example.co.uk", "my_host.example", "a_.example.com"] {
            assert_eq!(name(text), text);
        }
    }

    #[test]
    fn spellings_of_one_name_are_equal() {
        for text in ["REGISTRY.example", "registry.Example.", "registry。example", "ｒｅｇｉｓｔｒｙ.example"]
        {
            assert_eq!(name(text), "registry.example", "{text}");
        }
        for text in ["bücher.example", "BÜCHER.example", "bu\u{308}cher.example", "XN--Bcher-KVA.example."]
        {
            assert_eq!(name(text), "xn--bcher-kva.example", "{text}");
        }
        // Another script's letters are another name.
        assert_ne!(name("gіthub.com"), "github.com");
    }

    #[test]
    fn broken_forms_of_other_scripts_are_refused() {
        for text in ["xn--", "xn--a", "xn--zzzzzzzzzz-.example", "XN--example-", "xn--\u{fc}.example"] {
            assert!(HostName::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn below_is_by_whole_labels() {
        let above = HostName::parse("x.example").unwrap();
        let below = |text: &str| HostName::parse(text).unwrap().is_below(&above);
        assert!(below("a.x.example") && below("a.b.x.example"));
        assert!(
            !below("x.example") && !below("ax.example") && !below("a.x.example.evil") && !below("example")
        );
    }

    #[test]
    fn an_error_names_the_text_and_stays_short() {
        let error = HostName::parse("a b").unwrap_err();
        assert_eq!(error.to_string(), "`a b` is not the name of a host: it has the character ' '");
        let long = HostName::parse(&"a\0".repeat(10_000)).unwrap_err().to_string();
        assert!(long.len() < 400 && !long.contains('\0'), "{long}");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic_and_what_is_a_name_is_one_in_its_own_spelling(text in "\\PC{0,40}") {
            if let Ok(name) = HostName::parse(&text) {
                let again = HostName::parse(name.as_str());
                prop_assert_eq!(again.as_ref().map(HostName::as_str), Ok(name.as_str()));
                prop_assert!(name.as_str().is_ascii() && name.as_str().len() <= 253);
                prop_assert!(name.as_str().parse::<std::net::IpAddr>().is_err());
            }
        }

        #[test]
        fn case_and_one_dot_at_the_end_make_no_difference(text in "[a-zA-Z][a-zA-Z0-9]{0,8}(\\.[a-zA-Z]{1,8}){0,3}") {
            let name = HostName::parse(&text).unwrap();
            prop_assert_eq!(&HostName::parse(&text.to_uppercase()).unwrap(), &name);
            prop_assert_eq!(&HostName::parse(&format!("{text}.")).unwrap(), &name);
            let twice = HostName::parse(&format!("{text}.."));
            prop_assert!(twice.is_err());
        }

        #[test]
        fn numbers_with_dots_are_never_names(text in "(0x)?[0-9]{1,12}(\\.(0x)?[0-9]{1,4}){0,4}\\.?") {
            prop_assert!(HostName::parse(&text).is_err());
        }
    }
}
