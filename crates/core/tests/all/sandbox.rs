//! The sandbox around a command, planned on a made-up host.

use super::host::MadeUpHost;
use runward_core::error::Coded;
use runward_core::network::HostList;
use runward_core::sandbox::{
    Access, Layer, Means, Mode, Network, SandboxError, SandboxGround, SandboxPlan, SandboxSettings,
    SandboxStep, plan,
};
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
    let (facts, cwd, shown) = (host.facts(), Path::new(cwd), paths(&["/tmp/shown/file"]));
    plan(settings, &SandboxGround { facts, look: host, layers, workspace, cwd, shown: &shown })
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
fn a_list_of_hosts_is_kept_by_namespaces_and_never_taken_for_on_or_off() {
    let host = MadeUpHost::unix();
    for mode in Mode::ALL {
        let listed = SandboxSettings { network: listed(&["example.org"]), ..settings(mode) };
        let planned = planned(&host, &listed);
        if mode == Mode::Off {
            let said = planned.unwrap_err().to_string();
            assert_eq!(said, "a list of hosts is not kept while the sandbox is off");
            continue;
        }
        let plan = planned.unwrap();
        assert_eq!((plan.network(), plan.has_own_network()), (&listed.network, true), "{mode:?}");
        assert!(plan.hosts().is_some() && plan.contains_all());
        let weaker = SandboxSettings { layers: vec![Layer::Landlock, Layer::Seccomp], ..listed };
        let said = self::planned(&host, &weaker).unwrap_err().to_string();
        assert_eq!(said, "a list of hosts is not kept without the sandbox layer `namespaces`");
    }
}

#[test]
fn a_list_of_more_addresses_than_there_can_be_sockets_is_refused() {
    let many = SandboxSettings { network: listed(&["10.0.0.0/8:5432"]), ..settings(Mode::ReadOnly) };
    let said = planned(&MadeUpHost::unix(), &many).unwrap_err().to_string();
    assert_eq!(
        said,
        "a list of hosts with more than 256 addresses and ports written as numbers cannot be kept"
    );
}

#[test]
fn a_list_of_hosts_gets_a_network_of_its_own_in_these_steps() {
    let hosts =
        SandboxSettings { network: listed(&["a.example", "10.0.0.5:5432"]), ..settings(Mode::ReadOnly) };
    insta::assert_snapshot!(lowered(&planned(&MadeUpHost::unix(), &hosts).unwrap(), "/home/u/app"));
}

