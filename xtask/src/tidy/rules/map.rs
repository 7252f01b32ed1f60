//! The map is whole: `ARCHITECTURE.md`, if there is one, mentions every crate.

use super::super::breach::Breach;
use super::super::house::CheckedTree;

const MAP: &str = "ARCHITECTURE.md";

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let names = house.packages.iter().map(|package| package.name.as_str());
    house.text(MAP).map_or_else(Vec::new, |text| missing(text, names))
}

fn missing<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Vec<Breach> {
    let mentioned =
        |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == name);
    names
        .filter(|name| !mentioned(name))
        .map(|name| Breach::new("map", MAP, 1, format!("the crate `{name}` is not mentioned")).about(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_that_is_not_on_the_map_is_found() {
        let found = missing("`runward-core` and `xtask`", ["runward", "runward-core", "xtask"].into_iter());
        assert_eq!(found.iter().map(|breach| breach.subject.as_str()).collect::<Vec<_>>(), ["runward"]);
    }
}
