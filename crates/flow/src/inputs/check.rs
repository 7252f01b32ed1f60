//! Whether a value will do. May not choose one.

use super::{Input, Kind, Need};
use crate::FlowError;
use crate::front::Value;
use crate::words::{Given, Variable, VariableFrom};
use runward::Code;

impl Input {
    /// The value as the input takes it, or what is wrong with it: the input, the value and what is allowed.
    pub fn check(&self, value: &Value) -> Result<Value, FlowError> {
        let word = value.to_string();
        let fine = match &self.kind {
            _ if !value.is_scalar() => None,
            Kind::Text | Kind::Password => Some(value.clone()),
            Kind::Select { options } => options.contains(&word).then(|| Value::Text(word.clone())),
            Kind::Number { min, max } => {
                let number = Value::Number(word.trim().to_owned());
                in_range(&number, min.as_ref(), max.as_ref()).then_some(number)
            }
            Kind::Confirm => is_yes(word.trim()).map(Value::Bool),
        };
        fine.ok_or_else(|| self.refusal(value))
    }

    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match &self.kind {
            Kind::Text | Kind::Password => "a text".to_owned(),
            Kind::Select { options } => {
                let options: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
                format!("one of {}", options.join(", "))
            }
            Kind::Number { min: Some(min), max: Some(max) } => format!("a number between {min} and {max}"),
            Kind::Number { min: Some(min), max: None } => format!("a number that is at least {min}"),
            Kind::Number { min: None, max: Some(max) } => format!("a number that is at most {max}"),
            Kind::Number { min: None, max: None } => "a number".to_owned(),
            Kind::Confirm => "true or false".to_owned(),
        }
    }

    fn refusal(&self, value: &Value) -> FlowError {
        let name = &self.name;
        let what = match self.kind {
            // What is typed into a password's place may be one.
            Kind::Password => format!("the input `{name}` is {}", value.kind()),
            _ => format!("the input `{name}` is `{value}`"),
        };
        let error = FlowError::new(Code::FlowBadInput, format!("{what}, but it takes {}", self.allowed()));
        let error = error.hint(format!("Give `--{name}` a value that it takes."));
        error.at(self.mark.as_deref().cloned())
    }
}

/// Whether a word answers a question with yes or with no.
pub(crate) fn is_yes(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "y" => Some(true),
        "false" | "no" | "n" => Some(false),
        _ => None,
    }
}

fn in_range(number: &Value, min: Option<&Value>, max: Option<&Value>) -> bool {
    let Some(number) = number.as_number() else { return false };
    min.and_then(Value::as_number).is_none_or(|min| number >= min)
        && max.and_then(Value::as_number).is_none_or(|max| number <= max)
}

/// Checks what was given for each input, and puts it into the form that the input takes. An optional input without a
/// value becomes an empty text. What comes back are the inputs that still need one.
pub fn settle<'a>(inputs: &'a [Input], given: &mut Given) -> Result<Vec<&'a Input>, FlowError> {
    let mut missing = Vec::new();
    for input in inputs {
        let held = given.variables.iter_mut().find(|variable| variable.name == input.name);
        match (held, input.need) {
            (Some(variable), need) if !variable.value.is_empty() || need == Need::Optional => {
                if !variable.value.is_empty() {
                    variable.value = input.check(&variable.value)?;
                }
            }
            (None, Need::Optional) => given.variables.push(Variable {
                name: input.name.clone(),
                value: Value::text(""),
                from: VariableFrom::Input,
            }),
            _ => missing.push(input),
        }
    }
    Ok(missing)
}
