//! A file's text and a command line to the command that would run, through every pure part on the way.

use runward_engine::config::{ConfigSource, Sources, load};
use runward_flow::FlowError;
use runward_flow::adapters::{LARGEST_ARGUMENT, adapter, passing};
use runward_flow::build::{CommandSpec, Placing, Prompt, prepare};
use runward_flow::cascade::{Cascade, Origin};
use runward_flow::choose::{Says, choose, is_interactive_front, is_interactive_name, no_command};
use runward_flow::front::read;
use runward_flow::inputs::{self, settle};
use runward_flow::words::{Listening, Switch, missing, take_ours, take_variables};
use std::collections::BTreeSet;
use std::path::Path;

const CONFIG: &str = "engine = \"codex\"\n[commands.claude]\nmodel = \"sonnet\"\nverbose = true\n";

/// As a runner would do it, without imports and templates. `reads` are the names that templates read.
fn built(file: &str, text: &str, line: &str, reads: &[&str]) -> Result<CommandSpec, FlowError> {
    let user = Some(ConfigSource { file: "runward.toml".to_owned(), text: CONFIG.to_owned() });
    let settings = load(&Sources { user, ..Sources::default() }).unwrap();
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let reads: BTreeSet<String> = reads.iter().map(|name| (*name).to_owned()).collect();

    let flow = read(file, text)?;
    let (ours, words) = take_ours(&words)?;
    let typed = inputs::read(&flow.front)?;
    let mut given = take_variables(&words, &Listening { front: &flow.front, inputs: &typed, reads: &reads })?;
    let needed = settle(&typed, &mut given)?;
    if !needed.is_empty() {
        return Err(missing(&needed.iter().map(|input| input.name.as_str()).collect::<Vec<_>>()));
    }
    let choice = choose(&Says {
        flag: ours.command.as_deref(),
        variable: None,
        file,
        front: &flow.front,
        configured: settings.engine().map(|(name, _)| name).filter(|_| flow.has_front),
    })?;
    let command = choice.ok_or_else(no_command)?.command;

    let known = adapter(&command);
    let mut cascade = Cascade::default();
    if let Some(known) = known {
        cascade.lay(&known.defaults(), &Origin::BuiltIn);
    }
    cascade.lay_settings(&settings, &command);
    cascade.lay_front_matter(file, &flow.front);
    cascade.lay(&given.settings, &Origin::CommandLine);
    let mut merged = cascade.front().clone();
    let interactive =
        ours.has(Switch::Interactive) || is_interactive_name(file) || is_interactive_front(&merged);
    if let Some(known) = known.filter(|_| interactive) {
        known.make_interactive(&mut merged);
    }
    let prepared = prepare(&merged, &flow.body, &reads)?;
    let way = match &prepared.prompt {
        Some(prompt) if !interactive => passing(known, &prepared.front, prompt, LARGEST_ARGUMENT)?,
        _ => Prompt::Argument,
    };
    Ok(prepared.build(
        &command,
        &Placing {
            positionals: &given.rest,
            variadic: known.map_or(&[], |known| known.variadic),
            way,
            cwd: Path::new("/w"),
        },
    ))
}

/// The command as one line.
fn line(file: &str, text: &str, words: &str) -> String {
    match built(file, text, words, &[]) {
        Ok(spec) => {
            let words: Vec<String> = spec.args.iter().map(|arg| format!("{arg:?}")).collect();
            let env: Vec<String> = spec.env.iter().map(|(name, value)| format!("{name}={value} ")).collect();
            format!("{}{} {}", env.concat(), spec.executable, words.join(" "))
        }
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn files_become_the_commands_that_are_published() {
    let whole = "---\nmodel: opus\nverbose: true\ndebug: false\nadd-dir: [./src, ./tests]\n$1: prompt\nenv: {NODE_ENV: test}\nargs: [message]\n---\nDo the thing\n";
    let cases = [
        ("task.tool.md", whole, ""),
        ("task.claude.md", whole, ""),
        ("task.claude.md", "Review.", "src/ --verbose"),
        ("task.i.claude.md", "Review.", ""),
        ("task.claude.md", "Review.", "--interactive -c gemini"),
        ("task.codex.md", "Review.", ""),
        ("task.copilot.md", "Review.", ""),
        ("task.gemini.md", "Review.", ""),
        ("task.opencode.md", "Review.", ""),
        ("task.i.opencode.md", "Review.", ""),
        ("task.cursor-agent.md", "Review.", ""),
        ("task.droid.md", "---\n_subcommand: [exec, --auto]\n---\nReview.", ""),
        ("task.pi.md", "---\nprint: false\n---\nReview.", ""),
        ("task.md", "---\nengine: echo\n---\nhi", ""),
        ("task.md", "---\nx: 1\n---\nhi", ""),
        ("task.md", "hi", ""),
        ("task.echo.md", "---\n_inputs: {who: {type: text}}\n---\nhi", ""),
        ("task.echo.md", "---\n_inputs: {n: {type: number, max: 3}}\n---\nhi", "--n 4"),
        ("task.echo.md", "---\nhooks: {a: 1}\n---\nhi", ""),
        ("task.claude.md", "- a list", ""),
        ("task.echo.md", "- a list", "-- --json"),
    ];
    let all: Vec<String> = cases
        .iter()
        .map(|(file, text, words)| format!("{file} {words}\n  {}", line(file, text, words)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_name_that_a_template_reads_is_a_variable_and_no_flag() {
    let spec = built("t.echo.md", "---\ntopic: a\nmodel: m\n---\nx", "--topic b c", &["topic"]).unwrap();
    assert_eq!(spec.args, ["--model", "m", "x", "c"]);
}
