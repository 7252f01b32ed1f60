//! Files stay small: lines of code per file, without blank lines, comments and tests.

use super::super::breach::Breach;
use super::super::house::CheckedTree;
use super::super::source::RustFile;

const CAP: usize = 500;
const NINTH_TENTH: usize = 300;
const MEDIAN: usize = 120;

/// The rule.
pub(crate) fn rule(house: &CheckedTree) -> Vec<Breach> {
    let capped = house.sources.iter().filter(|source| code_lines(source) > CAP).map(too_long);
    let mut sizes: Vec<_> = house.product().map(code_lines).filter(|&lines| lines > 0).collect();
    sizes.sort_unstable();
    capped.chain(spread(&sizes, 50, MEDIAN)).chain(spread(&sizes, 90, NINTH_TENTH)).collect()
}

fn too_long(source: &RustFile) -> Breach {
    let sentence =
        format!("{} lines of code; the cap is {CAP}: find the second job in it", code_lines(source));
    Breach::new("size", &source.path, 1, sentence)
}

/// Whether so many in a hundred files are at most so long.
fn spread(sizes: &[usize], percent: usize, most: usize) -> Option<Breach> {
    let there = *sizes.get((sizes.len() * percent).div_ceil(100).saturating_sub(1))?;
    let sentence =
        format!("{percent} in 100 files should have at most {most} lines of code; it is {there} lines");
    (there > most).then(|| Breach::new("size", "crates", 1, sentence).about(&format!("p{percent}")))
}

fn code_lines(source: &RustFile) -> usize {
    let product = (0..source.tokens.len()).filter(|&index| !source.is_test(index));
    let lines: std::collections::BTreeSet<_> =
        product.flat_map(|index| source.code_lines(index..index + 1)).collect();
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_counted() {
        let text =
            "//! A file.\n\n/// Doc.\nfn f() {\n    g();\n}\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        assert_eq!(code_lines(&RustFile::new("crates/core/src/a.rs", text)), 3);
        assert_eq!(code_lines(&RustFile::new("crates/core/src/a.rs", "const A: &str = \"\n\n\";")), 3);
    }

    #[test]
    fn a_file_over_the_cap_is_found() {
        let long = "f();\n".repeat(CAP + 1);
        let found = rule(&CheckedTree::made_up(&[("xtask/src/a.rs", &long), ("xtask/src/b.rs", "f();")]));
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().starts_with("xtask/src/a.rs:1: 501 lines of code"));
    }

    #[test]
    fn the_spread_is_over_product_files() {
        assert_eq!(spread(&[], 50, 120), None);
        assert_eq!(spread(&[10, 20, 500], 50, 120), None);
        let found = spread(&[10, 130, 500], 50, 120).unwrap();
        assert_eq!((found.subject.as_str(), found.sentence.contains("130")), ("p50", true));
        assert!(spread(&[10, 20, 500], 90, 300).is_some());
    }
}
