//! Folders: where a caller may choose to work, however the folder is written and whatever it leads to.

use crate::policies::{Place, exec, none, shell_tool, words_tool};
use runward_engine::approve::{Approver, Matter, PendingVerdict, Verdict};
use runward_engine::core::plan::Person;
use runward_engine::{Coded, CommandSpec, Outcome};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

const ROOT: &str = "policy.allowed_cwd_roots = [\"ROOT\"]\npolicy.allowed_commands = [\"pwd\", \"ls\", \"cat\", \"cd\", \"pushd\", \
    \"popd\", \"echo\", \"env\", \"git\"]\n";

fn root() -> Place {
    let place = Place::with(ROOT);
    place.file("inside/f", "x\n");
    place.file("../root-evil/f", "x\n");
    place.file("../outside/f", "x\n");
    place
}

/// Whether a command in this folder is refused before it starts, or there is no such folder.
fn shut(place: &Place, cwd: impl AsRef<Path>) -> Option<String> {
    let cwd = cwd.as_ref();
    [(words_tool(), exec(&["ls"])), (shell_tool(), CommandSpec::shell("pwd"))].into_iter().find_map(
        |(caller, spec)| match place.ask(caller, spec.cwd(cwd)) {
            Ok(Outcome::Refused(refusal)) => {
                let view = refusal.view();
                (view.code.name() != "policy.denied").then(|| format!("{}: {}", cwd.display(), view.message))
            }
            Ok(Outcome::Ran(_)) => Some(format!("{}: RAN", cwd.display())),
            Err(error) => {
                (!error.to_string().starts_with("cwd ")).then(|| format!("{}: {error}", cwd.display()))
            }
        },
    )
}

fn pwd(place: &Place, cwd: impl Into<PathBuf>) -> PathBuf {
    let printed = place.prints(shell_tool(), CommandSpec::shell("pwd -P").cwd(cwd.into()));
    PathBuf::from(printed.strip_suffix('\n').unwrap())
}

#[test]
fn p01_a_folder_that_begins_like_the_root_is_another() {
    let place = root();
    let top = place.root();
    let names = ["root-evil", "root.", "root2", "roo", "ROOT", "root evil", "root\n", "root-evil/."];
    for name in names {
        fs::create_dir_all(top.parent().unwrap().join(name)).unwrap();
    }
    none(names.iter().filter_map(|name| shut(&place, top.parent().unwrap().join(name))));
    assert_eq!(pwd(&place, top.join("inside")), top.join("inside"));
    assert_eq!(pwd(&place, &top), top);
    fs::create_dir(top.join("root-evil")).unwrap();
    assert_eq!(pwd(&place, top.join("root-evil")), top.join("root-evil"));
}

#[test]
fn p02_a_folder_is_what_its_path_comes_to() {
    let place = root();
    let top = place.root().display().to_string();
    let outside = [
        "..",
        "../outside",
        "inside/../..",
        "/",
        "/etc",
        "//",
        "/proc/self/root",
        "/proc/self/root/etc",
        "/dev/fd",
        "~",
        "$HOME",
        "%7E",
        "inside/../../root-evil",
        "./../outside",
        "file:///etc",
        "../root/../outside",
        "inside/..//..",
        "",
    ];
    let absolute = [
        format!("{top}/../outside"),
        format!("/{top}/.."),
        format!("{top}//../root-evil/"),
        format!("{top}/inside/../../outside/./"),
        format!("{top}/nosuch"),
        format!("{top}/inside/f"),
        format!("{top}/inside\0/.."),
    ];
    let all = outside
        .iter()
        .copied()
        .chain(absolute.iter().map(String::as_str))
        .filter(|cwd| !cwd.is_empty() && !cwd.contains('\0'));
    none(all.filter_map(|cwd| shut(&place, cwd)));
    for inside in [
        format!("/{top}"),
        format!("{top}/./"),
        format!("{top}/"),
        format!("{top}/inside/.."),
        "inside/..".to_owned(),
        ".".to_owned(),
        "../root".to_owned(),
        format!("{top}/../root//inside/.."),
    ] {
        assert_eq!(pwd(&place, inside.as_str()), place.root(), "{inside}");
    }
}

#[test]
fn p03_a_link_is_where_it_leads() {
    let place = root();
    let top = place.root();
    symlink("/etc", top.join("etc")).unwrap();
    symlink("etc", top.join("again")).unwrap();
    symlink("../outside", top.join("out")).unwrap();
    symlink("inside/../..", top.join("up")).unwrap();
    symlink("/proc/self/root", top.join("slash")).unwrap();
    symlink("loop", top.join("loop")).unwrap();
    symlink("nosuch", top.join("dangling")).unwrap();
    symlink("inside", top.join("in")).unwrap();
    symlink(&top, top.join("../outside/back")).unwrap();
    let out = [
        "etc",
        "again",
        "out",
        "up",
        "slash",
        "loop",
        "dangling",
        "in/../etc",
        "etc/.",
        "out/../outside",
        "slash/etc",
        "up/outside",
    ];
    none(out.iter().filter_map(|cwd| shut(&place, cwd)));
    assert_eq!(pwd(&place, "in"), top.join("inside"));
    assert_eq!(pwd(&place, "../outside/back/inside"), top.join("inside"));
}

