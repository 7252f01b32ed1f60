//! The prompt on its way to a real program: variables, sizes, and how each known program is given it.

use crate::run_world::World;
use runward_engine::{Code, Coded};

/// A program that shows each of its words on a line, then what came on standard input.
const SHOW: &str = "for word; do echo \"[$word]\"; done; echo \"stdin: $(cat)\"";

#[tokio::test]
async fn known_programs_print_and_get_the_prompt_in_their_own_way() {
    let cases = [
        ("claude", "model: opus", "[--print]\n[--model]\n[opus]\n[Hi]\n"),
        ("codex", "model: o", "[exec]\n[--model]\n[o]\n[Hi]\n"),
        ("copilot", "", "[--prompt]\n[Hi]\n"),
        ("gemini", "", "[Hi]\n"),
        ("opencode", "", "[run]\n[Hi]\n"),
        ("cursor-agent", "", "[--print]\n[--output-format]\n[text]\n[Hi]\n"),
        ("droid", "", "[exec]\n[Hi]\n"),
        ("pi", "", "[--print]\n[Hi]\n"),
        ("unheard-of", "x: true", "[-x]\n[Hi]\n"),
    ];
    for (name, front, shown) in cases {
        let file = format!("a.{name}.md");
        let world = World::new(&[(&file, &format!("---\n{front}\n---\n\nHi\n\n"))]).program(name, SHOW);
        assert_eq!(world.stdout(&[&file]).await, format!("{shown}stdin: \n"), "{name}");
    }
}

#[tokio::test]
async fn a_variadic_flag_does_not_swallow_the_prompt() {
    let text = "---\nadd-dir: [a, b]\nallowed-tools: Read\n---\nHi";
    let world = World::new(&[("a.claude.md", text)]).program("claude", SHOW);
    assert_eq!(
        world.stdout(&["a.claude.md"]).await,
        "[--print]\n[--add-dir=a]\n[--add-dir=b]\n[--allowed-tools=Read]\n[Hi]\nstdin: \n"
    );
}

#[tokio::test]
async fn an_interactive_run_is_told_so_and_does_not_print() {
    for (file, words) in
        [("a.i.claude.md", &[][..]), ("a.claude.md", &["--interactive"]), ("b.claude.md", &[])]
    {
        let world = World::new(&[
            ("a.i.claude.md", "---\n---\nHi"),
            ("a.claude.md", "---\n---\nHi"),
            ("b.claude.md", "---\n_interactive: true\n---\nHi"),
        ]);
        let ready = world.ready(&[&[file], words].concat()).await.unwrap();
        assert!(ready.interactive, "{file}");
        assert_eq!(ready.command.args, ["Hi"], "{file}");
    }
}

#[tokio::test]
async fn a_prompt_too_large_for_an_argument_goes_to_standard_input_where_that_is_known() {
    let large = "x".repeat(131_072);
    for (name, words) in [("claude", "[--print]\n"), ("codex", "[exec]\n"), ("gemini", "")] {
        let file = format!("a.{name}.md");
        let world = World::new(&[(&file, &format!("---\n---\n{large}"))]).program(name, SHOW);
        let ran = world.run(&[&file]).await.unwrap();
        assert!(ran.ready.prompt.way == runward_flow::build::Prompt::Stdin);
        assert_eq!(ran.stdout, format!("{words}stdin: {large}\n"), "{name}");
    }
}

#[tokio::test]
async fn a_prompt_too_large_for_an_unknown_program_is_an_error_with_both_sizes() {
    let world = World::new(&[("a.echo.md", &format!("---\n---\n{}", "x".repeat(131_072)))]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code(), Code::FlowPromptTooLarge);
    assert_eq!(error.to_string(), "the prompt has 131072 bytes, and one argument may have 131071");
    let fits = World::new(&[("a.wc.md", &format!("---\n---\n{}", "x".repeat(131_071)))])
        .program("wc", "printf %s \"$1\" | /usr/bin/wc -c");
    assert_eq!(fits.stdout(&["a.wc.md"]).await.trim(), "131071");
}

#[tokio::test]
async fn a_prompt_beyond_the_context_window_names_the_largest_imports() {
    let world = World::new(&[
        ("a.echo.md", "---\ncontext_window: 100\n---\n@./small.txt @./large.txt"),
        ("small.txt", "s"),
        ("large.txt", &"l".repeat(500)),
    ]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code(), Code::FlowContextWindow);
    assert_eq!(error.to_string(), "the prompt is about 126 tokens, the context window is 100");
    let hint = Coded::hint(&error).unwrap();
    assert!(hint.contains("`@./large.txt` (about 125 tokens), `@./small.txt`"), "{hint}");
}

#[tokio::test]
async fn a_prompt_above_half_of_the_window_is_told_and_runs() {
    let world = World::new(&[("a.echo.md", &format!("---\ncontext_window: 100\n---\n{}", "x".repeat(204)))]);
    let ran = world.run(&["a.echo.md"]).await.unwrap();
    assert_eq!(
        ran.ready.account.notes,
        ["the prompt is about 51 tokens, more than half of the context window of 100"]
    );
    assert_eq!(ran.stdout.len(), 205);
}

