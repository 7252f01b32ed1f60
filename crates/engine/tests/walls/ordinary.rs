//! What must run in spite of the sandbox: ordinary work.

use crate::ground::{Ground, KEEPING, lets};
use runward_engine::core::facts::Containment;
use runward_engine::{CommandSpec, Engine, Layer, Mode, Outcome, Policy, StdinSpec, Terminal, Wish};

#[tokio::test]
async fn a_repository_is_committed_to() {
    for layers in KEEPING {
        let ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        let plain = Ground::new(Mode::Off).layers(&[]);
        lets(&plain, &format!("git init -q {}", ground.work("").display())).await;
        let said = lets(
            &ground,
            "echo x > f && git add f && git -c user.name=a -c user.email=a@b commit -qm one && git log --oneline | wc -l",
        )
        .await;
        assert_eq!(said, "1\n");
    }
}

#[tokio::test]
async fn a_program_is_compiled_and_run() {
    let ground = Ground::new(Mode::WorkspaceWrite);
    std::fs::write(ground.work("a.c"), "#include <stdio.h>\nint main() { puts(\"built\"); }\n").unwrap();
    assert_eq!(lets(&ground, "cc a.c -o a && ./a").await, "built\n");
    lets(&ground, "cargo --version").await;
}

#[tokio::test]
async fn input_and_limits_and_terminals_work_as_always() {
    for layers in KEEPING {
        let ground = Ground::new(Mode::ReadOnly).layers(layers);
        let mut spec = CommandSpec::exec("cat").timeout(testkit::LIMIT);
        spec.stdin = StdinSpec::Bytes(b"given".to_vec());
        assert_eq!(ground.run(spec).await.stdout.kept.bytes(), b"given");

        let mut spec = CommandSpec::shell("ulimit -n").timeout(testkit::LIMIT);
        spec.limits.open_files = Wish::At(77);
        assert_eq!(ground.run(spec).await.stdout.kept.bytes(), b"77\n");

        let mut spec =
            CommandSpec::shell("tty && test -t 0 && echo $(stty size) > /dev/tty").timeout(testkit::LIMIT);
        spec.terminal = Terminal::Pty { rows: 33, cols: 77 };
        let receipt = ground.run(spec).await;
        let said = String::from_utf8(receipt.stdout.kept.bytes()).unwrap();
        let own = if layers.contains(&Layer::Namespaces) { "/dev/console\r\n" } else { "/dev/pts/" };
        assert!(said.starts_with(own) && said.ends_with("33 77\r\n"), "{said:?}");
    }
}

#[tokio::test]
async fn a_terminal_of_its_own_can_be_had() {
    for layers in [KEEPING[0], KEEPING[2]] {
        let ground = Ground::new(Mode::ReadOnly).layers(layers);
        let said = lets(
            &ground,
            "python3 -c 'import pty,os; a,b=pty.openpty(); os.write(b, b\"x\"); print(os.ttyname(b))' && \
             script -qc 'tty && echo in > /dev/tty' /dev/null",
        )
        .await;
        assert_eq!(said, "/dev/pts/0\n/dev/pts/0\r\nin\r\n");
    }
}

#[tokio::test]
async fn every_way_of_holding_a_tree_together_goes_with_it() {
    let facts = runward_engine::host::probe().unwrap();
    for containment in facts.abilities.containment.clone() {
        let ground = Ground::new(Mode::WorkspaceWrite).offline();
        let builder = Engine::builder().policy(Policy::allow_everything("a test")).containment(containment);
        let engine = builder.sandbox(ground.settings.clone()).build().unwrap();
        let text = "echo made > file; (setsid sleep 1000 &) ; exit 3";
        let request = ground.request(&engine, CommandSpec::shell(text).timeout(testkit::LIMIT));
        let Outcome::Ran(receipt) = engine.run(request).await.unwrap() else { panic!("refused") };
        assert_eq!((receipt.end.exit_code(), receipt.end.leftovers.count()), (3, Some(1)), "{containment:?}");
        assert_eq!(receipt.sandbox, ["namespaces", "landlock", "seccomp"]);
        assert!(ground.work("file").exists(), "{containment:?}");
        assert_ne!(containment, Containment::Job);
    }
}

#[tokio::test]
async fn what_is_explained_is_what_is_kept() {
    let mut ground = Ground::new(Mode::WorkspaceWrite).offline();
    ground.settings.deny_read = vec!["/etc/shadow".into()];
    let engine = ground.engine();
    let draft = engine.explain(ground.request(&engine, CommandSpec::exec("true"))).unwrap();
    let walls = draft.sandbox();
    assert_eq!(draft.sandbox_layers(), ["namespaces", "landlock", "seccomp"]);
    assert_eq!((walls.mode().name(), walls.network().name().as_str()), ("workspace-write", "off"));
    assert_eq!(walls.writable(), [ground.work("").canonicalize().unwrap()]);
    assert_eq!(walls.deny_read(), [std::path::PathBuf::from("/etc/shadow")]);
    let mut other = Ground::new(Mode::WorkspaceWrite);
    other.settings.layers = ground.settings.layers.clone();
    assert_ne!(
        draft.digest(),
        engine.explain(ground.request(&engine, CommandSpec::exec("true"))).unwrap().digest()
    );
}

#[tokio::test]
async fn code_that_is_read_from_a_file_of_ours_runs() {
    use runward_engine::languages::{CodeRequest, CodeRunner, Languages};
    for layers in KEEPING {
        let ground = Ground::new(Mode::ReadOnly).layers(layers);
        let runner =
            CodeRunner::new(ground.engine(), Languages::default(), runward_engine::Caller::library());
        let code = format!("#{}\nprint('read'); open('/etc/new', 'w')", "x".repeat(200_000));
        let answer = runner.run(&CodeRequest::new("python", code)).await;
        let said = format!("{answer:?}");
        assert!(said.contains("read\\n") && said.contains("/etc/new"), "{said}");
    }
}
