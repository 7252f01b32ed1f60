//! `ALLOWED_CWD_ROOTS`: canonical paths, compared name by name.

use crate::ground;
use crate::host::MadeUpHost;
use proptest::prelude::*;
use runward_core::facts::Naming;
use runward_core::policy::{CwdRoots, Decision, Policy, Ruling, judge};
use runward_core::resolve::{Defaults, ResolveError, resolve};
use runward_core::spec::{Caller, CommandSpec};
use std::path::{Path, PathBuf};

fn host() -> MadeUpHost {
    let folders = ["/w/root/sub/deep", "/w/root-evil", "/w/root/..x", "/w/other", "/etc", "/w/with space"];
    let host = MadeUpHost::unix().env("PATH", "/usr/bin").program("/usr/bin/ls").text("/w/root/file", "x");
    let host = folders.iter().fold(host, |host, folder| host.folder(folder));
    host.link("/w/root/out", "/etc").link("/w/linked", "/w/root").link("/w/other/in", "/w/root/sub")
}

fn judged(roots: &str, cwd: Option<&str>) -> Result<Ruling, ResolveError> {
    let host = host();
    let policy = Policy { cwd_roots: CwdRoots::read(roots), ..Policy::allow_everything("a test") };
    let mut spec = CommandSpec::exec("ls");
    spec.cwd = cwd.map(PathBuf::from);
    let command = resolve(&spec, host.facts(), &Defaults::default(), &host)?;
    Ok(judge(&policy.found(host.facts(), &host), &command, &Caller::library(), &ground(&host)))
}

fn allowed(roots: &str, cwd: &str) -> bool {
    judged(roots, Some(cwd)).unwrap().decision() == Decision::Allow
}

fn told(roots: &str, cwd: &str) -> String {
    let ruling = judged(roots, Some(cwd)).unwrap();
    ruling.deciding().and_then(|rule| rule.told.clone()).unwrap().message
}

#[test]
fn inside_is_inside_however_it_is_written() {
    for cwd in
        ["/w/root", "/w/root/", "/w/root/.", "/w/root/sub/deep", "/w/root/sub/..", "//w/root", "/w/root/..x"]
    {
        assert!(allowed("/w/root", cwd), "{cwd}");
        assert!(allowed("/w/root/./", cwd), "{cwd}");
        assert!(allowed("/w/other/../root//", cwd), "{cwd}");
    }
    assert!(allowed("/", "/etc"));
    assert!(allowed("/w/with space", "/w/with space"));
}

#[test]
fn outside_is_outside_however_it_is_written() {
    for cwd in ["/w/root-evil", "/w/root/..", "/w/root/../other", "/w", "/etc", "/w/root/sub/../../root-evil"]
    {
        assert_eq!(told("/w/root", cwd), format!("cwd is not allowed by ALLOWED_CWD_ROOTS: {cwd}"));
    }
}

#[test]
fn links_are_followed_on_both_sides() {
    assert!(!allowed("/w/root", "/w/root/out"), "a link out of the root");
    assert!(allowed("/w/root", "/w/other/in"), "a link into the root");
    assert!(allowed("/w/linked", "/w/root/sub"), "the root itself is a link");
    assert!(allowed("/w/linked", "/w/linked/sub"));
}

#[test]
fn relative_paths_begin_where_runward_was_started() {
    assert!(allowed("/home/u", "."));
    assert!(allowed(".", "/home/u/app"));
    assert!(!allowed("/w/root", "."));
    assert!(matches!(judged("/w/root", Some("~")), Err(ResolveError::CwdMissing { .. })));
}

#[test]
fn any_of_several_roots_will_do() {
    assert!(allowed("/w/other, /w/root", "/w/root/sub"));
    assert!(allowed(" , ", "/etc"), "an empty list restricts nothing");
    assert!(allowed("", "/etc"));
}

#[test]
fn a_root_that_is_not_there_rejects_whoever_chooses_a_folder() {
    let message =
        "Invalid configuration: ALLOWED_CWD_ROOTS contains an invalid root: /path/that/does/not/exist";
    assert_eq!(told("/w/root,/path/that/does/not/exist", "/w/root/sub"), message);
    let without = judged("/w/root,/path/that/does/not/exist", None).unwrap();
    assert_eq!(without.decision(), Decision::Allow);
}

#[test]
fn the_ruling_names_the_rule() {
    let ruling = judged("/w/root", Some("/etc")).unwrap();
    assert_eq!(ruling.deciding().unwrap().rule, "ALLOWED_CWD_ROOTS");
}

#[test]
fn a_folder_that_is_allowed_is_no_leave_for_a_command() {
    let host = host();
    let policy = Policy { cwd_roots: CwdRoots::read("/w/root"), ..Policy::default() };
    let spec = CommandSpec::exec("ls").cwd("/w/root");
    let command = resolve(&spec, host.facts(), &Defaults::default(), &host).unwrap();
    let ruling = judge(&policy.found(host.facts(), &host), &command, &Caller::library(), &ground(&host));
    assert_eq!(ruling.decision(), Decision::Deny);
}

#[test]
fn roots_that_were_never_looked_for_admit_nothing() {
    let host = host();
    let policy = Policy { cwd_roots: CwdRoots::read("/w/root"), ..Policy::allow_everything("a test") };
    let spec = CommandSpec::exec("ls").cwd("/w/root");
    let command = resolve(&spec, host.facts(), &Defaults::default(), &host).unwrap();
    assert_eq!(judge(&policy, &command, &Caller::library(), &ground(&host)).decision(), Decision::Deny);
}

#[test]
fn a_folder_that_is_none_is_told_as_it_was_given() {
    let error = |cwd| judged("", Some(cwd)).unwrap_err().to_string();
    assert_eq!(error("/none"), "cwd does not exist: /none");
    assert_eq!(error("/w/root/file"), "cwd is not a directory: /w/root/file");
}

fn names() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec("[a-c]{1,2}|\\.\\.x|\\.y", 0..4)
}

proptest! {
    #[test]
    fn containment_is_a_matter_of_whole_names(folder in names(), path in names()) {
        let spell = |names: &[String]| PathBuf::from(format!("/{}", names.join("/")));
        let held = Naming::unix().holds(&spell(&folder), &spell(&path));
        prop_assert_eq!(held, path.starts_with(&folder));
    }

    #[test]
    fn slashes_more_or_less_change_nothing(folder in names(), more in names()) {
        let loose = format!("//{}//", folder.join("//"));
        let inside = format!("/{}/{}/", folder.join("/"), more.join("/"));
        prop_assert!(Naming::unix().holds(Path::new(&loose), Path::new(&inside)));
    }

    #[test]
    fn a_path_that_still_climbs_is_in_no_folder(folder in names(), more in names()) {
        let folder = format!("/{}", folder.join("/"));
        for dots in [".", ".."] {
            let climbing = format!("{folder}/{dots}/{}", more.join("/"));
            prop_assert!(!Naming::unix().holds(Path::new(&folder), Path::new(&climbing)));
        }
    }
}