#[tokio::test]
async fn a_window_that_is_none_is_refused_at_its_place() {
    for value in ["0", "-1", "1.5", "much"] {
        let world = World::new(&[("a.echo.md", &format!("---\ncontext_window: {value}\n---\nx"))]);
        let error = world.error(&["a.echo.md"]).await;
        assert_eq!((error.code(), error.mark().unwrap().line), (Code::FlowBadFrontMatter, 2), "{value}");
    }
}

#[tokio::test]
async fn the_window_is_a_hundred_thousand_tokens_unless_the_file_says_otherwise() {
    let world =
        World::new(&[("a.claude.md", &format!("---\n---\n{}", "x".repeat(400_001)))]).program("claude", SHOW);
    assert_eq!(world.error(&["a.claude.md"]).await.code(), Code::FlowContextWindow);
}

#[tokio::test]
async fn standard_input_stands_before_the_hooks_words_and_the_body() {
    let world = World::new(&[("a.echo.md", "---\npre: echo hook\n---\nbody")]).stdin("one\ntwo\n");
    assert_eq!(world.stdout(&["a.echo.md"]).await, "<stdin>\none\ntwo\n\n</stdin>\n\nhook\nbody\n");
}

#[tokio::test]
async fn a_blank_body_gives_no_argument() {
    let world = World::new(&[("a.show.md", "---\nx: true\n---\n \n\n")]).program("show", SHOW);
    assert_eq!(world.stdout(&["a.show.md"]).await, "[-x]\nstdin: \n");
}

#[tokio::test]
async fn words_that_no_variable_takes_follow_the_prompt() {
    let world =
        World::new(&[("a.show.md", "---\nargs: [who]\n$2: file\n---\nHi {{ who }}")]).program("show", SHOW);
    assert_eq!(
        world.stdout(&["a.show.md", "you", "x.rs", "--deep", "y.rs"]).await,
        "[Hi you]\n[--file]\n[x.rs]\n[--deep]\n[y.rs]\nstdin: \n"
    );
}

