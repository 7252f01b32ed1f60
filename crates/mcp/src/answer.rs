//! What a tool call comes to: a result, or a refusal told in words and in fields.
//!
//! May not raise a JSON-RPC error: those are for misuse of the protocol, and models do not see them.

use crate::veil::Veil;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use runward::{Code, Coded, ErrorView};
use serde_json::{Value, json};

/// What a tool call comes to, before it is put on the wire.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What a model reads.
    pub(crate) text: String,
    /// The same in fields.
    pub(crate) fields: Value,
    /// Whether the call went well.
    pub(crate) verdict: Verdict,
    /// What else is known, beside the answer.
    pub(crate) meta: Option<Value>,
}

/// Whether a call went well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It did; a command that ended with a non-zero code did run.
    Well,
    /// It did not.
    Ill,
}

/// A call that was refused or failed.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) ErrorView);

impl<E: Coded> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(ErrorView::of(&error))
    }
}

impl Failure {
    /// A value of the call that cannot be used.
    pub(crate) fn bad_value(message: String, hint: impl Into<String>) -> Self {
        Self(ErrorView { code: Code::SpecBadValue, message, hint: Some(hint.into()) })
    }

    /// The same without secrets: a message may repeat what was asked.
    pub(crate) fn under(mut self, veil: &Veil) -> Self {
        self.0.message = veil.over(&self.0.message).into_owned();
        self.0.hint = self.0.hint.map(|hint| veil.over(&hint).into_owned());
        self
    }

    /// The message, then the hint.
    pub(crate) fn sentence(&self) -> String {
        let ErrorView { message, hint, .. } = &self.0;
        match hint {
            Some(hint) if message.ends_with(['.', '!', '?']) => format!("{message} {hint}"),
            Some(hint) => format!("{message}. {hint}"),
            None => message.clone(),
        }
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Self {
        let text = failure.sentence();
        Self { text, fields: json!({ "error": failure.0 }), verdict: Verdict::Ill, meta: None }
    }
}

impl From<Answer> for CallToolResult {
    fn from(answer: Answer) -> Self {
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = match answer.verdict {
            Verdict::Well => CallToolResult::success(content),
            Verdict::Ill => CallToolResult::error(content),
        };
        result.structured_content = Some(answer.fields);
        if let Some(Value::Object(meta)) = answer.meta {
            result.meta = Some(MetaObject(meta));
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_a_sentence_then_its_hint_and_the_same_in_fields() {
        let failure = Failure::bad_value("`x` is odd".to_owned(), "Use `y`.");
        let answer = Answer::from(failure);
        assert_eq!(answer.text, "`x` is odd. Use `y`.");
        assert_eq!(
            answer.fields,
            json!({"error": {"code": "spec.bad-value", "message": "`x` is odd", "hint": "Use `y`."}})
        );
        assert_eq!(answer.verdict, Verdict::Ill);
    }
}