/// Says yes after something has happened.
struct Meanwhile(Box<dyn Fn() + Send + Sync>);

impl Approver for Meanwhile {
    fn ask<'a>(&'a self, _: &'a Matter<'a>) -> PendingVerdict<'a> {
        (self.0)();
        Box::pin(std::future::ready(Verdict::Once(Person::named("someone"))))
    }
}

#[test]
fn p04_a_link_that_is_swapped_after_the_check_changes_nothing() {
    let config = "policy.allowed_cwd_roots = [\"ROOT\"]\npolicy.ask = [\"pwd\"]\n";
    let swap = |place_of: fn(&Path) -> (PathBuf, PathBuf)| {
        let place = Place::whose(config, |facts, builder| {
            let (gone, target) = place_of(&facts.cwd);
            builder.approver(Meanwhile(Box::new(move || {
                if gone.is_symlink() {
                    fs::remove_file(&gone).unwrap();
                } else {
                    fs::rename(&gone, gone.with_extension("old")).unwrap();
                }
                symlink(&target, &gone).unwrap();
            })))
        });
        place.file("inside/f", "x\n");
        place.file("../outside/f", "x\n");
        symlink("inside", place.root().join("link")).unwrap();
        place
    };
    for (cwd, place_of) in [
        (
            "link",
            (|cwd: &Path| (cwd.join("link"), cwd.join("../outside"))) as fn(&Path) -> (PathBuf, PathBuf),
        ),
        ("inside", |cwd: &Path| (cwd.join("inside"), cwd.join("../outside"))),
        ("inside", |cwd: &Path| (cwd.join("inside"), PathBuf::from("/etc"))),
    ] {
        let place = swap(place_of);
        let ended = place.ask(words_tool(), exec(&["pwd", "-P"]).cwd(cwd));
        let Ok(Outcome::Ran(receipt)) = ended else { continue };
        let printed = String::from_utf8(receipt.stdout.kept.bytes()).unwrap();
        let real = PathBuf::from(printed.trim_end());
        assert!(real.starts_with(place.root()), "{cwd}: {real:?} {receipt:?}");
    }
}

#[test]
fn a01_a_folder_that_is_put_in_the_place_of_the_judged_one_is_refused() {
    let config = "policy.allowed_cwd_roots = [\"ROOT\"]\npolicy.ask = [\"touch\"]\n";
    // Renamed away, or taken away so that a new one may get its number: in either case it is another folder.
    let renamed: fn(&Path) = |folder| fs::rename(folder, folder.with_extension("old")).unwrap();
    let removed: fn(&Path) = |folder| fs::remove_dir_all(folder).unwrap();
    let moved_up: fn(&Path) = |folder| {
        let above = folder.parent().unwrap();
        fs::rename(above, above.with_extension("old")).unwrap();
    };
    for (cwd, take_away) in
        [("inside", renamed), ("inside", removed), ("deep/inside", moved_up), (".", renamed)]
    {
        let place = Place::whose(config, |facts, builder| {
            let folder = facts.cwd.join(cwd);
            let folder = fs::canonicalize(&folder).unwrap_or(folder);
            builder.approver(Meanwhile(Box::new(move || {
                let folder = fs::canonicalize(&folder).unwrap();
                take_away(&folder);
                fs::create_dir_all(&folder).unwrap();
            })))
        });
        place.file("inside/f", "x\n");
        place.file("deep/inside/f", "x\n");
        let folder = fs::canonicalize(place.root().join(cwd)).unwrap();
        let ended = place.ask(words_tool(), exec(&["touch", "made"]).cwd(cwd));
        assert_eq!(ended.unwrap_err().code().name(), "spawn.changed", "{cwd}");
        assert!(!folder.join("made").exists(), "{cwd}");
    }
}

#[test]
fn p05_a_folder_that_a_caller_chose_is_no_place_to_write() {
    let place =
        Place::with("policy.allowed_commands = [\"echo\", \"cd\"]\npolicy.redirect = \"workspace\"\n");
    place.file("sub/f", "x\n");
    place.file("../outside/f", "x\n");
    symlink("../outside", place.root().join("out")).unwrap();
    symlink("../outside/f", place.root().join("leads")).unwrap();
    let text = |text: &str, cwd: &str| place.unless_refused(shell_tool(), CommandSpec::shell(text).cwd(cwd));
    let refused = [
        text("echo hi > new", "../outside"),
        text("echo hi > new", "/tmp"),
        text("echo hi > ../outside/new", "."),
        text("echo hi > ../../outside/new", "sub"),
        text("echo hi > out/new", "."),
        text("echo hi > leads", "."),
        text("cd ../outside; echo hi > new", "."),
        text("cd out && echo hi > new", "."),
        text("cd $x; echo hi > new", "."),
        text("echo hi > \"$PWD/new\"", "."),
        text("echo hi > ../root-new", "."),
        text("echo hi > sub/../../new", "."),
        text("echo hi > ~/new", "."),
    ];
    none(refused.into_iter().flatten());
    place.runs(&[
        "echo hi > new",
        "echo hi >> sub/new",
        "cd sub && echo hi > other",
        "echo hi > ./sub/../new2",
    ]);
    assert!(place.root().join("sub/other").exists());
}

