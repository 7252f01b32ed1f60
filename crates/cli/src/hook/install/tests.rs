//! Settings as people have them: with comments, with hooks of others, empty, on one line, broken.

use super::*;

fn entry(client: HookClient) -> HookEntry {
    HookEntry {
        client,
        program: "/opt/run ward/runward".to_owned(),
        wrap: false,
        timeout: 60,
        plugin: "file:///home/u/.config/runward/runward-opencode.js".to_owned(),
    }
}

const COMMENTED: &str = "// mine\n{\n\t\"model\": \"opus\", // the dear one\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"matcher\": \"Edit\", \"hooks\": [ { \"type\": \"command\", \"command\": \"/usr/bin/fmt\" } ] }, // keep\n\t\t],\n\t\t/* none */ \"Stop\": []\n\t}\n}\n";

#[test]
fn the_entries_of_every_client_are_these() {
    let mut table = String::new();
    for client in HookClient::ALL {
        let new = with_entry("", &HookEntry { wrap: client == HookClient::Codex, ..entry(client) }).unwrap();
        table += &format!("== {}\n{new}", client.name());
    }
    insta::assert_snapshot!(table);
}

#[test]
fn what_was_there_stays_to_the_byte_and_comes_back_to_the_byte() {
    for client in HookClient::ALL.into_iter().filter(|client| *client != HookClient::Cline) {
        for before in [COMMENTED, "{}", "{ \"a\": [1, 2] }\n", "{\n  \"hooks\": {}\n}", "\u{feff}{\"x\": {}}"]
        {
            let after = with_entry(before, &entry(client)).unwrap();
            let pieces = before.split(['{', '}', '[', ']']).map(str::trim).filter(|piece| piece.len() > 3);
            for piece in pieces {
                assert!(after.contains(piece), "{piece:?} is missing in {after}");
            }
            assert_eq!(with_entry(&after, &entry(client)).unwrap(), after, "twice is once");
            let without = without_entry(&after, client).unwrap();
            assert!(!without.contains("runward"), "{without}");
            assert!(JsonPlace::root(&without).is_some(), "{without}");
        }
    }
}

#[test]
fn an_entry_in_a_list_of_others_leaves_it_as_it_was() {
    let after = with_entry(COMMENTED, &entry(HookClient::ClaudeCode)).unwrap();
    assert!(after.contains("/usr/bin/fmt"), "{after}");
    let only = |text: &str| text.replace([' ', '\t', '\n'], "");
    let without = without_entry(&after, HookClient::ClaudeCode).unwrap();
    let emptied = only(&without).replace(",\"PostToolUse\":[],\"PostToolUseFailure\":[]", "");
    assert_eq!(emptied, only(COMMENTED));
}

#[test]
fn an_older_entry_of_ours_makes_room_for_a_newer_one() {
    let old = with_entry(
        "{}",
        &HookEntry { program: "/old/runward".to_owned(), wrap: true, ..entry(HookClient::Gemini) },
    )
    .unwrap();
    let new = with_entry(&old, &entry(HookClient::Gemini)).unwrap();
    assert!(!new.contains("/old/runward") && !new.contains("wrap"), "{new}");
    assert_eq!(new.matches("hook --client gemini").count(), 2);
}

#[test]
fn what_is_no_json_or_has_something_else_in_its_place_is_refused() {
    for text in ["{", "[]", "{\"hooks\": 3}", "{\"hooks\": {\"PreToolUse\": {}}}", "nonsense", "{} {}"] {
        with_entry(text, &entry(HookClient::ClaudeCode)).unwrap_err();
    }
    with_entry("#!/bin/sh\necho mine\n", &entry(HookClient::Cline)).unwrap_err();
}

#[test]
fn the_hook_of_cline_is_a_file_of_its_own() {
    let new = with_entry("", &entry(HookClient::Cline)).unwrap();
    assert!(new.ends_with("exec '/opt/run ward/runward' hook --client cline\n"), "{new}");
    assert_eq!(without_entry(&new, HookClient::Cline).unwrap(), "");
    assert_eq!(without_entry("mine", HookClient::Cline).unwrap(), "mine");
}

#[test]
fn the_plugin_names_the_program_and_its_mode() {
    let text = plugin(&HookEntry { wrap: true, ..entry(HookClient::OpenCode) });
    assert!(text.contains("const PROGRAM = \"/opt/run ward/runward\";"), "{text}");
    assert!(text.contains(r#"const WORDS = ["hook","--client","opencode","--mode","wrap"];"#), "{text}");
    assert!(text.contains("timeout: 60000"), "{text}");
}
