//! What there is to measure, and who measures it.
//!
//! A new section is one line here; `docs/performance.md` says what it means.

/// A part of the result.
#[derive(Debug, PartialEq)]
pub(crate) struct Section {
    /// Its name on the command line and in every row.
    pub(crate) name: &'static str,
    /// The same in words.
    pub(crate) about: &'static str,
    /// Who measures it.
    pub(crate) by: By,
    /// How often it is measured in one run.
    pub(crate) pass: Pass,
}

/// How often a section is measured in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Pass {
    /// In every pass: times beside times, which depend on the minute.
    Each,
    /// In the first one: it takes long, or is the same in every minute.
    First,
}

/// Who measures a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum By {
    /// A bench program: its package, its name.
    Bench(&'static str, &'static str),
    /// This program.
    Here,
}

const ROAD: By = By::Bench("runward", "road");
const DOOR: By = By::Bench("runward-mcp", "door");

const fn section(name: &'static str, about: &'static str, by: By, pass: Pass) -> Section {
    Section { name, about, by, pass }
}

/// All of them, in the order of the page.
pub(crate) const SECTIONS: &[Section] = &[
    section("spawn", "starting a program and reading what it prints", ROAD, Pass::Each),
    section("capture", "output without end", ROAD, Pass::First),
    section("kill", "ending a tree of processes", ROAD, Pass::First),
    section("policy", "judging a command", ROAD, Pass::Each),
    section("journal", "writing down what ran", ROAD, Pass::First),
    section("sandbox", "walls around a program", ROAD, Pass::First),
    section("curves", "how the cost grows with the work", ROAD, Pass::Each),
    section("mcp", "calls to the MCP server", DOOR, Pass::Each),
    section("sessions", "sessions that nobody uses just now", DOOR, Pass::First),
    section("scale", "how the cost grows with the number of sessions", ROAD, Pass::First),
    section("flow", "a markdown file that is run", DOOR, Pass::First),
    section("gateway", "servers behind the gateway", DOOR, Pass::Each),
    section("release", "the program as it is shipped", By::Here, Pass::First),
    section("peers", "other servers, asked for the same", DOOR, Pass::First),
];

/// The words for a section; one that is not in the table has none.
pub(crate) fn about(name: &str) -> &'static str {
    SECTIONS.iter().find(|section| section.name == name).map_or("", |section| section.about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_names_of_their_own_and_words() {
        for section in SECTIONS {
            assert_eq!(SECTIONS.iter().filter(|other| other.name == section.name).count(), 1);
            assert!(!about(section.name).is_empty());
        }
        assert_eq!(about("nothing"), "");
    }
}
