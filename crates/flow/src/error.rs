//! What can be wrong with a markdown agent: a code, a sentence, what to do, and the place in the file.

use crate::Mark;
use runward_engine::core::resolve::nearest;
use runward_engine::{Code, Coded};

/// Something is wrong with a markdown agent, or with what it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FlowError {
    code: Code,
    message: String,
    hint: Option<String>,
    // In a box: an error travels through many results, and most of them are fine.
    mark: Option<Box<Mark>>,
}

impl FlowError {
    /// An error with its sentence: a fragment that names the value, without a full stop.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, mark: None }
    }

    /// Several problems as one error that lists each with its place, under the code of the first; `about` says what they
    /// are about. A single one is told as it is, and none is none.
    pub fn all(about: &str, problems: Vec<FlowError>) -> Result<(), FlowError> {
        let [first, _, ..] = &problems[..] else { return problems.into_iter().next().map_or(Ok(()), Err) };
        let line = |one: &FlowError| match one.mark() {
            Some(mark) => format!("\n  {}: {one}", mark.place()),
            None => format!("\n  {one}"),
        };
        let lines: String = problems.iter().map(line).collect();
        let mut hints: Vec<&str> = Vec::new();
        for hint in problems.iter().filter_map(|one| one.hint.as_deref()) {
            if !hints.contains(&hint) {
                hints.push(hint);
            }
        }
        let hint = (!hints.is_empty()).then(|| hints.join(" "));
        let message = format!("{} problems {about}{lines}", problems.len());
        Err(Self { code: first.code, message, hint, mark: None })
    }

    /// The same, with what to do: whole sentences that begin with a verb.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, pointing at a place, if there is one. A place that is known already is kept: it is nearer.
    #[must_use]
    pub fn at(mut self, mark: impl Into<Option<Mark>>) -> Self {
        self.mark = self.mark.or_else(|| mark.into().map(Box::new));
        self
    }

    /// The place in the file.
    pub fn mark(&self) -> Option<&Mark> {
        self.mark.as_deref()
    }
}

/// A hint that proposes the known name which is most like a word; another hint where none is.
pub(crate) fn meant<S: AsRef<str>>(
    word: &str,
    known: impl IntoIterator<Item = S>,
    otherwise: impl Into<String>,
) -> String {
    let near = nearest(word, known).into_iter().next();
    near.map_or_else(|| otherwise.into(), |near| format!("Write `{near}` if that is what is meant."))
}

impl Coded for FlowError {
    fn code(&self) -> Code {
        self.code
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(code: Code, line: usize, hint: &str) -> FlowError {
        let mark = Mark { file: "a.md".to_owned(), line, column: 3, text: String::new(), length: 1 };
        FlowError::new(code, format!("trouble {line}")).hint(hint).at(mark)
    }

    #[test]
    fn several_problems_are_one_error_and_one_stays_itself() {
        let one = problem(Code::FlowBadInput, 2, "Mend it.");
        assert_eq!(FlowError::all("here", vec![]), Ok(()));
        assert_eq!(FlowError::all("here", vec![one.clone()]), Err(one.clone()));
        let placeless = FlowError::new(Code::FlowBadArgument, "trouble");
        let other = problem(Code::FlowMissingVariable, 4, "Give it.");
        let again = problem(Code::FlowBadInput, 5, "Mend it.");
        let error = FlowError::all("here", vec![one, placeless, other, again]).unwrap_err();
        let told =
            "4 problems here\n  a.md:2:3: trouble 2\n  trouble\n  a.md:4:3: trouble 4\n  a.md:5:3: trouble 5";
        assert_eq!(
            (error.code(), error.to_string().as_str(), error.mark()),
            (Code::FlowBadInput, told, None)
        );
        assert_eq!(Coded::hint(&error).as_deref(), Some("Mend it. Give it."));
    }
}
