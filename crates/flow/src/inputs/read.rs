//! `_inputs` from front matter: a map of names to descriptions, or a list. May not check values other than defaults.

use super::{Input, InputKind, KINDS, Need};
use crate::FlowError;
use crate::front::{Front, Value};
use runward_engine::Code;

/// The key that holds them.
const KEY: &str = "_inputs";

/// The typed inputs of a file, in order. A description that makes no sense is an error at its place.
pub fn read(front: &Front) -> Result<Vec<Input>, FlowError> {
    let hint = "Write `_inputs:` with a line `name: {type: text}` for each input below it.";
    let wrong = |what: &str| front.wrong(KEY, what).hint(hint);
    match front.get(KEY) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Map(inputs)) => {
            together(inputs.iter().map(|(name, said)| one(name, said, inputs, front)).collect())
        }
        Some(Value::List(items)) => {
            let mut names: Vec<&str> = Vec::new();
            let mut all = Vec::new();
            for item in items {
                let name = match item {
                    Value::Map(said) => said.get("name").and_then(Value::as_text),
                    _ => item.as_text(),
                };
                all.push(match (item, name.filter(|name| !name.trim().is_empty())) {
                    (_, Some(name)) if names.contains(&name) => {
                        Err(wrong(&format!("the input `{name}` is there twice")))
                    }
                    (Value::Text(_), Some(name)) => one(name, &Value::Null, front, front),
                    (Value::Map(said), Some(name)) => one(name, item, said, front),
                    (Value::Map(_), None) => Err(wrong("an input in `_inputs` has no `name`")),
                    _ => Err(wrong("`_inputs` holds something that is not an input")),
                });
                names.extend(name);
            }
            together(all)
        }
        Some(other) => Err(wrong(&format!("`_inputs` is {}, not a map of inputs", other.kind()))),
    }
}

/// All inputs, or everything that is wrong with them.
fn together(inputs: Vec<Result<Input, FlowError>>) -> Result<Vec<Input>, FlowError> {
    let (fine, wrong): (Vec<_>, Vec<_>) = inputs.into_iter().partition(Result::is_ok);
    FlowError::all("with the inputs of the file", wrong.into_iter().filter_map(Result::err).collect())?;
    Ok(fine.into_iter().flatten().collect())
}

/// One input. Its place is that of its name, of the entry, or of `_inputs`.
fn one(name: &str, said: &Value, around: &Front, front: &Front) -> Result<Input, FlowError> {
    let mark =
        [around.mark_of(name), around.mark_of("name"), front.mark_of(KEY)].into_iter().flatten().next();
    let said = Said { name, said: said.as_map(), mark: mark.cloned() };
    let kind = match (said.said, said.text("type")?) {
        // A single word is the kind.
        (None, _) => said.kind(bare(name, &said, around)?)?,
        (Some(_), kind) => said.kind(kind.unwrap_or("text"))?,
    };
    let mut input = Input {
        name: name.to_owned(),
        kind,
        description: said.text("description")?.map(str::to_owned),
        default: said.get("default").filter(|value| !value.is_empty()).cloned(),
        need: match said.get("required") {
            None | Some(Value::Null | Value::Bool(true)) => Need::Required,
            Some(Value::Bool(false)) => Need::Optional,
            Some(other) => return Err(said.wrong("required", "true or false", other)),
        },
        mark: said.mark.clone().map(Box::new),
    };
    if let Some(default) = &input.default {
        input.default = Some(input.check(default)?);
    }
    Ok(input)
}

/// The kind of an input without a description of its own.
fn bare<'a>(name: &str, said: &Said<'_>, around: &'a Front) -> Result<&'a str, FlowError> {
    match around.get(name) {
        None | Some(Value::Null) => Ok("text"),
        Some(Value::Text(kind)) => Ok(kind),
        Some(other) => Err(said.error(format!("the input `{name}` is {}, not a description", other.kind()))),
    }
}

/// What a file says about one input.
struct Said<'a> {
    name: &'a str,
    said: Option<&'a Front>,
    mark: Option<crate::Mark>,
}

impl<'a> Said<'a> {
    fn get(&self, key: &str) -> Option<&'a Value> {
        self.said?.get(key)
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>, FlowError> {
        match self.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(key, "a text", other)),
        }
    }

    fn kind(&self, name: &str) -> Result<InputKind, FlowError> {
        match name {
            "text" => Ok(InputKind::Text),
            "confirm" => Ok(InputKind::Confirm),
            "password" => Ok(InputKind::Password),
            "number" => Ok(InputKind::Number { min: self.number("min")?, max: self.number("max")? }),
            "select" => self.options().map(|options| InputKind::Select { options }),
            other => {
                let kinds = KINDS.iter().map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(", ");
                Err(self.error(format!(
                    "the input `{}` has the type `{other}`, which is none of {kinds}",
                    self.name
                )))
            }
        }
    }

    fn number(&self, key: &str) -> Result<Option<Value>, FlowError> {
        match self.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(number) if number.as_number().is_some() => Ok(Some(number.clone())),
            Some(other) => Err(self.wrong(key, "a number", other)),
        }
    }

    fn options(&self) -> Result<Vec<String>, FlowError> {
        let word = |value: &Value| value.is_scalar().then(|| value.to_string());
        let options = self.get("options").and_then(Value::as_list).unwrap_or_default();
        let options: Option<Vec<String>> = options.iter().map(word).collect();
        options.filter(|options| !options.is_empty()).ok_or_else(|| {
            self.error(format!("the input `{}` has no `options` to select from", self.name))
                .hint("List them: `options: [dev, prod]`.")
        })
    }

    fn wrong(&self, key: &str, expected: &str, value: &Value) -> FlowError {
        self.error(format!("`{key}` of the input `{}` is {}, not {expected}", self.name, value.kind()))
    }

    fn error(&self, what: String) -> FlowError {
        FlowError::new(Code::FlowBadFrontMatter, what).at(self.mark.clone())
    }
}
