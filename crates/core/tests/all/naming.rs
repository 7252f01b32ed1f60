//! The spelling rules written here agree with the standard library's on the host that the tests run on.

use proptest::prelude::*;
use runward_core::facts::Naming;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

fn native() -> Naming {
    if std::path::MAIN_SEPARATOR == '\\' { Naming::windows(None) } else { Naming::unix() }
}

proptest! {
    #[test]
    fn lists_are_split_alike(list in r#"[a-c/:;\\". é]{0,24}"#) {
        let ours: Vec<PathBuf> = native().entries(OsStr::new(&list)).collect();
        let theirs: Vec<PathBuf> = std::env::split_paths(&list).collect();
        prop_assert_eq!(ours, theirs);
    }

    #[test]
    fn paths_are_absolute_alike(path in r"[A-Ca-c]?:?[/\\]?[a-c.é]{0,6}") {
        prop_assert_eq!(native().is_absolute(Path::new(&path)), Path::new(&path).is_absolute());
    }

    #[test]
    fn a_name_lies_in_the_folder_it_was_joined_to(names in prop::collection::vec("[a-zé. ]{1,8}", 1..5)) {
        for (naming, root) in [(Naming::unix(), "/"), (Naming::windows(None), r"C:\")] {
            let mut folder = PathBuf::from(root);
            for name in &names {
                let path = naming.join(&folder, name);
                prop_assert_eq!(naming.parent(&path), Some(folder));
                prop_assert_eq!(naming.file_name(&path), Some(name.as_str()));
                folder = path;
            }
        }
    }
}
