//! `cargo xtask tidy`: house rules that compilers and linters do not know, all breaches at once.
//!
//! May not change a file. Read first: [`rules::RULES`]; then [`house::House`], which every rule looks at.

mod breach;
mod exempt;
mod house;
mod lex;
mod packages;
mod rules;
mod source;

use crate::Done;
use crate::root::Root;
use exempt::Exemptions;
use house::House;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "house rules: edges, platform code, sizes, names, promises, codes";

/// `cargo xtask tidy`.
pub(crate) fn run(root: &Root, flags: &[String]) -> Done {
    if !flags.is_empty() {
        return Err("`tidy` takes no flags".to_owned());
    }
    let house = House::read(root)?;
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
