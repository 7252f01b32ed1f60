//! No test file is forgotten: each is a module of this binary, and each scenario and compile-fail case counts.
#![expect(clippy::disallowed_methods, reason = "this test looks at its own source folder")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn names(folder: &str, ending: &str) -> BTreeSet<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(&dir).unwrap_or_else(|error| panic!("{}: {error}", dir.display()));
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter_map(|name| name.strip_suffix(ending).map(str::to_owned)).collect()
}

#[test]
fn every_file_is_a_module() {
    let main = include_str!("main.rs");
    for name in names("tests/all", ".rs").iter().filter(|name| *name != "main") {
        assert!(main.contains(&format!("mod {name};\n")), "tests/all/{name}.rs is not in main.rs");
    }
}

#[test]
fn there_is_one_binary() {
    assert!(names("tests", ".rs").is_empty(), "a file in tests/ would be a binary of its own");
}

#[test]
fn every_compile_fail_case_has_its_message() {
    assert_eq!(names("tests/ui", ".rs"), names("tests/ui", ".stderr"));
}
