//! The tool's definition, word for word.

use runward_engine::toolkit::{TOOL_DEFINITIONS, ToolCatalog, ToolkitTool};
use serde_json::Value;

/// The agreed text: an object literal of TypeScript.
const AGREED: &str = include_str!("exec_command_definition.ts");

/// An object literal as JSON: names in quotes, no comma before a closing bracket.
fn json_of(literal: &str) -> Value {
    let body = &literal[literal.find('{').unwrap()..=literal.rfind('}').unwrap()];
    let mut json = String::new();
    for (index, piece) in body.split('"').enumerate() {
        if index % 2 == 1 {
            json.push_str(&format!("\"{piece}\""));
            continue;
        }
        let mut word = String::new();
        for letter in piece.chars().chain(['\0']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            let name = word.starts_with(|first: char| first.is_ascii_alphabetic());
            json.push_str(&if name { format!("\"{word}\"") } else { word.clone() });
            word.clear();
            match letter {
                '}' | ']' => {
                    json.truncate(json.trim_end().trim_end_matches(',').len());
                    json.push(letter);
                }
                '\0' => {}
                _ => json.push(letter),
            }
        }
    }
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
}

#[test]
fn the_definition_equals_the_agreed_text_word_for_word() {
    let agreed = json_of(AGREED);
    assert_eq!(serde_json::to_value(TOOL_DEFINITIONS.exec_command).unwrap(), agreed);
    assert_eq!(
        serde_json::to_value(TOOL_DEFINITIONS).unwrap(),
        serde_json::json!({ "exec_command": agreed })
    );
}

#[test]
fn the_description_and_each_parameter_description_match_completely() {
    let agreed = json_of(AGREED);
    assert_eq!(agreed["description"], TOOL_DEFINITIONS.exec_command.description);
    let parameters = TOOL_DEFINITIONS.exec_command.parameters.properties;
    assert_eq!(agreed["parameters"]["properties"].as_object().unwrap().len(), parameters.len());
    for parameter in parameters {
        assert_eq!(agreed["parameters"]["properties"][parameter.name]["description"], parameter.description);
    }
}

#[test]
fn exec_command_is_registered_in_the_catalog_and_the_definitions() {
    assert_eq!(ToolCatalog::get("exec_command"), Some(ToolkitTool::ExecCommand));
    assert_eq!(ToolCatalog::get("EXEC_COMMAND"), None);
    assert!(TOOL_DEFINITIONS.iter().any(|definition| definition.name == "exec_command"));
    assert_eq!(ToolkitTool::ExecCommand.definition(), &TOOL_DEFINITIONS.exec_command);
}
