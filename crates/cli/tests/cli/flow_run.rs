//! Markdown agents as a person runs them: files, pipes, exit codes, standard input.

use crate::runner::{Place, Said, program, said};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

/// Runs a line of shell in the work folder, with the binary as `runward`.
fn shell(place: &Place, line: &str) -> Said {
    let folder = Path::new(env!("CARGO_BIN_EXE_runward")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    let mut command = program(Path::new("sh"));
    command.args(["-c", line]).env_clear().envs(place.env()).env("PATH", path).current_dir(place.work());
    said(&command.stdin(Stdio::null()).output().unwrap())
}

#[test]
fn agents_stand_in_pipes() {
    let place = Place::new();
    place.file("a.echo.md", "from a\n");
    place.file("b.echo.md", "from b\n");
    let two = shell(&place, "printf x | runward run a.echo.md | runward run b.echo.md");
    assert_eq!((two.code, two.stderr.as_str()), (0, ""));
    let first = "<stdin>\nx\n</stdin>\n\nfrom a\n";
    assert_eq!(two.stdout, format!("<stdin>\n{first}\n</stdin>\n\nfrom b\n"));
    let three = shell(&place, "runward run a.echo.md | runward run b.echo.md | runward run -c cat b.echo.md");
    // `cat` is given the prompt as the name of a file, which is not there: that is its own error.
    assert_eq!((three.code, three.stdout.as_str()), (1, ""));
    let three = shell(&place, "runward run a.echo.md | runward run b.echo.md | runward a.echo.md");
    assert_eq!(
        three.stdout, "<stdin>\n<stdin>\nfrom a\n\n</stdin>\n\nfrom b\n\n</stdin>\n\nfrom a\n",
        "{three:?}"
    );
}

#[test]
fn the_exit_code_is_the_agents_own() {
    let place = Place::new();
    place.file("exit.sh.md", "---\nc: true\n---\nexit {{ _1 }}\n");
    for code in [0, 1, 42, 255] {
        let said = place.run(["run", "exit.sh.md", &code.to_string()]);
        assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (code, "", ""));
    }
    place.file("killed.sh.md", "---\nc: true\n---\nkill -9 $$\n");
    assert_eq!(place.run(["run", "killed.sh.md"]).code, 137);
}

#[test]
fn output_is_passed_byte_for_byte_and_streams_stay_apart() {
    let place = Place::new();
    let bytes: Vec<u8> = (0..=255u8).cycle().take(1 << 20).collect();
    std::fs::write(place.work().join("bytes"), &bytes).unwrap();
    place.file("bytes.cat.md", "bytes");
    let output = place.command(["run", "bytes.cat.md"]).output().unwrap();
    assert!(output.stdout == bytes && output.stderr.is_empty(), "{} bytes", output.stdout.len());
    place.file("both.sh.md", "---\nc: true\n---\necho out; echo err >&2\n");
    let said = place.run(["run", "both.sh.md"]);
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("out\n", "err\n"));
}

#[test]
fn an_agent_reads_nothing_that_was_ours() {
    let place = Place::new();
    place.file("reads.sh.md", "---\nc: true\n---\ncat; echo end\n");
    let said = place.run(["run", "reads.sh.md"]);
    assert_eq!(said.stdout, "end\n");
}

#[test]
fn words_after_the_file_are_its_own_but_for_ours() {
    let place = Place::new();
    place.file("a.printf.md", "---\n$name: Bo\n---\n<%s>\n");
    let run = |words: &[&str]| place.run(["run", "a.printf.md"].iter().chain(words)).stdout;
    assert_eq!(run(&["one", "--name", "x", "--flag"]), "<one><--flag>");
    assert_eq!(run(&["--help", "--config", "none"]), "<--help><--config><none>");
    assert_eq!(run(&["x", "-c", "echo"]), "<%s> x\n");
    assert_eq!(run(&["--", "--json", "-c", "--", "--help"]), "<--json><-c><--><--help>");
    assert_eq!(place.run(["run", "--", "a.printf.md", "--json"]).stdout, "<--json>");
    assert_eq!(place.run(["run", "--command", "echo", "a.printf.md", "x"]).stdout, "<%s> x\n");
    assert_eq!(place.run(["a.printf.md", "x", "--command=echo"]).stdout, "<%s> x\n");
    assert_eq!(place.run(["-c", "echo", "a.printf.md", "x"]).stdout, "<%s> x\n");
}

