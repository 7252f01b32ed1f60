//! The cookbook of docs/policy.md is true: every recipe is loaded, and every request below it is judged as it says.
//!
//! A request is a line such as ``- deny, on a terminal: `less x` ``. A block that begins with `# .runward.toml` is the
//! project's file; a block of JSON is a client's, and gives variables. Nothing is started.

use crate::runner::Place;
use std::path::Path;

/// The folder of the examples, which stands for the folder that a test works in.
const PROJECT: &str = "/home/you/project";

#[derive(Debug, Default)]
struct Recipe {
    title: String,
    owner: String,
    project: String,
    client: String,
    requests: Vec<Request>,
}

#[derive(Debug)]
struct Request {
    decision: String,
    how: Option<String>,
    command: String,
}

fn recipes(page: &str) -> Vec<Recipe> {
    let (_, cookbook) = page.split_once("\n## Cookbook\n").unwrap();
    cookbook.split("\n### ").skip(1).map(recipe).collect()
}

fn recipe(text: &str) -> Recipe {
    let mut recipe = Recipe { title: text.lines().next().unwrap().to_owned(), ..Recipe::default() };
    // Text and blocks take turns.
    for (at, part) in text.split("\n```").enumerate() {
        match part.split_once('\n') {
            Some(("toml", block)) if block.starts_with("# .runward.toml") => {
                block.clone_into(&mut recipe.project);
            }
            Some(("toml", block)) => block.clone_into(&mut recipe.owner),
            Some(("json", block)) => block.clone_into(&mut recipe.client),
            _ if at % 2 == 0 => recipe.requests.extend(part.lines().filter_map(request)),
            _ => panic!("a block that nobody tries: {part}"),
        }
    }
    recipe
}

fn request(line: &str) -> Option<Request> {
    let (head, rest) = line.strip_prefix("- ")?.split_once(": `").unwrap_or_else(|| panic!("{line}"));
    let (command, _) = rest.split_once('`').unwrap_or_else(|| panic!("{line}"));
    let (decision, how) = head.split_once(", ").map_or((head, None), |(decision, how)| (decision, Some(how)));
    Some(Request { decision: decision.to_owned(), how: how.map(str::to_owned), command: command.to_owned() })
}

/// A project as the recipes think of it.
fn place() -> Place {
    let place = Place::new();
    for folder in ["src", "scripts"] {
        std::fs::create_dir(place.work().join(folder)).unwrap();
    }
    let script = place.file("scripts/release.sh", "#!/bin/sh\n");
    make_executable(&script);
    place
}

fn make_executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The options by which `policy check` is told how a request is made.
fn options(how: Option<&str>) -> Vec<String> {
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
    match how {
        None => Vec::new(),
        Some("typed") => words(&["--by", "typed"]),
        Some("on a terminal") => words(&["--pty"]),
        Some(other) => {
            let folder = other.strip_prefix("in `").and_then(|rest| rest.strip_suffix('`'));
            words(&["--cwd", folder.unwrap_or_else(|| panic!("nobody knows how to ask `{other}`"))])
        }
    }
}

/// The variables that a client's file gives its server.
fn variables(client: &str) -> Vec<(String, String)> {
    if client.is_empty() {
        return Vec::new();
    }
    let client: serde_json::Value = serde_json::from_str(client).unwrap();
    let given = client["mcpServers"]["runward"]["env"].as_object().unwrap();
    given.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect()
}

fn decided(place: &Place, recipe: &Recipe, request: &Request) -> (String, String) {
    let here = |text: &str| text.replace(PROJECT, place.work().to_str().unwrap());
    let mut args = vec!["policy".to_owned(), "check".to_owned(), "--json".to_owned()];
    args.extend(options(request.how.as_deref()));
    args.push(here(&request.command));
    let output = place.command(args).envs(variables(&here(&recipe.client))).output().unwrap();
    let said = crate::runner::said(&output);
    let answer: serde_json::Value = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|_| panic!("{}: {}{}", recipe.title, said.stdout, said.stderr));
    let exit = if answer["decision"] == "allow" { 0 } else { 126 };
    assert_eq!(said.code, exit, "{}", said.stdout);
    (answer["decision"].as_str().unwrap().to_owned(), said.stdout)
}

// promise: P16
#[test]
fn every_recipe_decides_what_it_says() {
    let recipes = recipes(include_str!("../../../../docs/policy.md"));
    assert!(recipes.len() >= 8, "the cookbook lost its recipes");
    let mut wrong = Vec::new();
    for recipe in &recipes {
        let place = place();
        let here = |text: &str| text.replace(PROJECT, place.work().to_str().unwrap());
        place.owner(&here(&recipe.owner));
        if !recipe.project.is_empty() {
            place.project(&here(&recipe.project));
        }
        assert!(recipe.requests.len() >= 2, "{} shows nothing", recipe.title);
        for request in &recipe.requests {
            let (decision, said) = decided(&place, recipe, request);
            if decision != request.decision {
                wrong.push(format!("{}: {request:?}\n{said}", recipe.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_request_is_read_as_it_is_written() {
    let read = request("- deny, on a terminal: `less x` (why)").unwrap();
    assert_eq!((read.decision.as_str(), read.how.as_deref()), ("deny", Some("on a terminal")));
    assert_eq!(read.command, "less x");
    assert!(request("Some words.").is_none());
}
