//! Values that cannot become arguments. May not change any.

use crate::FlowError;
use crate::front::{Front, Value};
use crate::keys::is_foreign;
use runward_engine::Code;
use std::collections::BTreeSet;

/// Keys whose values may have a structure of their own: they are read elsewhere and never become flags.
fn is_structured(key: &str) -> bool {
    key.starts_with('_') || key.starts_with('$') || key == "args" || is_foreign(key)
}

/// Refuses front matter with a value that cannot be passed on: an object (but for `env`), a list within a list, a
/// text with a NUL, a variable that cannot be one. Names that templates use may be anything: they are not passed on.
/// Everything that is wrong is one error.
pub fn check(front: &Front, template_vars: &BTreeSet<String>) -> Result<(), FlowError> {
    let mut problems = Vec::new();
    for (key, value) in front.iter() {
        match value {
            Value::Map(variables) if key == "env" || key == "_env" => {
                problems.extend(environment(front, key, variables));
            }
            _ if is_structured(key) || template_vars.contains(key) => {}
            Value::Map(_) => {
                let what = format!("the value of `{key}` is an object, which cannot become a flag");
                problems.push(front.wrong(key, what).hint(format!(
                    "Give `{key}` a text, a number, true, false or a list, or write `_{key}` if it is not a flag."
                )));
            }
            Value::List(items) if !items.iter().all(Value::is_scalar) => {
                let what = format!("the list `{key}` holds something that is neither a text nor a number");
                problems.push(front.wrong(key, what).hint("List texts and numbers only."));
            }
            value if value.to_string().contains('\0') => {
                problems.push(front.wrong(key, format!("the value of `{key}` contains a NUL")));
            }
            _ => {}
        }
    }
    FlowError::all("in the front matter", problems)
}

fn environment(front: &Front, key: &str, variables: &Front) -> Vec<FlowError> {
    let wrong = |(name, value): (&str, &Value)| {
        let what = if name.contains(['=', '\0']) {
            format!("`{name}` cannot be the name of a variable")
        } else if !value.is_scalar() {
            format!("the variable `{name}` is {}, not a text", value.kind())
        } else if value.to_string().contains('\0') {
            format!("the variable `{name}` contains a NUL")
        } else {
            return None;
        };
        let mark = variables.mark_of(name).or_else(|| front.mark_of(key)).cloned();
        Some(FlowError::new(Code::FlowBadFrontMatter, what).at(mark))
    };
    variables.iter().filter_map(wrong).collect()
}
