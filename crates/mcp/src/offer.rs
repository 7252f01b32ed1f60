//! Which tools a server offers: a profile, or names. May not know what a tool does.

use crate::tools;
use runward_engine::{Code, Coded};

/// A set of tools for one kind of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Commands and sessions.
    #[default]
    Terminal,
    /// Programs with arguments, bound to a workspace.
    Toolkit,
    /// Snippets by language.
    Code,
    /// Every tool.
    All,
}

impl Profile {
    /// Every profile with its spelling.
    pub const ALL: &'static [(&'static str, Profile)] = &[
        ("terminal", Profile::Terminal),
        ("toolkit", Profile::Toolkit),
        ("code", Profile::Code),
        ("all", Profile::All),
    ];

    fn has(self, home: Profile) -> bool {
        self == Profile::All || self == home
    }
}

/// The tools a server offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer(Vec<&'static str>);

/// A tool was named that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OfferError {
    name: String,
}

impl std::fmt::Display for OfferError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no tool named `{}`", self.name)
    }
}

impl std::error::Error for OfferError {}

impl Coded for OfferError {
    fn code(&self) -> Code {
        Code::SpecBadValue
    }

    fn hint(&self) -> Option<String> {
        Some(format!("Choose from: {}.", tools::names().collect::<Vec<_>>().join(", ")))
    }
}

impl Offer {
    /// The tools of a profile.
    pub fn of(profile: Profile) -> Self {
        Self(tools::TABLE.iter().filter(|tool| profile.has(tool.profile)).map(|tool| tool.name).collect())
    }

    /// The tools of these names, in the order of the table.
    pub fn named<S: AsRef<str>>(names: &[S]) -> Result<Self, OfferError> {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        if let Some(name) = names.iter().find(|name| tools::find(name).is_none()) {
            return Err(OfferError { name: (*name).to_owned() });
        }
        Ok(Self(tools::names().filter(|name| names.contains(name)).collect()))
    }

    /// No tools at all.
    pub fn nothing() -> Self {
        Self(Vec::new())
    }

    /// Whether no tool is offered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a tool is offered.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terminal_profile_is_the_usual_one() {
        let offer = Offer::of(Profile::default());
        assert!(offer.has("execute_command"));
        assert_eq!(Offer::of(Profile::All).0, tools::names().collect::<Vec<_>>());
    }

    #[test]
    fn tools_are_picked_by_name() {
        assert_eq!(Offer::named(&["execute_command"]).unwrap().0, ["execute_command"]);
        let error = Offer::named(&["execute_command", "sudo"]).unwrap_err();
        assert_eq!(error.to_string(), "there is no tool named `sudo`");
        assert!(error.hint().unwrap().contains("execute_command"));
    }
}
