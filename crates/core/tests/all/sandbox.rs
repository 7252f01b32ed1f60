//! What is kept around a command, planned on a made-up host.

use super::host::MadeUpHost;
use runward_core::error::Coded;
use runward_core::sandbox::{Layer, Mode, Network, Place, SandboxError, SandboxPlan, SandboxSettings, plan};
use std::path::{Path, PathBuf};

fn settings(mode: Mode) -> SandboxSettings {
    SandboxSettings { mode, ..SandboxSettings::default() }
}

fn paths(all: &[&str]) -> Vec<PathBuf> {
    all.iter().map(PathBuf::from).collect()
}

fn planned_at(
    host: &MadeUpHost,
    settings: &SandboxSettings,
    layers: &[Layer],
    cwd: &str,
) -> Result<SandboxPlan, SandboxError> {
    let workspace = vec![host.facts().cwd.clone()];
    plan(settings, &Place { facts: host.facts(), look: host, layers, workspace, cwd: Path::new(cwd) })
}

fn planned(host: &MadeUpHost, settings: &SandboxSettings) -> Result<SandboxPlan, SandboxError> {
    planned_at(host, settings, &Layer::ALL, "/home/u/app")
}

#[test]
fn what_is_off_keeps_nothing_and_needs_no_layer() {
    let off = planned_at(&MadeUpHost::unix(), &settings(Mode::Off), &[], "/home/u/app").unwrap();
    assert!(off.is_off() && off.names().is_empty());
    assert_eq!(off, SandboxPlan::default());
}

#[test]
fn every_layer_that_is_missing_is_named() {
    let host = MadeUpHost::unix();
    for mode in [Mode::ReadOnly, Mode::WorkspaceWrite] {
        let error = planned_at(&host, &settings(mode), &[Layer::Landlock], "/home/u/app").unwrap_err();
        assert_eq!(error.to_string(), "this host lacks the sandbox layers `namespaces` and `seccomp`");
        assert_eq!(error.code().name(), "sandbox.unavailable");
        let error = planned_at(&host, &settings(mode), &[], "/home/u/app").unwrap_err();
        assert_eq!(error, SandboxError::MissingLayers { missing: Layer::ALL.to_vec() });
    }
}

#[test]
fn fewer_layers_are_enough_where_the_operator_lists_fewer() {
    let mut weaker = settings(Mode::WorkspaceWrite);
    weaker.layers = vec![Layer::Seccomp, Layer::Landlock];
    let plan = planned_at(&MadeUpHost::unix(), &weaker, &weaker.layers, "/home/u/app").unwrap();
    assert_eq!(plan.names(), ["landlock", "seccomp"]);
    assert_eq!(plan.protected(), paths(&[]), "what these layers do not keep is not claimed");
}

#[test]
fn what_the_listed_layers_cannot_keep_is_refused() {
    let host = MadeUpHost::unix().text("/home/u/app/runward.toml", "");
    let with =
        |layers: &[Layer]| SandboxSettings { layers: layers.to_vec(), ..settings(Mode::WorkspaceWrite) };
    let cases = [
        (
            with(&[]),
            "the mode `workspace-write` is not kept without the sandbox layers `namespaces` or `landlock`",
        ),
        (
            with(&[Layer::Seccomp]),
            "the mode `workspace-write` is not kept without the sandbox layers `namespaces` or `landlock`",
        ),
        (
            SandboxSettings { network: Network::Off, ..with(&[Layer::Landlock]) },
            "a network that is off is not kept without the sandbox layers `namespaces` or `seccomp`",
        ),
        (
            SandboxSettings {
                deny_read: paths(&["/etc/shadow"]),
                ..with(&[Layer::Landlock, Layer::Seccomp])
            },
            "what cannot be read is not kept without the sandbox layer `namespaces`",
        ),
        (
            SandboxSettings {
                protected: paths(&["runward.toml"]),
                ..with(&[Layer::Landlock, Layer::Seccomp])
            },
            "what must not change in a writable folder, `/home/u/app/runward.toml`, is not kept without the sandbox \
             layer `namespaces`",
        ),
    ];
    for (settings, said) in cases {
        assert_eq!(planned(&host, &settings).unwrap_err().to_string(), said);
    }
}

#[test]
fn a_list_of_hosts_is_refused_and_never_taken_for_on_or_off() {
    for mode in Mode::ALL {
        let listed =
            SandboxSettings { network: Network::Hosts(vec!["example.org".to_owned()]), ..settings(mode) };
        assert_eq!(planned(&MadeUpHost::unix(), &listed), Err(SandboxError::Hosts), "{mode:?}");
    }
}

#[test]
fn parts_of_a_sandbox_without_a_sandbox_are_refused() {
    let host = MadeUpHost::unix();
    let network = SandboxSettings { network: Network::Off, ..settings(Mode::Off) };
    assert_eq!(
        planned(&host, &network).unwrap_err().to_string(),
        "a network that is off is not kept while the sandbox is off"
    );
    let reading = SandboxSettings { deny_read: paths(&["/etc"]), ..settings(Mode::Off) };
    assert_eq!(
        planned(&host, &reading).unwrap_err().to_string(),
        "what cannot be read is not kept while the sandbox is off"
    );
}

#[test]
fn a_plan_looks_like_this() {
    let host = MadeUpHost::unix()
        .text("/home/u/app/.git/HEAD", "")
        .text("/home/u/app/part/.git/HEAD", "")
        .folder("/home/u/app/part/deep")
        .text("/home/u/app/part/.runward.toml", "")
        .folder("/cache/real")
        .link("/cache/link", "/cache/real")
        .text("/home/u/app/.env", "")
        .folder("/etc/ssh");
    let settings = SandboxSettings {
        network: Network::Off,
        writable: paths(&["/cache/link", "/home/u/app/part", "/not/there"]),
        deny_read: paths(&[".env", "/etc/ssh", "/etc/ssh/keys", "/nowhere"]),
        protected: paths(&["/home/u/app/state/new", "/etc/runward.toml"]),
        ..settings(Mode::WorkspaceWrite)
    };
    let plan = planned_at(&host, &settings, &Layer::ALL, "/home/u/app/part/deep").unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&plan).unwrap());
    let strict = SandboxSettings { mode: Mode::ReadOnly, ..settings };
    let plan = planned(&host, &strict).unwrap();
    assert_eq!(
        (plan.writable(), plan.protected()),
        (&[][..], &[][..]),
        "nothing may be written, so nothing is kept"
    );
}

#[test]
fn the_root_of_all_files_is_no_workspace() {
    let mut host = MadeUpHost::unix();
    host.facts_mut().cwd = "/".into();
    assert_eq!(planned(&host, &settings(Mode::WorkspaceWrite)), Err(SandboxError::WholeRoot));
    assert!(planned(&host, &settings(Mode::ReadOnly)).is_ok());
}
