//! Golden texts: before, entry, after; and every client with every shape of file.

use super::*;
use crate::clients::{CLIENTS, EntryForm, RunwardEntry};
use proptest::prelude::*;
use serde_json::json;

const JSON: &[&str] = &[
    "",
    "\n",
    "\u{feff}",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\r\n}\r\n",
    "{\"LIST\": {}}",
    "{\n  \"LIST\": {}\n}\n",
    "{\n  \"LIST\": {\n  }\n}\n",
    "{\"LIST\":{\"o\":{\"command\":\"x\",\"env\":{\"T\":\"hunter2\"}}}}",
    "{\n\t\"theme\": \"dark\",\n\t\"LIST\": {\n\t\t\"o\": {\"command\": \"x\"}\n\t}\n}\n",
    "{\r\n    \"LIST\": {\r\n        \"o\": {\r\n            \"command\": \"x\"\r\n        }\r\n    },\r\n    \"z\": 1\r\n}",
    "\u{feff}{\n  \"a\": [1, 2,],\n  \"LIST\": {\n    \"o\": {\"command\": \"x\",},\n  },\n}\n",
    "// top\n{\n  // above\n  \"LIST\": { // beside\n    // mine\n    \"o\": {\"command\": \"}\"} // last\n    /* end */\n  } // after\n}\n// bottom",
    "{\n  \"LIST\": {\n    \"o\": {\"command\": \"x\"}, // last\n    // end\n  }\n}\n",
    "{\"LIST\": {/* none */}, \"b\": \"// no comment\"}",
    "{\n  \"LIST\": {\n    // none yet\n  }\n}\n",
    "{\"LIST\": {\"o\": {\"command\": \"x\"} /* last */}}",
    "{\n  \"b\": {\"LIST\": {\"q\": 1}},\n  \"é\": \"\\u00e9\"\n}\n",
];

const TOML: &[&str] = &[
    "",
    "\n",
    "model = \"o3\"",
    "model = \"o3\"\n",
    "# mine\r\nmodel = \"o3\"\r\n\r\n[LIST.o]\r\ncommand = \"x\" # note\r\nenv = { T = \"hunter2\" }\r\n",
    "\u{feff}[LIST.o]\ncommand = \"\"\"\n[LIST.runward]\n\"\"\"\n\n[tui]\ntheme = \"dark\"\n# end",
    "[LIST]\no.command = \"x\"\n",
    "[[profiles]]\nname = \"a\"\n\n[[profiles]]\nname = \"b\"\n\n\n",
];

const YAML_MAP: &[&str] = &[
    "",
    "GOOSE_MODEL: gpt\n",
    "GOOSE_MODEL: gpt",
    "LIST: {}\nafter: 1\n",
    "LIST:\nafter: 1\n",
    "# top\r\nLIST: # beside\r\n  # above\r\n  o:\r\n    cmd: x\r\n    envs:\r\n      T: hunter2\r\nafter: 'it''s'\r\n",
    "\u{feff}LIST:\n    o:\n        cmd: x\n\n    # end\n\nafter: |\n  LIST:\n    runward: no\n",
    "---\nbefore: \"LIST:\"\nLIST:\n  o: {cmd: x}",
];

const YAML_LIST: &[&str] = &[
    "",
    "name: mine\nversion: 1.0.0\n",
    "LIST: []\n",
    "LIST:\n- name: o\n  command: x\n  env:\n    T: hunter2\nafter: 1\n",
    "name: mine\r\nLIST: # beside\r\n  # above\r\n  - name: o\r\n    command: x\r\n  -\r\n    name: p\r\n",
    "LIST:\n  - name: o\n    args:\n      - a\n      - b\n# end",
];

fn ours() -> RunwardEntry {
    RunwardEntry {
        command: "/home/ann/.local/bin/runward".to_owned(),
        args: ["mcp", "--level", "build"].map(str::to_owned).to_vec(),
        env: [("ALLOWED_COMMANDS".to_owned(), "ls,\"git\" é".to_owned())].into(),
    }
}

fn befores(form: EntryForm) -> impl Iterator<Item = String> {
    let all = match form.syntax() {
        FileSyntax::Json => JSON,
        FileSyntax::Toml => TOML,
        FileSyntax::YamlMap => YAML_MAP,
        FileSyntax::YamlList => YAML_LIST,
    };
    all.iter().map(move |text| text.replace("LIST", form.list()))
}

#[test]
fn after_without_the_entry_is_before_byte_for_byte_in_every_client() {
    for client in CLIENTS {
        let (form, syntax) = (client.form, client.form.syntax());
        let place = EntryPlace { list: form.list(), key: "runward" };
        let entry = ours().in_form(form, "runward");
        for before in befores(form) {
            let told = format!("{}: {before:?}", client.id);
            let insertion =
                syntax.put(&before, place, &entry).unwrap_or_else(|why| panic!("{told}: {why:?}"));
            let after = insertion.in_text(&before);
            assert_eq!(after.replacen(&insertion.put, "", 1), before, "{told}");
            let entries = syntax.entries(&syntax.value(&after).unwrap(), form.list());
            let found = entries.iter().find(|(key, _)| key == "runward").map(|(_, found)| found);
            assert_eq!(found, Some(&syntax.entry_value(&entry)), "{told}");
            assert_eq!(RunwardEntry::of(form, found.unwrap()), Some(ours()), "{told}");
            let ends = after.matches('\n').count();
            let expected = if before.contains('\r') { ends } else { 0 };
            assert_eq!(after.matches("\r\n").count(), expected, "{told}");
        }
    }
}

