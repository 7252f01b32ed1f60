//! `cargo xtask tidy`: rules of this repository that compilers and linters do not know, all breaches at once.
//!
//! May not change a file. Read first: [`rules::RULES`]; then [`house::CheckedTree`], which every rule looks at.

mod breach;
mod exempt;
mod house;
mod lex;
mod packages;
mod rules;
mod source;

use crate::ChoreResult;
use crate::root::RepositoryRoot;
use exempt::Exemptions;
use house::CheckedTree;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "house rules: edges, platform code, sizes, names, promises, codes";

/// `cargo xtask tidy`.
pub(crate) fn run(root: &RepositoryRoot, flags: &[String]) -> ChoreResult {
    if !flags.is_empty() {
        return Err("`tidy` takes no flags".to_owned());
    }
    let house = CheckedTree::read(root)?;
    let exemptions = Exemptions::parse(house.text(exempt::PATH).unwrap_or_default());
    let found = rules::RULES.iter().flat_map(|rule| rule(&house)).collect();
    let left = exemptions.sift(found);
    for breach in &left {
        println!("{breach}");
    }
    match left.len() {
        0 => {
            println!("{} rules hold over {} source files", rules::RULES.len(), house.sources.len());
            Ok(())
        }
        1 => Err("a house rule is broken, see above".to_owned()),
        count => Err(format!("house rules are broken in {count} places, see above")),
    }
}
