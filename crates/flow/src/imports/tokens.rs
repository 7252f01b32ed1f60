//! How much of an agent's context window a prompt takes, by estimate. May not count real tokens: every agent has its own.

use crate::FlowError;
use runward_engine::Code;

/// The context window of an agent that nobody said anything about, in tokens.
pub const CONTEXT_WINDOW: usize = 100_000;
const CHARACTERS_PER_TOKEN: usize = 4;
/// How many imports an error names.
const NAMED: usize = 3;

/// The estimate for this many characters.
pub fn estimate(characters: usize) -> usize {
    characters.div_ceil(CHARACTERS_PER_TOKEN)
}

/// Whether a prompt fits into a context window. `imports` are the names and characters of what was put into it. Gives
/// a warning when it takes more than half.
pub fn check(prompt: &str, window: usize, imports: &[(String, usize)]) -> Result<Option<String>, FlowError> {
    let tokens = estimate(prompt.chars().count());
    if tokens > window {
        let message = format!("the prompt is about {tokens} tokens, the context window is {window}");
        return Err(FlowError::new(Code::FlowContextWindow, message).hint(hint(imports)));
    }
    let warn = tokens > window / 2;
    Ok(warn.then(|| {
        format!("the prompt is about {tokens} tokens, more than half of the context window of {window}")
    }))
}

fn hint(imports: &[(String, usize)]) -> String {
    let mut largest: Vec<&(String, usize)> = imports.iter().collect();
    largest.sort_by_key(|(_, characters)| std::cmp::Reverse(*characters));
    let named: Vec<String> = largest
        .iter()
        .take(NAMED)
        .map(|(name, characters)| format!("`{name}` (about {} tokens)", estimate(*characters)))
        .collect();
    if named.is_empty() {
        return "Shorten the prompt, or raise `context_window`.".to_owned();
    }
    format!("Import less, or raise `context_window`. The largest imports: {}.", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::Coded;

    #[test]
    fn four_characters_are_about_one_token() {
        assert_eq!([0, 1, 4, 5].map(estimate), [0, 1, 1, 2]);
    }

    #[test]
    fn a_prompt_up_to_half_of_the_window_is_no_matter() {
        assert_eq!(check(&"ü".repeat(200), 100, &[]).unwrap(), None);
    }

    #[test]
    fn a_prompt_above_half_of_the_window_is_worth_a_warning() {
        let warning = check(&"x".repeat(204), 100, &[]).unwrap().unwrap();
        assert_eq!(warning, "the prompt is about 51 tokens, more than half of the context window of 100");
        assert!(check(&"x".repeat(400), 100, &[]).unwrap().is_some());
    }

    #[test]
    fn a_prompt_larger_than_the_window_names_the_largest_imports() {
        let sizes = [("@./a", 40), ("@./b", 4000), ("@./c", 8), ("@./d", 400)];
        let imports: Vec<(String, usize)> =
            sizes.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
        let error = check(&"x".repeat(401), 100, &imports).unwrap_err();
        assert_eq!(
            (error.code(), error.to_string().as_str()),
            (Code::FlowContextWindow, "the prompt is about 101 tokens, the context window is 100",)
        );
        assert_eq!(
            Coded::hint(&error).unwrap(),
            "Import less, or raise `context_window`. The largest imports: `@./b` (about 1000 tokens), `@./d` (about \
             100 tokens), `@./a` (about 10 tokens)."
        );
    }
}
