//! `flows`: the markdown agents that can be run by their name.

use crate::runner::Place;

fn place() -> Place {
    let place = Place::new();
    std::fs::create_dir_all(place.work().join("flows")).unwrap();
    std::fs::create_dir_all(place.work().join(".runward/flows")).unwrap();
    place.owner("");
    let own = place.owners_file().parent().unwrap().join("flows");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("mine.claude.md"), "---\ndescription: My own\n---\nhi").unwrap();
    place.file("README.md", "# Not an agent");
    place.file("here.echo.md", "hi");
    place.file(
        "flows/greet.echo.md",
        "---\ndescription: Greets somebody\n_inputs:\n  who: {type: text, description: whom to greet}\n  where: {type: select, options: [dev, prod], default: dev}\n  count: {type: number, min: 1, required: false}\n  key: {type: password, default: s3cret}\n---\nhi",
    );
    place.file(".runward/flows/broken.md", "---\nengine: echo\n_inputs: {n: {type: colour}}\n---\nhi");
    place
}

#[test]
fn agents_are_listed_with_what_they_take() {
    let said = place().run(["flows"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(said.stdout);
}

#[test]
fn each_agent_is_an_object() {
    let said = place().run(["flows", "--json"]);
    let all: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let names: Vec<&str> = all.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["here.echo.md", "greet.echo.md", "broken.md", "mine.claude.md"]);
    assert_eq!(all[1]["command"], "echo");
    assert_eq!(all[1]["inputs"][1]["options"], serde_json::json!(["dev", "prod"]));
    assert_eq!(all[1]["inputs"][1]["default"], "dev");
    assert_eq!(all[2]["error"]["code"], "flow.bad-front-matter");
    assert_eq!(all[2]["error"]["place"], ".runward/flows/broken.md:3:11");
    assert!(!said.stdout.contains("s3cret"), "{}", said.stdout);
}

#[test]
fn a_name_that_is_listed_can_be_run() {
    assert_eq!(place().run(["run", "greet.echo.md", "--who", "Ada"]).stdout, "hi\n");
}

#[test]
fn where_there_is_nothing_the_folders_are_named() {
    let place = Place::new();
    let said = place.run(["flows"]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.starts_with("no markdown agents here, nor in "), "{}", said.stdout);
    assert!(said.stdout.contains("config/runward/flows"), "{}", said.stdout);
    assert_eq!(place.run(["flows", "--json"]).stdout, "[]\n");
}
