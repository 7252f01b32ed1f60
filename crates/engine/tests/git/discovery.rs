//! Which repository git finds from a folder: our answer against git's own, over generated folders.

use super::planted::Planted;
use runward_engine::core::facts::Look;
use runward_engine::core::policy::{PolicyGround, Repository};
use runward_engine::host::{Disk, probe};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }
}

const HEADS: &[&str] = &[
    "ref: refs/heads/main\n",
    "ref: refs/heads/main",
    "ref:refs/heads/x\n",
    "ref: \t\n refs/x",
    "ref: heads/main\n",
    "refs/heads/main\n",
    "",
    "\n",
    "0123456789012345678901234567890123456789\n",
    "0123456789ABCDEF0123456789abcdef01234567junk",
    "012345678901234567890123456789012345678\n",
    "zzz",
];

/// Something that may be the inside of a repository, or nearly.
fn inside(dice: &mut Dice, own: &Path) {
    fs::create_dir_all(own).unwrap();
    match dice.below(10) {
        0 => {}
        1 => symlink(dice.one_of(&["refs/heads/main", "heads/main", "nowhere", "refs"]), own.join("HEAD"))
            .unwrap(),
        2 => fs::create_dir(own.join("HEAD")).unwrap(),
        3..=5 => fs::write(own.join("HEAD"), dice.one_of(HEADS)).unwrap(),
        _ => fs::write(own.join("HEAD"), HEADS[0]).unwrap(),
    }
    for name in ["objects", "refs"] {
        let path = own.join(name);
        match dice.below(30) {
            0 => {}
            1 => fs::write(&path, "").unwrap(),
            2 => {
                fs::write(&path, "").unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
            3 => symlink("../elsewhere", &path).unwrap(),
            _ => fs::create_dir(&path).unwrap(),
        }
    }
    if dice.below(4) == 0 {
        let to = dice.one_of(&[
            "..",
            "../other.git",
            "../other.git\n",
            "../other.git ",
            "../other.git\r\n",
            "/",
            "",
            " ",
        ]);
        fs::write(own.join("commondir"), to).unwrap();
    }
    if dice.below(3) == 0 {
        fs::write(own.join("config"), "[core]\n\trepositoryformatversion = 0\n").unwrap();
    }
}

/// A folder that may be a work tree, a repository, or nothing.
fn place(dice: &mut Dice, here: &Path) {
    fs::create_dir_all(here).unwrap();
    match dice.below(9) {
        0 | 1 => inside(dice, &here.join(".git")),
        2 => fs::create_dir(here.join(".git")).unwrap(),
        3 => inside(dice, here),
        4 => {
            inside(dice, &here.join("other.git"));
            let end = dice.one_of(&["", "\n", "\r\n", "\n\n", " ", " \n", "\r"]);
            let to =
                dice.one_of(&["other.git", "./other.git", "sub/../other.git", "../other.git", "missing", ""]);
            let before =
                dice.one_of(&["gitdir: ", "gitdir: ", "gitdir: ", "gitdir:", "gitdir:  ", "GITDIR: ", ""]);
            fs::write(here.join(".git"), format!("{before}{to}{end}")).unwrap();
        }
        5 => {
            inside(dice, &here.join("other.git"));
            symlink(dice.one_of(&["other.git", "missing", "other.git/HEAD"]), here.join(".git")).unwrap();
        }
        6 => {
            inside(dice, &here.join("other.git "));
            fs::write(here.join(".git"), "gitdir: other.git \n").unwrap();
        }
        _ => {}
    }
}

/// What git says: its own folder, the shared one, and the work tree.
fn asked(planted: &Planted, cwd: &Path) -> Option<(PathBuf, PathBuf, Option<PathBuf>)> {
    let say = |words: &[&str]| {
        let output = planted.command("git", cwd).arg("rev-parse").args(words).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| PathBuf::from(text.strip_suffix('\n').unwrap_or(&text)))
    };
    let own = say(&["--absolute-git-dir"])?;
    let common = say(&["--path-format=absolute", "--git-common-dir"])?;
    Some((own, common, say(&["--show-toplevel"])))
}

fn real(path: &Path) -> PathBuf {
    Disk.real_path(path).unwrap_or_else(|| path.to_owned())
}

#[test]
fn p02_git_and_we_find_the_same_repository() {
    let facts = probe().unwrap();
    let ground = PolicyGround { facts: &facts, look: &Disk, contained: false };
    let planted = Planted::new("");
    let (mut agreed, mut none, mut refused) = (0, 0, 0);
    for seed in 1..=400 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed) | 1);
        let top = planted.beside(&format!("tree.{seed}"));
        let folders = [top.clone(), top.join("a"), top.join("a/b")];
        folders.iter().for_each(|folder| place(&mut dice, folder));
        for cwd in &folders {
            let git = asked(&planted, cwd);
            match (Repository::around(cwd, &ground), git) {
                (Ok(Some(ours)), Some((own, common, work_tree))) => {
                    assert_eq!(real(&ours.own), real(&own), "{seed}: {}", cwd.display());
                    assert_eq!(real(&ours.common), real(&common), "{seed}: {}", cwd.display());
                    assert_eq!(ours.work_tree.as_deref().map(real), work_tree.as_deref().map(real), "{seed}");
                    agreed += 1;
                }
                (Ok(None), None) => none += 1,
                // Git stumbles over what it cannot read; so do we, and nothing runs.
                (Err(_), None) => refused += 1,
                // Git looks closer once it has found one.
                (Ok(Some(_)), None) => refused += 1,
                (ours, git) => panic!("{seed}: {}: we found {ours:?}, git {git:?}", cwd.display()),
            }
        }
        fs::remove_dir_all(&top).unwrap();
    }
    assert!(
        agreed > 200 && none > 100 && refused > 20,
        "{agreed} {none} {refused}: the folders prove nothing"
    );
}