#[test]
fn p06_the_folder_a_text_moves_to_counts() {
    let place = root();
    symlink("/etc", place.root().join("etc")).unwrap();
    place.refuses(&[
        "cd /etc && cat shadow",
        "cd .. && ls",
        "cd ../outside; cat f",
        "pushd /etc; cat passwd",
        "cd etc && cat passwd",
        "cd inside/../.. && ls",
        "(cd /etc; cat passwd)",
        "cd inside && cd ../.. && ls",
        "cd; ls",
        "cd ~ && ls",
        "cd - && ls",
        "cd \"$HOME\" && ls",
        "cd $x && ls",
        "cd \"$(echo /etc)\" && ls",
        "for d in /etc; do cd $d; ls; done",
        "cd /etc || true; cat passwd",
        "if cd /etc; then cat passwd; fi",
        "cd -P etc; ls",
        "cd -- /etc; ls",
        "pushd +1; ls",
        "popd; ls",
        "builtin cd /etc; ls",
        "command cd /etc; ls",
        "\\cd /etc; ls",
        "env -C /etc ls",
        "env --chdir=/etc ls",
        "CDPATH=/ cd etc && ls",
        "f() { cd /etc; }; f; ls",
        "echo $(cd /etc; ls)",
        "cd /etc & ls",
        "cd /proc/self/root/etc && ls",
        "cd '' ../..; ls",
    ]);
    place.runs(&[
        "cd inside && cat f",
        "cd ./inside; ls",
        "pushd inside && ls",
        "(cd inside; pwd)",
        "cd inside/../inside && ls",
    ]);
    let denied = Place::with(
        "policy.allow = [\"*\"]\n[[policy.rules]]\ndecision = \"deny\"\nbecause = \"x\"\nprogram = \"mv\"\ncwd = [\"ROOT/.claude\"]\n",
    );
    denied.file(".claude/x", "x\n");
    denied.refuses(&[
        "cd .claude && mv x y",
        "pushd .claude; mv x y",
        "cd ./.claude/ && mv x y",
        "cd $x; mv x y",
    ]);
    denied.file("plain", "x\n");
    denied.runs(&["mv plain plain2"]);
}

#[test]
fn p10_the_back_doors_to_a_folder_are_doors() {
    let place = root();
    let pid = std::process::id();
    let ways = [
        "/proc/self/root/etc".to_owned(),
        "/proc/self/root".to_owned(),
        format!("/proc/{pid}/root/etc"),
        "/proc/self/fd".to_owned(),
        "/dev/fd".to_owned(),
        "/proc/thread-self/root/etc".to_owned(),
        "/proc/1/cwd".to_owned(),
        "file:///etc".to_owned(),
    ];
    none(ways.iter().filter_map(|cwd| shut(&place, cwd)));
}

#[test]
fn p14_odd_folders_are_folders() {
    let place = root();
    let names: [&[u8]; 9] =
        [b"a b", b"it's", b"a\"b", b"a\nb", b"\xff\xfe", b"-n", b"..x", b"$HOME", "日本".as_bytes()];
    for name in names {
        let folder = place.root().join(OsStr::from_bytes(name));
        fs::create_dir(&folder).unwrap();
        let spec = || CommandSpec::exec("pwd").arg("-P").cwd(&folder);
        let Ok(Outcome::Ran(receipt)) = place.ask(words_tool(), spec()) else { panic!("{folder:?}") };
        let printed = receipt.stdout.kept.bytes();
        assert_eq!(printed.strip_suffix(b"\n").unwrap(), folder.as_os_str().as_bytes());
        let Ok(Outcome::Ran(_)) = place.ask(shell_tool(), CommandSpec::shell("ls").cwd(&folder)) else {
            panic!("{folder:?}")
        };
    }
}

#[test]
fn p14_a_root_that_is_a_link_is_the_folder_behind_it() {
    let behind = tempfile::tempdir().unwrap();
    let real = fs::canonicalize(behind.path()).unwrap();
    fs::create_dir(real.join("sub")).unwrap();
    let link = real.with_extension("link");
    symlink(&real, &link).unwrap();
    let config =
        format!("policy.allowed_cwd_roots = [\"{}\"]\npolicy.allowed_commands = [\"pwd\"]\n", link.display());
    let place = Place::with(&config);
    for cwd in [link.clone(), real.clone(), link.join("sub"), real.join("sub")] {
        let spec = CommandSpec::exec("pwd").cwd(&cwd);
        assert!(matches!(place.ask(words_tool(), spec), Ok(Outcome::Ran(_))), "{cwd:?}");
    }
    none(shut(&place, place.root()));
    fs::remove_file(link).unwrap();
}
