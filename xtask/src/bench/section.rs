//! What there is to measure, and who measures it.
//!
//! A new section is one line here; `docs/performance.md` says what it means.

/// A part of the result.
#[derive(Debug, PartialEq)]
pub(crate) struct BenchSection {
    /// Its name on the command line and in every row.
    pub(crate) name: &'static str,
    /// The same in words.
    pub(crate) about: &'static str,
    /// Who measures it.
    pub(crate) by: MeasuredBy,
    /// How often it is measured in one run.
    pub(crate) pass: PassCount,
}

/// How often a section is measured in one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PassCount {
    /// In every pass: times beside times, which depend on the minute.
    Each,
    /// In the first one: it takes long, or is the same in every minute.
    First,
}

/// Who measures a section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MeasuredBy {
    /// A bench program: its package, its name.
    Bench(&'static str, &'static str),
    /// This program.
    Here,
}

const ROAD: MeasuredBy = MeasuredBy::Bench("runward-engine", "road");
const DOOR: MeasuredBy = MeasuredBy::Bench("runward-mcp", "door");

const fn section(name: &'static str, about: &'static str, by: MeasuredBy, pass: PassCount) -> BenchSection {
    BenchSection { name, about, by, pass }
}

/// All of them, in the order of the page.
pub(crate) const SECTIONS: &[BenchSection] = &[
    section("spawn", "starting a program and reading what it prints", ROAD, PassCount::Each),
    section("capture", "output without end", ROAD, PassCount::First),
    section("kill", "ending a tree of processes", ROAD, PassCount::First),
    section("policy", "judging a command", ROAD, PassCount::Each),
    section("journal", "writing down what ran", ROAD, PassCount::First),
    section("sandbox", "walls around a program", ROAD, PassCount::First),
    section("curves", "how the cost grows with the work", ROAD, PassCount::Each),
    section("start", "from nothing to the first command", DOOR, PassCount::Each),
    section("hook", "a client's own shell tool asks", DOOR, PassCount::Each),
    section("mcp", "calls to the MCP server", DOOR, PassCount::Each),
    section("answers", "what a model is shown of a command", DOOR, PassCount::First),
    section("sessions", "sessions that nobody uses just now", DOOR, PassCount::First),
    section("scale", "how the cost grows with the number of sessions", ROAD, PassCount::First),
    section("flow", "a markdown file that is run", DOOR, PassCount::First),
    section("gateway", "servers behind the gateway", DOOR, PassCount::Each),
    section("build", "from a fresh clone to the first output", MeasuredBy::Here, PassCount::First),
    section("release", "the program as it is shipped", MeasuredBy::Here, PassCount::First),
    section("peers", "other servers, asked for the same", DOOR, PassCount::First),
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