fn listed(hosts: &[&str]) -> Network {
    let hosts: Vec<String> = hosts.iter().map(|it| (*it).to_owned()).collect();
    Network::Hosts(HostList::parse(&hosts).unwrap())
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
        .text("/home/u/app/.git/HEAD", "ref: refs/heads/main\n")
        .folder("/home/u/app/.git/objects")
        .folder("/home/u/app/.git/refs")
        .text("/home/u/app/.git/config", "")
        .text("/home/u/app/.git/worktrees/other/commondir", "../..\n")
        .text("/home/u/app/.git/worktrees/other/gitdir", "/home/u/app/other/.git\n")
        .text("/home/u/app/other/.git", "gitdir: /home/u/app/.git/worktrees/other\n")
        .text("/home/u/app/.git/modules/libs/sub/HEAD", "ref: refs/heads/main\n")
        .text("/home/u/app/.git/modules/libs/sub/config", "[core]\n\tworktree = ../../../../libs/sub\n")
        .text("/home/u/app/libs/sub/.git", "gitdir: ../../.git/modules/libs/sub\n")
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

fn lowered(plan: &SandboxPlan, cwd: &str) -> String {
    let name_servers = vec!["10.0.0.53".parse().unwrap()];
    let means = Means { uid: 1000, gid: 100, landlock: 7, terminal: Some("/dev/pts/3".into()), name_servers };
    let steps = plan.steps(Path::new(cwd), &means);
    let lines: Vec<_> = steps.iter().map(|step| serde_json::to_string(step).unwrap()).collect();
    lines.join("\n")
}

#[test]
fn a_sandbox_without_a_network_is_put_up_in_these_steps() {
    let host = MadeUpHost::unix()
        .text("/home/u/app/.git/HEAD", "ref: refs/heads/main\n")
        .folder("/home/u/app/.git/objects")
        .folder("/home/u/app/.git/refs")
        .folder("/home/u/app/.git/hooks")
        .text("/home/u/app/.env", "")
        .folder("/usr/bin")
        .folder("/tmp/x/out")
        .text("/tmp/shown/file", "")
        .folder("/etc/ssh")
        .folder("/dev/pts");
    let settings = SandboxSettings {
        network: Network::Off,
        writable: paths(&["/tmp/x/out"]),
        deny_read: paths(&[".env", "/etc/ssh"]),
        ..settings(Mode::WorkspaceWrite)
    };
    insta::assert_snapshot!(lowered(&planned(&host, &settings).unwrap(), "/home/u/app"));
}

#[test]
fn a_sandbox_with_a_network_hides_services_that_do_anything_for_whoever_asks() {
    let host = MadeUpHost::unix().folder("/run/user/1000").text("/run/docker.sock", "").folder("/run/lock");
    let plan = planned(&host, &settings(Mode::ReadOnly)).unwrap();
    let hidden: Vec<_> =
        plan.hidden().iter().map(|hidden| (hidden.path.to_str().unwrap(), hidden.folder)).collect();
    assert_eq!(hidden, [("/run/user", true), ("/run/docker.sock", false)]);
    insta::assert_snapshot!(lowered(&plan, "/home/u/app"));
}

#[test]
fn a_workspace_that_would_vanish_is_still_seen() {
    let mut host = MadeUpHost::unix().folder("/tmp/work/deep").folder("/tmp/else");
    host.facts_mut().cwd = "/tmp/work".into();
    let kept = |mode: Mode, cwd: &str| {
        let plan = planned_at(&host, &settings(mode), &Layer::ALL, cwd).unwrap();
        let steps = plan.steps(
            Path::new(cwd),
            &Means { uid: 0, gid: 0, landlock: 7, terminal: None, name_servers: Vec::new() },
        );
        let put = steps.into_iter().filter_map(|step| match step {
            SandboxStep::Put(_, path, access, _) => Some((path.to_str().unwrap().to_owned(), access)),
            _ => None,
        });
        put.collect::<Vec<_>>()
    };
    let (work, other) = ("/tmp/work".to_owned(), "/tmp/else".to_owned());
    assert_eq!(kept(Mode::WorkspaceWrite, "/tmp/work/deep"), [(work.clone(), Access::Write)]);
    assert_eq!(kept(Mode::ReadOnly, "/tmp/work"), [(work.clone(), Access::Read)]);
    assert_eq!(kept(Mode::ReadOnly, "/tmp/else"), [(work, Access::Read), (other, Access::Read)]);
}

#[test]
fn an_older_kernel_is_given_no_right_that_it_does_not_know() {
    let offline = SandboxSettings { network: Network::Off, ..settings(Mode::ReadOnly) };
    let apart = planned(&MadeUpHost::unix(), &offline).unwrap();
    let layers = vec![Layer::Landlock, Layer::Seccomp];
    let plan = planned(&MadeUpHost::unix(), &SandboxSettings { layers, ..offline }).unwrap();
    let governed = |landlock: u32| {
        let steps = plan.steps(
            Path::new("/"),
            &Means { uid: 0, gid: 0, landlock, terminal: None, name_servers: Vec::new() },
        );
        let rules = steps.iter().find_map(|step| match step {
            SandboxStep::Rules { files, network, scopes } => Some((*files, *network, *scopes)),
            _ => None,
        });
        let (files, network, scopes) = rules.unwrap();
        let given = steps
            .iter()
            .filter_map(|step| if let SandboxStep::Allow(_, rights) = step { Some(*rights) } else { None });
        assert!(given.into_iter().all(|rights| rights & !files == 0), "a right that is not governed");
        (files, network, scopes)
    };
    let steps = apart.steps(
        Path::new("/"),
        &Means { uid: 0, gid: 0, landlock: 7, terminal: None, name_servers: Vec::new() },
    );
    assert!(
        steps.contains(&SandboxStep::Rules { files: 0xffff, network: 0, scopes: 3 }),
        "a network of its own is for the command to use"
    );
    assert_eq!(governed(3), (0x7fff, 0, 0));
    assert_eq!(governed(4), (0x7fff, 3, 0));
    assert_eq!(governed(5), (0xffff, 3, 0));
    assert_eq!(governed(7), (0xffff, 3, 3));
}

#[test]
fn calls_are_denied_by_this_list() {
    let settings = SandboxSettings { network: Network::Off, ..settings(Mode::ReadOnly) };
    let denied = planned(&MadeUpHost::unix(), &settings).unwrap().denied_calls();
    let lines: Vec<_> = denied.iter().map(|call| format!("{} {:?}", call.name, call.when)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_draft_within_walls_is_another_draft() {
    use runward_core::plan::{RunId, draft};
    use runward_core::policy::{Policy, judge};
    use runward_core::resolve::{Defaults, resolve};
    use runward_core::spec::{Caller, CommandSpec};
    let mut host = MadeUpHost::unix();
    host.facts_mut().abilities.containment = vec![runward_core::facts::Containment::Subreaper];
    let drawn = || {
        let command =
            resolve(&CommandSpec::exec("/bin/bash"), host.facts(), &Defaults::default(), &host).unwrap();
        let ruling =
            judge(&Policy::allow_everything("a test"), &command, &Caller::library(), &crate::ground(&host));
        draft(RunId(uuid::Uuid::nil()), command, Caller::library(), ruling, &host.facts().abilities).unwrap()
    };
    let walls = |mode: Mode| planned(&host, &settings(mode)).unwrap();
    let plain = drawn();
    let runward_core::plan::Leave::Granted(permit) = plain.leave() else { panic!("no leave") };
    let (written, read) =
        (drawn().within(walls(Mode::WorkspaceWrite)), drawn().within(walls(Mode::ReadOnly)));
    assert_ne!(plain.digest(), written.digest());
    assert_ne!(read.digest(), written.digest());
    assert!(written.seal(permit).is_err(), "leave for one is none for the other");
}