#[test]
fn a_file_is_found_by_its_name_in_every_place() {
    let place = Place::new();
    let folders = [place.work().join("flows"), place.work().join(".runward/flows"), place.work().join("bin")];
    for (folder, name) in folders.iter().zip(["one", "two", "three"]) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join(format!("{name}.echo.md")), name).unwrap();
    }
    place.owner("");
    let own = place.owners_file().with_file_name("flows");
    std::fs::create_dir(&own).unwrap();
    std::fs::write(own.join("four.echo.md"), "four").unwrap();
    for name in ["one", "two", "four"] {
        for spelled in [format!("{name}.echo.md"), format!("{name}.echo")] {
            assert_eq!(place.run(["run", &spelled]).stdout, format!("{name}\n"));
        }
    }
    let path = format!("{}:{}", folders[2].display(), std::env::var("PATH").unwrap());
    let output = place.command(["run", "three.echo"]).env("PATH", path).output().unwrap();
    assert_eq!(said(&output).stdout, "three\n");
}

#[test]
fn a_document_is_printed() {
    let place = Place::new();
    place.file("readme.md", "# Title {{ not filled }}\n\nno end of line");
    let said = place.run(["run", "readme.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "# Title {{ not filled }}\n\nno end of line"));
    let told = place.run(["run", "readme.md", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!((&object["command"], &object["exitCode"]), (&serde_json::Value::Null, &0.into()));
    assert_eq!(place.run(["run", "readme.md", "--dry-run"]).stdout, said.stdout);
}

#[test]
fn a_file_with_a_shebang_and_its_run_bit_is_a_program() {
    let place = Place::new();
    let file = place.file("hello.echo.md", "#!/usr/bin/env -S runward run\nhello {{ who }}\n");
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).unwrap();
    let said = shell(&place, "./hello.echo.md --who you");
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "hello you\n", ""));
    let piped = shell(&place, "echo in | ./hello.echo.md --who=me | ./hello.echo.md --who us");
    assert!(piped.stdout.ends_with("hello me\n\n</stdin>\n\nhello us\n"), "{}", piped.stdout);
}

#[test]
fn standard_input_is_put_before_the_prompt_and_nothing_is_nothing() {
    let place = Place::new();
    place.file("a.echo.md", "prompt");
    let output = place.feed(["run", "a.echo.md"], b"{{ raw }} !`touch made`\n".to_vec());
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "<stdin>\n{{ raw }} !`touch made`\n\n</stdin>\n\nprompt\n"
    );
    assert!(!place.work().join("made").exists());
    let output = place.feed(["run", "a.echo.md"], Vec::new());
    assert_eq!(output.stdout, b"prompt\n");
    place.file("named.echo.md", "[{{ _stdin }}]");
    let output = place.feed(["run", "named.echo.md", "--dry-run", "--json"], b"x".to_vec());
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["prompt"], "<stdin>\nx\n</stdin>\n\n[x]");
}

#[test]
fn ten_megabytes_are_taken_and_more_is_one_clear_error() {
    let place = Place::new();
    // The prompt goes to the standard input of a program that is known to read it there.
    let bin = place.work().join("bin");
    std::fs::create_dir(&bin).unwrap();
    std::fs::write(bin.join("gemini"), "#!/bin/sh\nexec wc -c\n").unwrap();
    std::fs::set_permissions(bin.join("gemini"), PermissionsExt::from_mode(0o755)).unwrap();
    place.file("big.gemini.md", "---\ncontext_window: 100000000\n---\nprompt");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let feed = |bytes: usize| {
        std::fs::write(place.work().join("input"), vec![b'x'; bytes]).unwrap();
        let input = std::fs::File::open(place.work().join("input")).unwrap();
        said(&place.command(["run", "big.gemini.md"]).env("PATH", &path).stdin(input).output().unwrap())
    };
    let most = 10 * 1024 * 1024;
    let whole = most + "<stdin>\n\n</stdin>\n\nprompt".len();
    let taken = feed(most);
    assert_eq!((taken.code, taken.stdout.trim()), (0, whole.to_string().as_str()), "{}", taken.stderr);
    let refused = feed(most + 1);
    assert_eq!((refused.code, refused.stdout.as_str()), (125, ""));
    assert_eq!(
        refused.stderr,
        "runward: standard input holds more than 10 MiB [flow.bad-argument]\n\
         hint: Give less, or put it into a file and name that file.\n"
    );
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let place = Place::new();
    place.file("forever.yes.md", "yes");
    let said = shell(&place, "(runward run forever.yes.md; echo $? > code) | head -c 4; cat code");
    assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("yes\n141\n", ""));
}

