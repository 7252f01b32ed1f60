//! The markdown agents that lie in the usual folders.

use crate::gather_world::World;
use runward_engine::config::{ConfigSource, Sources, load};
use runward_flow::lookup::Places;
use runward_flow::run::list;

fn listed(world: &World) -> Vec<String> {
    let user = Some(ConfigSource { file: "u.toml".to_owned(), text: "engine = \"codex\"".to_owned() });
    let settings = load(&Sources { user, ..Sources::default() }).unwrap();
    let config = world.path("config");
    let places = Places { cwd: world.root(), home: None, config: Some(&config), path: &[] };
    let words = |one: &runward_flow::run::Listed| match &one.about {
        Ok(about) => {
            let inputs: Vec<&str> = about.inputs.iter().map(|input| input.name.as_str()).collect();
            format!("{} {} {:?} {inputs:?}", one.path, about.command, about.description)
        }
        Err(error) => format!("{} error: {error}", one.path),
    };
    list(&places, None, &settings).iter().map(words).collect()
}

#[test]
fn agents_are_listed_in_the_order_in_which_a_name_is_looked_for() {
    let world = World::new(&[
        ("README.md", "not an agent"),
        ("z.echo.md", "hi"),
        ("flows/a.claude.md", "---\ndescription: Reads\n_inputs: {who: text, n: number}\n---\nhi"),
        ("flows/z.echo.md", "never reached by its name"),
        ("flows/notes.txt", "no markdown"),
        ("flows/plain.md", "for the command of the configuration"),
        (".runward/flows/b.md", "---\nmodel: x\n---\nhi"),
        ("config/flows/c.md", "---\nengine: [1]\n---\nhi"),
    ]);
    assert_eq!(
        listed(&world),
        [
            "z.echo.md echo None []".to_owned(),
            "flows/a.claude.md claude Some(\"Reads\") [\"who\", \"n\"]".to_owned(),
            "flows/plain.md codex None []".to_owned(),
            ".runward/flows/b.md codex None []".to_owned(),
            "config/flows/c.md error: `engine` is a list, not the name of a command".to_owned(),
        ]
    );
}

#[test]
fn folders_that_are_not_there_have_no_agents() {
    assert_eq!(listed(&World::new(&[])), [] as [&str; 0]);
}
