//! A sandbox that the host cannot enforce is refused, and nothing runs.

use runward_core::network::HostList;
use runward_engine::{
    Coded, CommandSpec, Engine, Layer, Mode, Network, Policy, SandboxSettings, SandboxWish,
};

fn engine_with(layers: &[Layer], settings: SandboxSettings) -> Engine {
    let mut facts = runward_engine::host::probe().unwrap();
    facts.abilities.layers = Some(layers.to_vec());
    let builder = Engine::builder().policy(Policy::allow_everything("a test"));
    builder.facts(facts).sandbox(settings).build().unwrap()
}

async fn refused(engine: &Engine, spec: CommandSpec) -> String {
    let error = engine.run(spec).await.unwrap_err();
    assert_eq!(error.code().name(), "sandbox.unavailable");
    assert!(error.hint().is_some());
    error.to_string()
}

#[tokio::test]
async fn a_layer_that_is_missing_is_named_and_nothing_runs() {
    let place = tempfile::tempdir().unwrap();
    let ran = place.path().join("ran");
    let settings = SandboxSettings { mode: Mode::WorkspaceWrite, ..SandboxSettings::default() };
    let engine = engine_with(&[Layer::Seccomp], settings);
    let spec = CommandSpec::exec("touch").arg(&ran);
    assert_eq!(
        refused(&engine, spec.clone()).await,
        "this host lacks the sandbox layers `namespaces` and `landlock`"
    );
    assert!(engine.explain(spec).is_err(), "what cannot be kept is not explained as if it could");
    assert!(!ran.exists());
}

#[tokio::test]
async fn a_command_may_ask_for_a_sandbox_that_the_operator_did_not_set() {
    let engine = engine_with(&[], SandboxSettings::default());
    let mut spec = CommandSpec::exec("true");
    spec.sandbox = SandboxWish { mode: Some(Mode::ReadOnly), ..SandboxWish::default() };
    let said = refused(&engine, spec).await;
    assert_eq!(said, "this host lacks the sandbox layers `namespaces` and `landlock` and `seccomp`");
}

#[tokio::test]
async fn a_list_of_hosts_without_namespaces_is_refused() {
    let network = Network::Hosts(HostList::parse(&["example.org".to_owned()]).unwrap());
    let layers = vec![Layer::Landlock, Layer::Seccomp];
    let settings = SandboxSettings { mode: Mode::ReadOnly, network, layers, ..SandboxSettings::default() };
    let place = tempfile::tempdir().unwrap();
    let ran = place.path().join("ran");
    let spec = CommandSpec::exec("touch").arg(&ran);
    let said = refused(&engine_with(&Layer::ALL, settings), spec).await;
    assert_eq!(said, "a list of hosts is not kept without the sandbox layer `namespaces`");
    assert!(!ran.exists());
}