#[tokio::test]
async fn every_missing_variable_is_in_one_error_and_nothing_has_run() {
    let text = "---\npre: touch ran\n_inputs: {env: {type: select, options: [dev, prod]}}\n---\n{{ a }} {{ b | default: 'x' }} {{ user.name }} !`touch ran`{% for i in list %}{{ i }}{% endfor %}{% raw %}{{ no }}{% endraw %}";
    let world = World::new(&[("a.echo.md", text)]);
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!(error.code(), Code::FlowMissingVariable);
    assert_eq!(error.to_string(), "Missing required template variable: env, a, user, list");
    assert_eq!(
        Coded::hint(&error).unwrap(),
        "Give a value with `--env VALUE` (a.echo.md:3:11), `--a VALUE` (a.echo.md:5:4), \
         `--user VALUE` (a.echo.md:5:35), `--list VALUE` (a.echo.md:5:72)."
    );
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn a_value_that_an_input_does_not_take_is_named_with_what_it_takes() {
    let text = "---\n_inputs:\n  env: {type: select, options: [dev, prod]}\n  count: {type: number, min: 1, max: 9, default: 2}\n  sure: {type: confirm, default: false}\n---\n{{ env }} {{ count }} {{ sure }}";
    let world = World::new(&[("a.echo.md", text)]);
    assert_eq!(world.prompt(&["a.echo.md", "--env", "dev", "--sure"]).await, "dev 2 true");
    let bad = [
        (&["--env", "test"][..], "the input `env` is `test`, but it takes one of `dev`, `prod`"),
        (
            &["--env", "dev", "--count", "10"],
            "the input `count` is `10`, but it takes a number between 1 and 9",
        ),
        (&["--env", "dev", "--sure=maybe"], "the input `sure` is `maybe`, but it takes true or false"),
    ];
    for (words, message) in bad {
        let error = world.error(&[&["a.echo.md"], words].concat()).await;
        assert_eq!((error.code(), error.to_string().as_str()), (Code::FlowBadInput, message));
    }
}

#[tokio::test]
async fn defaults_of_the_configuration_lie_under_the_front_matter() {
    let world = World::new(&[("a.md", "---\nmodel: opus\n---\nHi")])
        .program("claude", SHOW)
        .config("engine = \"claude\"\n[commands.claude]\nmodel = \"sonnet\"\nverbose = true\n");
    assert_eq!(world.stdout(&["a.md"]).await, "[--print]\n[--model]\n[opus]\n[--verbose]\n[Hi]\nstdin: \n");
    assert_eq!(world.env("RUNWARD_COMMAND", "echo").stdout(&["a.md"]).await, "--model opus Hi\n");
}

#[tokio::test]
async fn empty_standard_input_is_none() {
    let world = World::new(&[("a.echo.md", "---\n---\nbody{{ _stdin }}")]).stdin("");
    assert_eq!(world.prompt(&["a.echo.md"]).await, "body");
}

#[tokio::test]
async fn words_have_numbers_in_templates() {
    let world = World::new(&[("a.echo.md", "---\n---\n{{ _1 }}|{{ _args }}")]);
    assert_eq!(world.prompt(&["a.echo.md", "x", "y"]).await, "x|1. x\n2. y");
}

#[tokio::test]
async fn dash_and_underscore_are_one_letter_in_templates_too() {
    let file = "---\n$two-words: d\nargs: [file-name]\n_my_var: e\n---\n{{ two_words }} {{ file_name }} {{ _my-var }}";
    let world = World::new(&[("a.echo.md", file)]);
    assert_eq!(world.prompt(&["a.echo.md", "f"]).await, "d f e");
    assert_eq!(world.prompt(&["a.echo.md", "f", "--two_words", "v"]).await, "v f e");
    assert_eq!(world.prompt(&["a.echo.md", "f", "--two-words", "v", "--_my-var=w"]).await, "v f w");
}

#[tokio::test]
async fn an_answer_to_a_question_is_taken_behind_a_blank_too() {
    let file = "---\n_inputs:\n  ok: {type: confirm, default: true}\n---\n{{ ok }}";
    let world = World::new(&[("a.echo.md", file)]);
    assert_eq!(world.ready(&["a.echo.md", "--ok", "no"]).await.unwrap().command.args, ["false"]);
    assert_eq!(world.ready(&["a.echo.md", "--ok", "Yes"]).await.unwrap().command.args, ["true"]);
    // A word that is no answer is no yes either, however it is written.
    for words in [&["--ok", "file"][..], &["--ok=file"]] {
        let error = world.error(&[&["a.echo.md"], words].concat()).await;
        assert_eq!(error.to_string(), "the input `ok` is `file`, but it takes true or false");
        assert_eq!(
            Coded::hint(&error).unwrap(),
            "Give `--ok` one of `true`, `yes`, `y`, `false`, `no`, `n`; alone it is `true`."
        );
    }
    assert_eq!(world.ready(&["a.echo.md", "file", "--ok"]).await.unwrap().command.args, ["true", "file"]);
}

#[tokio::test]
async fn defaults_of_a_command_are_variables_too() {
    let config = "[commands.echo]\n\"$name\" = \"cn\"\n_var = \"cv\"\nargs = [\"q\"]\nplain = \"pv\"\n";
    let world = World::new(&[("a.echo.md", "{{ name }} {{ _var }} {{ q }} {{ plain }}")]).config(config);
    assert_eq!(world.ready(&["a.echo.md", "Q"]).await.unwrap().command.args, ["cn cv Q pv"]);
}

#[tokio::test]
async fn a_plain_file_is_for_the_command_of_the_configuration() {
    let world = World::new(&[("a.md", "hello")]).config("engine = \"echo\"\n");
    assert_eq!(world.stdout(&["a.md"]).await, "hello\n");
}

#[tokio::test]
async fn a_flag_that_would_swallow_the_prompt_needs_words() {
    let world = World::new(&[("a.claude.md", "---\nadd-dir: true\n---\nx")]);
    let error = world.error(&["a.claude.md"]).await;
    assert_eq!((error.code(), error.mark().unwrap().line), (Code::FlowBadFrontMatter, 2));
}

#[tokio::test]
async fn hosts_of_the_configuration_hold_for_imports() {
    for config in ["[flows]\nblock_hosts = [\"127.0.0.1\"]\n", "[flows]\nallow_hosts = [\"example.com\"]\n"] {
        let world = World::new(&[("a.echo.md", "@http://127.0.0.1:9/x")]).config(config);
        let error = world.error(&["a.echo.md"]).await;
        assert_eq!(error.code(), Code::FlowFetch);
        assert!(error.to_string().contains("`127.0.0.1`"), "{error}");
    }
}

#[tokio::test]
async fn no_words_are_an_empty_list_and_a_word_that_is_not_there_is_missing() {
    let world = World::new(&[("a.echo.md", "---\n---\n[{{ _args }}]"), ("b.echo.md", "---\n---\n{{ _1 }}")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "[]");
    assert_eq!(world.prompt(&["a.echo.md", "x"]).await, "[1. x]");
    let error = world.error(&["b.echo.md"]).await;
    assert_eq!(error.to_string(), "Missing required template variable: _1");
}

#[tokio::test]
async fn what_is_written_around_a_path_is_no_part_of_it() {
    let text = "---\n---\n(see @./a.txt). \"@./a.txt.\" (@./code.rs#one)! @./b.) end";
    let world = World::new(&[("a.echo.md", text), ("a.txt", "A"), ("code.rs", "fn one() {}"), ("b.)", "B")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "(see A). \"A.\" (fn one() {})! B end");
}

#[tokio::test]
async fn variables_in_env_files_stay_as_they_are() {
    let world = World::new(&[("a.echo.md", "---\n---\n!`echo $B`"), (".env", "A=1\nB=\"${A}-$A\"\n")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "${A}-$A");
}

#[tokio::test]
async fn the_front_matter_of_an_imported_file_is_part_of_its_text() {
    let world = World::new(&[("a.echo.md", "---\n---\n@./b.md"), ("b.md", "---\nx: 1\n---\nB")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "---\nx: 1\n---\nB");
}
