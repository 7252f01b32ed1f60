//! Values that cannot become arguments. May not change any.

use crate::FlowError;
use crate::front::{Front, Value};
use runward::Code;
use std::collections::BTreeSet;

/// Keys whose values may have a structure of their own: they are read elsewhere and never become flags.
fn is_structured(key: &str) -> bool {
    key.starts_with('_') || key.starts_with('$') || key == "args"
}

/// Refuses front matter with a value that cannot be passed on: an object (but for `env`), a list within a list, a
/// text with a NUL, a variable that cannot be one. Names that templates use may be anything: they are not passed on.
pub fn check(front: &Front, template_vars: &BTreeSet<String>) -> Result<(), FlowError> {
    for (key, value) in front.iter() {
        match value {
            Value::Map(variables) if key == "env" || key == "_env" => environment(front, key, variables)?,
            _ if is_structured(key) || template_vars.contains(key) => {}
            Value::Map(_) => {
                let what = format!("the value of `{key}` is an object, which cannot become a flag");
                return Err(at(front, key, what).hint(format!(
                    "Give `{key}` a text, a number, true, false or a list, or write `_{key}` if it is not a flag."
                )));
            }
            Value::List(items) if !items.iter().all(Value::is_scalar) => {
                let what = format!("the list `{key}` holds something that is neither a text nor a number");
                return Err(at(front, key, what).hint("List texts and numbers only."));
            }
            value if value.to_string().contains('\0') => {
                return Err(at(front, key, format!("the value of `{key}` contains a NUL")));
            }
            _ => {}
        }
    }
    Ok(())
}

fn environment(front: &Front, key: &str, variables: &Front) -> Result<(), FlowError> {
    for (name, value) in variables.iter() {
        let wrong = |what: String| {
            let mark = variables.mark_of(name).or_else(|| front.mark_of(key)).cloned();
            let error = FlowError::new(Code::FlowBadFrontMatter, what);
            Err(error.at(mark))
        };
        if name.contains(['=', '\0']) {
            return wrong(format!("`{name}` cannot be the name of a variable"));
        }
        if !value.is_scalar() {
            return wrong(format!("the variable `{name}` is {}, not a text", value.kind()));
        }
        if value.to_string().contains('\0') {
            return wrong(format!("the variable `{name}` contains a NUL"));
        }
    }
    Ok(())
}

/// A mistake in the front matter, at its key.
pub(super) fn at(front: &Front, key: &str, what: String) -> FlowError {
    let error = FlowError::new(Code::FlowBadFrontMatter, what);
    error.at(front.mark_of(key).cloned())
}
