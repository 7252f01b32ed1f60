//! Texts with fields: `{{ NAME }}` is replaced, and one that is left over is an error.

/// Fills a text.
pub(crate) fn fill(name: &str, text: &str, fields: &[(&str, &str)]) -> Result<String, String> {
    let mut filled = text.to_owned();
    for (field, value) in fields {
        filled = filled.replace(&format!("{{{{ {field} }}}}"), value);
    }
    match filled.split_once("{{ ") {
        Some((_, rest)) => {
            let field = rest.split(" }}").next().unwrap_or_default();
            Err(format!("the field `{field}` of `{name}` was not filled"))
        }
        None => Ok(filled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_is_left_over_is_named() {
        assert_eq!(fill("t", "a {{ B }} c", &[("B", "b")]).unwrap(), "a b c");
        let error = fill("t.rb", "a {{ SUM }}", &[("B", "b")]).unwrap_err();
        assert_eq!(error, "the field `SUM` of `t.rb` was not filled");
    }
}
