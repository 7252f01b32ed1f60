//! The edge cases of `exec`: missing interpreters, zombies, binary output, interactive code, and too much of it.

use crate::code::{answered, run, runner_on};
use crate::ground::{Ground, is_alive, opened};
use runward_engine::languages::CodeRequest;
use runward_engine::{Engine, Wish};
use std::time::Duration;

fn limited(lang: &str, code: &str, millis: u64) -> CodeRequest {
    CodeRequest { timeout: Wish::At(Duration::from_millis(millis)), ..CodeRequest::new(lang, code) }
}

#[tokio::test]
async fn missing_interpreter() {
    let ground = Ground::new();
    let mut facts = runward_engine::host::probe().unwrap();
    facts.env.insert("PATH".into(), ground.workspace().into());
    facts.node = None;
    let runner = runner_on(Engine::builder().facts(facts).policy(opened()).build().unwrap());
    for (lang, command) in [("python", "python3"), ("javascript", "node"), ("bash", "bash")] {
        let answer = runner.run(&CodeRequest::new(lang, "1")).await;
        assert_eq!(answer.result.error, Some(format!("exec: {command} not found in PATH (ENOENT)")));
        assert_eq!((answer.result.success, answer.result.exit_code, answer.status), (false, None, 127));
    }
}

#[tokio::test]
async fn zombie_processes() {
    let code = "sleep 600 & echo $!; setsid sleep 600 & echo $!; echo $$; wait";
    let result = answered(&limited("bash", code, 1500)).await.result;
    assert_eq!(result.error.as_deref(), Some("exec: Process timeout after 1.5s (TIMEOUT)"));
    assert_eq!((result.success, result.exit_code), (false, None));
    assert_eq!(result.stdout.lines().count(), 3, "partial output is kept: {result:?}");
    assert!(!result.stdout.lines().any(is_alive), "{}", result.stdout);
}

#[tokio::test]
async fn binary_output() {
    let result = run("bash", r"printf 'a\377b'; echo text >&2").await;
    assert_eq!(result.error.as_deref(), Some("exec: Output is not valid UTF-8 (BINARY_OUTPUT)"));
    assert_eq!((result.stdout.as_str(), result.stderr.as_str()), ("", "text\n"));
    assert_eq!((result.success, result.exit_code), (false, Some(0)));
}

#[tokio::test]
async fn interactive_commands() {
    // Nothing to read is the end of input at once, so the timeout is not waited for.
    let asked = run("python", "input()").await;
    assert!(asked.stderr.contains("EOFError"), "{asked:?}");
    assert_eq!(run("bash", "read x; echo \"[$x]\"").await.stdout, "[]\n");
    let fed =
        CodeRequest { stdin: Some("ada\n".to_owned()), ..CodeRequest::new("bash", "read x; echo \"[$x]\"") };
    assert_eq!(answered(&fed).await.result.stdout, "[ada]\n");
}

#[tokio::test]
async fn a_timeout_is_told_in_seconds() {
    let result = answered(&limited("bash", "sleep 600", 200)).await.result;
    assert_eq!(result.error.as_deref(), Some("exec: Process timeout after 0.2s (TIMEOUT)"));
    let result = serde_json::to_value(result).unwrap();
    assert!(result.get("exit_code").is_none());
}

#[tokio::test]
async fn too_much_output_is_cut_from_the_middle() {
    let code = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last; echo err >&2; exit 4";
    let result = run("bash", code).await;
    assert_eq!(result.error.as_deref(), Some("exec: Output size exceeded 1 MiB (OUTPUT_LIMIT)"));
    assert_eq!((result.success, result.exit_code, result.stderr.as_str()), (false, Some(4), "err\n"));
    assert!(result.stdout.starts_with("first\nxxx") && result.stdout.ends_with("xxxlast\n"));
    assert!(result.stdout.len() + result.stderr.len() <= 1024 * 1024);
    let (start, rest) = result.stdout.split_once("\n[").unwrap();
    let (count, end) = rest.split_once(" bytes left out]\n").unwrap();
    assert_eq!(start.len() + end.len() + count.parse::<usize>().unwrap(), 3_000_000 + 11);
}

#[tokio::test]
async fn both_streams_share_the_limit_and_success_still_tells_the_exit() {
    let code = "import sys; sys.stdout.write('o' * 900000); sys.stderr.write('e' * 900000)";
    let result = run("python", code).await;
    assert_eq!((result.success, result.exit_code), (true, Some(0)));
    assert_eq!(result.error.as_deref(), Some("exec: Output size exceeded 1 MiB (OUTPUT_LIMIT)"));
    for (stream, letter) in [(&result.stdout, 'o'), (&result.stderr, 'e')] {
        assert!(stream.len() <= 512 * 1024 && stream.starts_with(letter) && stream.ends_with(letter));
    }
    let whole =
        run("python", "import sys; sys.stdout.write('o' * 600000); sys.stderr.write('e' * 448576)").await;
    assert_eq!((whole.error, whole.stdout.len() + whole.stderr.len()), (None, 1024 * 1024));
}

#[tokio::test]
async fn code_too_large_for_one_argument_gives_the_same_result() {
    let ground = Ground::new();
    let mut facts = runward_engine::host::probe().unwrap();
    facts.env.insert("TMPDIR".into(), ground.workspace().join("sub/deep").into());
    let runner = runner_on(Engine::builder().facts(facts).policy(opened()).build().unwrap());
    for (lang, comment, code) in [
        ("bash", "#", "echo \"$0 $# $PWD\"; x=1; echo $x >&2; exit 5"),
        (
            "javascript",
            "//",
            "const x = require('path').basename('/a/b'); console.log(x, process.argv.length, __filename, process.cwd()); process.exit(5)",
        ),
        (
            "python",
            "#",
            "import sys\ndef f(): return g\ng = __name__\nprint(f(), sys.argv, sys.path[0], __name__)\nsys.exit(5)",
        ),
    ] {
        let large = format!("{code}\n{comment}{}", "x".repeat(300_000));
        let request = CodeRequest::new(lang, large);
        assert!(runner.prepare(&request).unwrap().is_in_a_file());
        let (large, small) =
            (runner.run(&request).await.result, runner.run(&CodeRequest::new(lang, code)).await.result);
        assert_eq!(large, small);
        assert_eq!(large.exit_code, Some(5), "{large:?}");
    }
    let left: Vec<_> = std::fs::read_dir(ground.workspace().join("sub/deep")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn a_nul_byte_in_code_is_told() {
    let result = run("bash", "echo a\0b").await;
    assert_eq!(result.error.as_deref(), Some("exec: The code contains a NUL byte (INVALID_ARGUMENT)"));
}