#[test]
fn hooks_run_around_the_agent_and_what_they_say_is_told() {
    let place = Place::new();
    let front =
        "---\nc: true\npre: echo '# from before'\npost: echo $RUNWARD_EXIT_CODE > after; exit 9\n---\n";
    place.file("hooks.sh.md", &format!("{front}echo agent; exit 3\n"));
    let said = place.run(["run", "hooks.sh.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (3, "agent\n"));
    assert_eq!(said.stderr, "runward: Post hook failed: exit code 9\n");
    assert_eq!(std::fs::read_to_string(place.work().join("after")).unwrap(), "3\n");
    place.file("missing.no-such-program.md", "---\npost: echo $RUNWARD_EXIT_CODE > after\n---\nx\n");
    assert_eq!(place.run(["run", "missing.no-such-program.md"]).code, 127);
    assert_eq!(std::fs::read_to_string(place.work().join("after")).unwrap(), "127\n");
}

const STEPS: &str = "---
_steps:
  - {id: one, command: sh, run: ./one.sh}
  - {id: two, command: sh, run: ./two.sh, needs: [one]}
---
";

#[test]
fn steps_that_are_done_are_not_run_again_with_resume() {
    let place = Place::new();
    place.file("one.sh", "echo one >> ran; echo first\n");
    place.file("two.sh", "echo two >> ran; test -e fixed && echo second\n");
    place.file("a.echo.md", &format!("{STEPS}{{{{ steps.one.stdout }}}} {{{{ steps.two.stdout }}}}\n"));
    let failed = place.run(["run", "a.echo.md"]);
    assert_eq!((failed.code, failed.stdout.as_str()), (125, ""), "{failed:?}");
    assert!(failed.stderr.contains("[flow.step-failed]"), "{}", failed.stderr);
    place.file("fixed", "");
    let resumed = place.run(["run", "a.echo.md", "--resume"]);
    assert_eq!((resumed.code, resumed.stdout.as_str()), (0, "first second\n"), "{resumed:?}");
    assert_eq!(std::fs::read_to_string(place.work().join("ran")).unwrap(), "one\ntwo\ntwo\n");
    assert_eq!(place.run(["run", "a.echo.md"]).code, 0);
    assert_eq!(std::fs::read_to_string(place.work().join("ran")).unwrap(), "one\ntwo\ntwo\none\ntwo\n");
}

#[test]
fn a_file_of_steps_alone_prints_what_they_came_to() {
    let place = Place::new();
    place.file("one.sh", "echo first\n");
    place.file("two.sh", "echo second\n");
    place.file("a.echo.md", STEPS);
    let said = place.run(["run", "a.echo.md"]);
    assert_eq!((said.code, said.stdout.as_str(), said.stderr.as_str()), (0, "second\n", ""));
    let told = place.run(["run", "a.echo.md", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!((&object["stdout"], &object["command"]), (&"second\n".into(), &serde_json::Value::Null));
    let dry = place.run(["run", "a.echo.md", "--dry-run"]);
    assert!(dry.stdout.starts_with("Command:\nnone: "), "{}", dry.stdout);
}

#[test]
fn an_agent_is_judged_as_a_flow_of_a_person() {
    let place = Place::new();
    place.owner(
        "[[policy.rules]]\nname = \"no\"\nprogram = \"touch\"\ndoor = \"flow\"\ndecision = \"deny\"\nbecause = \"a test\"\n",
    );
    place.file("a.touch.md", "made");
    let said = place.run(["run", "a.touch.md"]);
    assert_eq!(said.code, 126, "{said:?}");
    assert!(said.stderr.contains("[policy.denied]") && !place.work().join("made").exists(), "{said:?}");
    assert_eq!(place.run(["exec", "--", "touch", "made"]).code, 0);
}
