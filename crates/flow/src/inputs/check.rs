//! Whether a value will do. May not choose one.

use super::{Input, InputKind, Need};
use crate::FlowError;
use crate::front::Value;
use crate::words::{Given, Variable, VariableFrom};
use runward_engine::Code;

impl Input {
    /// The value as the input takes it, or what is wrong with it: the input, the value and what is allowed.
    pub fn check(&self, value: &Value) -> Result<Value, FlowError> {
        let word = value.to_string();
        let fine = match &self.kind {
            _ if !value.is_scalar() => None,
            InputKind::Text | InputKind::Password => Some(value.clone()),
            InputKind::Select { options } => options.contains(&word).then(|| Value::Text(word.clone())),
            InputKind::Number { min, max } => {
                let number = Value::Number(word.trim().to_owned());
                in_range(&number, min.as_ref(), max.as_ref()).then_some(number)
            }
            InputKind::Confirm => is_yes(word.trim()).map(Value::Bool),
        };
        fine.ok_or_else(|| self.refusal(value))
    }

    /// What is allowed, in words.
    pub fn allowed(&self) -> String {
        match &self.kind {
            InputKind::Text | InputKind::Password => "a text".to_owned(),
            InputKind::Select { options } => {
                let options: Vec<String> = options.iter().map(|option| format!("`{option}`")).collect();
                format!("one of {}", options.join(", "))
            }
            InputKind::Number { min: Some(min), max: Some(max) } => {
                format!("a number between {min} and {max}")
            }
            InputKind::Number { min: Some(min), max: None } => format!("a number that is at least {min}"),
            InputKind::Number { min: None, max: Some(max) } => format!("a number that is at most {max}"),
            InputKind::Number { min: None, max: None } => "a number".to_owned(),
            InputKind::Confirm => "true or false".to_owned(),
        }
    }

    /// What is wrong with an option that has no value.
    pub(crate) fn unsaid(&self, option: &str) -> FlowError {
        let (name, allowed) = (&self.name, self.allowed());
        let message = format!("`--{option}` has no value, but the input `{name}` takes {allowed}");
        let hint =
            format!("Write `--{option} VALUE`, or `--{option}=VALUE` for one that begins with a dash.");
        FlowError::new(Code::FlowBadInput, message).hint(hint).at(self.mark.as_deref().cloned())
    }

    fn refusal(&self, value: &Value) -> FlowError {
        let name = &self.name;
        let what = match self.kind {
            // What is typed into a password's place may be one.
            InputKind::Password => format!("the input `{name}` is {}", value.kind()),
            _ => format!("the input `{name}` is `{value}`"),
        };
        let error = FlowError::new(Code::FlowBadInput, format!("{what}, but it takes {}", self.allowed()));
        let error = error.hint(match self.kind {
            InputKind::Confirm => format!("Give `--{name}` one of {}; alone it is `true`.", answers()),
            _ => format!("Give `--{name}` a value that it takes."),
        });
        error.at(self.mark.as_deref().cloned())
    }
}

/// Words that answer a question, in small letters.
const ANSWERS: [(&str, bool); 6] =
    [("true", true), ("yes", true), ("y", true), ("false", false), ("no", false), ("n", false)];

/// Whether a word answers a question with yes or with no.
pub(crate) fn is_yes(word: &str) -> Option<bool> {
    ANSWERS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known)).map(|(_, answer)| *answer)
}

fn answers() -> String {
    ANSWERS.map(|(word, _)| format!("`{word}`")).join(", ")
}

fn in_range(number: &Value, min: Option<&Value>, max: Option<&Value>) -> bool {
    let Some(number) = number.as_number() else { return false };
    min.and_then(Value::as_number).is_none_or(|min| number >= min)
        && max.and_then(Value::as_number).is_none_or(|max| number <= max)
}

/// Checks what was given for each input, and puts it into the form that the input takes. An optional input without a
/// value becomes an empty text. What comes back are the inputs that still need one. One error tells everything that will
/// not do.
pub fn settle<'a>(inputs: &'a [Input], given: &mut Given) -> Result<Vec<&'a Input>, FlowError> {
    let missing = sift(inputs, given);
    given.check().map(|()| missing)
}

/// The same, but what will not do is left as a problem of what was given.
pub(crate) fn sift<'a>(inputs: &'a [Input], given: &mut Given) -> Vec<&'a Input> {
    let mut missing = Vec::new();
    for input in inputs {
        let held = given.variables.iter_mut().find(|variable| variable.name == input.name);
        match (held, input.need) {
            (Some(variable), need) if !variable.value.is_empty() || need == Need::Optional => {
                if !variable.value.is_empty() {
                    match input.check(&variable.value) {
                        Ok(value) => variable.value = value,
                        Err(error) => given.problems.push((input.name.clone(), error)),
                    }
                }
            }
            (None, Need::Optional) => {
                let (name, value) = (input.name.clone(), Value::text(""));
                given.variables.push(Variable { name, value, from: VariableFrom::Input });
            }
            _ => missing.push(input),
        }
    }
    missing
}
