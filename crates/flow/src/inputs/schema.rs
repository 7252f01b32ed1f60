//! Typed inputs as a JSON schema, and values from JSON. May not know which protocol carries them.

use super::{Input, InputKind, Need};
use crate::FlowError;
use crate::front::Value;
use runward_engine::Code;
use serde_json::{Map, Value as Json, json};

/// The schema of an object with these inputs.
pub fn schema(inputs: &[Input]) -> Json {
    let properties: Map<String, Json> =
        inputs.iter().map(|input| (input.name.clone(), property(input))).collect();
    let needed = inputs.iter().filter(|input| input.need == Need::Required && input.default.is_none());
    let required: Vec<&str> = needed.map(|input| input.name.as_str()).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn property(input: &Input) -> Json {
    let mut all = match &input.kind {
        InputKind::Text => json!({"type": "string"}),
        InputKind::Password => json!({"type": "string", "format": "password", "writeOnly": true}),
        InputKind::Select { options } => json!({"type": "string", "enum": options}),
        InputKind::Number { .. } => json!({"type": "number"}),
        InputKind::Confirm => json!({"type": "boolean"}),
    };
    if let InputKind::Number { min, max } = &input.kind {
        for (key, bound) in [("minimum", min), ("maximum", max)] {
            if let Some((bound, number)) = bound.as_ref().and_then(|bound| Some((bound, bound.as_number()?)))
            {
                all[key] = Some(bound.to_json()).filter(Json::is_number).unwrap_or(json!(number));
            }
        }
    }
    if let Some(description) = &input.description {
        all["description"] = json!(description);
    }
    // A password in a file is bad enough; a schema is published.
    if let Some(default) = input.default.as_ref().filter(|_| input.kind != InputKind::Password) {
        all["default"] = default.to_json();
    }
    all
}

/// The values in an object, each checked by its input. A name that no input has is an error. One error tells everything
/// that is wrong.
pub fn arguments(inputs: &[Input], object: &Map<String, Json>) -> Result<Vec<(String, Value)>, FlowError> {
    let (values, problems) = checked(inputs, object);
    FlowError::all("with the arguments", problems.into_iter().map(|(_, error)| error).collect())?;
    Ok(values)
}

/// Things with the names of the inputs that they are for.
type Named<T> = Vec<(String, T)>;

/// The values in an object that will do, and what is wrong with the others.
pub fn checked(inputs: &[Input], object: &Map<String, Json>) -> (Named<Value>, Named<FlowError>) {
    let (mut values, mut problems) = (Vec::new(), Vec::new());
    for (name, value) in object {
        let checked = match inputs.iter().find(|input| input.name == *name) {
            // Nothing is what it would be without it.
            Some(_) if value.is_null() => continue,
            Some(input) => input.check(&from_json(value)),
            None => Err(unknown(name, inputs)),
        };
        match checked {
            Ok(value) => values.push((name.clone(), value)),
            Err(error) => problems.push((name.clone(), error)),
        }
    }
    (values, problems)
}

fn unknown(name: &str, inputs: &[Input]) -> FlowError {
    let known: Vec<String> = inputs.iter().map(|input| format!("`{}`", input.name)).collect();
    let hint = if known.is_empty() {
        "Give no arguments; the file takes none.".to_owned()
    } else {
        format!("Use one of {}.", known.join(", "))
    };
    FlowError::new(Code::FlowBadInput, format!("there is no input named `{name}`")).hint(hint)
}

fn from_json(value: &Json) -> Value {
    match value {
        Json::Null => Value::Null,
        Json::Bool(word) => Value::Bool(*word),
        Json::Number(number) => Value::Number(number.to_string()),
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(from_json).collect()),
        Json::Object(object) => {
            Value::Map(object.iter().map(|(key, value)| (key.clone(), from_json(value))).collect())
        }
    }
}