#[test]
fn an_entry_can_be_taken_out_without_knowing_what_was_put_in() {
    for client in CLIENTS {
        let (form, syntax) = (client.form, client.form.syntax());
        let place = EntryPlace { list: form.list(), key: "runward" };
        let entry = ours().in_form(form, "runward");
        for before in befores(form) {
            let after = syntax.put(&before, place, &entry).unwrap().in_text(&before);
            for emptied in [EmptyList::Stays, EmptyList::Goes] {
                let taken = syntax.take(&after, place, emptied);
                let taken = taken.unwrap_or_else(|why| panic!("{}: {after:?}: {why:?}", client.id));
                let says = syntax.entries(&syntax.value(&taken).unwrap(), form.list());
                let said = syntax.entries(&syntax.value(&before).unwrap(), form.list());
                assert_eq!(says, said, "{}: {before:?}", client.id);
            }
        }
    }
}

#[test]
fn golden_texts_of_every_client() {
    for client in CLIENTS {
        let (form, syntax) = (client.form, client.form.syntax());
        let place = EntryPlace { list: form.list(), key: "runward" };
        let entry = RunwardEntry { env: [].into(), ..ours() }.in_form(form, "runward");
        let longest = befores(form).max_by_key(String::len).unwrap_or_default();
        let after = syntax.put(&longest, place, &entry).unwrap().in_text(&longest);
        let new = syntax.put("", place, &entry).unwrap().put;
        let visible = |text: &str| text.replace('\r', "␍").replace('\u{feff}', "␂").replace('\t', "→");
        let told = format!(
            "{}\n== before\n{}\n== after\n{}\n== a file of its own\n{}",
            client.name,
            visible(&longest),
            visible(&after),
            visible(&new)
        );
        insta::assert_snapshot!(client.id, told);
    }
}

#[test]
fn what_cannot_be_read_whole_is_told_with_its_place() {
    let sentence = |syntax: FileSyntax, text: &str| {
        let place = EntryPlace { list: "mcpServers", key: "runward" };
        syntax.put(text, place, &json!({"command": "x"})).unwrap_err().sentence()
    };
    assert_eq!(
        sentence(FileSyntax::Json, "{\n  \"a\": 1\n  \"b\": 2\n}"),
        "line 3, column 3: expected `,` or `}`"
    );
    assert!(sentence(FileSyntax::Toml, "a = 1\nb = = 2\n").starts_with("line 2, column 5: "));
    assert!(sentence(FileSyntax::YamlMap, "a: 1\nb: [1\n").starts_with("line "));
    assert_eq!(sentence(FileSyntax::YamlMap, "a: 1\na: 2\n"), "line 2, column 1: this key is there twice");
}

#[test]
fn what_cannot_take_an_entry_is_left_alone() {
    let closed = |syntax: FileSyntax, text: &str| {
        let place = EntryPlace { list: "mcpServers", key: "runward" };
        matches!(syntax.put(text, place, &json!({"command": "x"})), Err(TextTrouble::Closed(_)))
    };
    for text in [
        "[]",
        "1",
        "{\"mcpServers\": []}",
        "{\"mcpServers\": null}",
        "{\"mcpServers\": {}, \"mcpServers\": {}}",
    ] {
        assert!(closed(FileSyntax::Json, text), "{text}");
    }
    for text in ["mcpServers = 1", "mcpServers = { o = { command = \"x\" } }", "[[mcpServers]]\na = 1\n"] {
        assert!(closed(FileSyntax::Toml, text), "{text}");
    }
    for text in ["mcpServers: {o: {cmd: x}}", "- a\n", "mcpServers: 1\n", "mcpServers: *x\n"] {
        assert!(syntax_refuses(text), "{text}");
    }
}

fn syntax_refuses(text: &str) -> bool {
    let place = EntryPlace { list: "mcpServers", key: "runward" };
    FileSyntax::YamlMap.put(text, place, &json!({"command": "x"})).is_err()
}

#[test]
fn a_neighbour_keeps_its_comma_and_its_comment_when_an_entry_goes() {
    let take = |text: &str| {
        let place = EntryPlace { list: "mcpServers", key: "runward" };
        FileSyntax::Json.take(text, place, EmptyList::Stays).unwrap()
    };
    assert_eq!(
        take("{\"mcpServers\": {\"a\": 1, \"runward\": {}, \"b\": 2}}"),
        "{\"mcpServers\": {\"a\": 1, \"b\": 2}}"
    );
    assert_eq!(take("{\"mcpServers\": {\"runward\": {}, \"b\": 2}}"), "{\"mcpServers\": {\"b\": 2}}");
    assert_eq!(
        take("{\n  \"mcpServers\": {\n    \"a\": 1, // one\n    \"runward\": {}\n  }\n}\n"),
        "{\n  \"mcpServers\": {\n    \"a\": 1 // one\n  }\n}\n"
    );
    assert_eq!(take("{\"mcpServers\": {\"runward\": {}}}"), "{\"mcpServers\": {}}");
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "[\"{}\\[\\]:, \\\\/am\\n\\-#=é]{0,60}") {
        let place = EntryPlace { list: "m", key: "runward" };
        for syntax in [FileSyntax::Json, FileSyntax::Toml, FileSyntax::YamlMap, FileSyntax::YamlList] {
            let entry = json!({"name": "runward", "command": "x"});
            for text in [text.clone(), format!("{{\"m\":{text}"), format!("m:\n{text}")] {
                if let Ok(insertion) = syntax.put(&text, place, &entry) {
                    let after = insertion.in_text(&text);
                    prop_assert_eq!(after.replacen(&insertion.put, "", 1), text);
                    let _ = syntax.take(&after, place, EmptyList::Goes);
                }
            }
        }
    }
}
