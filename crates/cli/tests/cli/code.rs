//! `runward code`: a snippet by its language.

use crate::runner::{Place, Said, run, said};
use serde_json::Value;

fn object(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", said.stdout))
}

#[test]
fn code_is_typed_or_in_a_file_or_in_our_input() {
    let place = Place::new();
    place.file("six.py", "print(6 * 7)");
    for args in [&["code", "python", "-c", "print(6 * 7)"][..], &["code", "py", "six.py"]] {
        let said = place.run(args);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "42\n", ""), "{args:?}");
    }
    for args in [&["code", "python3", "-"][..], &["code", "python3"]] {
        let output = place.feed(args, b"print(6 * 7)\n".to_vec());
        assert_eq!(output.stdout, b"42\n", "{args:?}");
    }
}

#[test]
fn output_passes_through_and_the_exit_code_is_the_codes_own() {
    let said = run(["code", "bash", "--quiet", "-c", "printf 'out'; printf 'err' >&2; exit 3"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (3, "out", "err"));
    let dash = run(["code", "js", "-c", "-1; console.log('ran')"]);
    assert_eq!(dash.stdout, "ran\n");
}

#[test]
fn json_is_one_object_whatever_happened() {
    let ran = run(["code", "bash", "--json", "-c", "echo out; exit 3"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (3, ""));
    let expected = serde_json::json!({ "success": false, "exit_code": 3, "stdout": "out\n", "stderr": "" });
    assert_eq!(object(&ran), expected);
    let timeout = run(["code", "bash", "--json", "--timeout", "200ms", "-c", "sleep 600"]);
    assert_eq!((timeout.code, object(&timeout).get("exit_code")), (124, None));
    assert_eq!(object(&timeout)["error"], "exec: Process timeout after 0.2s (TIMEOUT)");
    let ghost = run(["code", "bash", "--json", "--cwd", "/no/such/folder", "-c", "pwd"]);
    let told = "exec: Working directory does not exist '/no/such/folder' (ENOENT)";
    assert_eq!((ghost.code, &object(&ghost)["error"]), (125, &told.into()));
    let cobol = run(["code", "cobol", "--json", "-c", "STOP RUN."]);
    let told = "exec: Unsupported language 'cobol' (LANG_UNSUPPORTED)";
    assert_eq!((cobol.code, &object(&cobol)["error"]), (125, &told.into()));
}

#[test]
fn people_are_told_in_the_usual_form() {
    let cobol = run(["code", "cobol", "-c", "STOP RUN."]);
    assert_eq!((cobol.code, cobol.stdout.as_str()), (125, ""));
    assert!(
        cobol
            .stderr
            .starts_with("runward: the language `cobol` is not known [spec.bad-value]\nhint: Use one of ")
    );
    let version = run(["code", "python", "--version", "2.99", "-c", "1"]);
    assert_eq!(version.code, 127);
    assert!(
        version.stderr.contains("python3 2.99 was not found [resolve.version-unknown]"),
        "{}",
        version.stderr
    );
    let missing = run(["code", "python", "none.py"]);
    assert_eq!(missing.code, 125);
    assert!(missing.stderr.contains("the code in `none.py` could not be read"), "{}", missing.stderr);
}

#[test]
fn a_missing_interpreter_is_127() {
    let place = Place::new();
    let mut command = place.command(["code", "python", "--json", "-c", "1"]);
    let output = said(&command.env("PATH", place.work()).output().unwrap());
    assert_eq!(
        (output.code, &object(&output)["error"]),
        (127, &"exec: python3 not found in PATH (ENOENT)".into())
    );
}

#[test]
fn the_configuration_adds_languages() {
    let place = Place::new();
    place.owner("[languages.calc]\ncommand = \"awk\"\nargs = [\"--\"]\naliases = [\"c\"]\n");
    assert_eq!(place.run(["code", "c", "-c", "BEGIN { print 6 * 7 }"]).stdout, "42\n");
    let shown = place.run(["config", "show", "--origin"]).stdout;
    let line = shown.lines().last().unwrap();
    assert!(
        line.starts_with("languages.calc = [\"awk\", \"--\"]") && line.ends_with("runward.toml:1"),
        "{line}"
    );
}

#[test]
fn a_list_of_commands_governs_code_too() {
    let place = Place::new();
    let with_list =
        |args: &[&str]| said(&place.command(args).env("ALLOWED_COMMANDS", "ls").output().unwrap());
    assert_eq!(with_list(&["code", "bash", "-c", "ls"]).code, 0);
    let refused = with_list(&["code", "bash", "-c", "ls; id"]);
    assert_eq!(refused.code, 126);
    assert!(refused.stderr.starts_with("runward: Command \"id\" is not allowed"), "{}", refused.stderr);
    let json = with_list(&["code", "python", "--json", "-c", "1"]);
    assert_eq!((json.code, &object(&json)["success"]), (126, &false.into()));
}
