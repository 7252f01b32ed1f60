//! The answer of a tool call: a result, or a refusal, as text and as fields.
//!
//! May not raise a JSON-RPC error: those are for misuse of the protocol, and models do not see them.

use crate::veil::Veil;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use runward_engine::{Code, Coded, ErrorView};
use serde_json::{Value, json};

/// The answer of a tool call, before it is put on the wire.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    /// The text that a model reads.
    pub(crate) text: String,
    /// The same in fields.
    pub(crate) fields: Value,
    /// Whether the call succeeded.
    pub(crate) verdict: CallVerdict,
    /// Further facts, beside the answer.
    pub(crate) meta: Option<Value>,
}

/// Whether a call succeeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallVerdict {
    /// It did; a command that ended with a non-zero code did run.
    Well,
    /// It did not.
    Ill,
}

/// A call that was refused or failed.
#[derive(Debug)]
pub(crate) struct CallFailure(pub(crate) ErrorView);

impl<E: Coded> From<E> for CallFailure {
    fn from(error: E) -> Self {
        Self(ErrorView::of(&error))
    }
}

impl CallFailure {
    /// A value of the call that cannot be used.
    pub(crate) fn bad_value(message: String, hint: impl Into<String>) -> Self {
        Self(ErrorView { code: Code::SpecBadValue, message, hint: Some(hint.into()) })
    }

    /// The same without secrets: a message may repeat the arguments.
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

impl From<CallFailure> for ToolAnswer {
    fn from(failure: CallFailure) -> Self {
        let text = failure.sentence();
        // The hint is in the text alone: clients that show both would say it twice.
        let ErrorView { code, message, .. } = failure.0;
        let fields = json!({ "error": { "code": code, "message": message } });
        Self { text, fields, verdict: CallVerdict::Ill, meta: None }
    }
}

impl From<ToolAnswer> for CallToolResult {
    fn from(answer: ToolAnswer) -> Self {
        let content = vec![ContentBlock::text(answer.text)];
        let mut result = match answer.verdict {
            CallVerdict::Well => CallToolResult::success(content),
            CallVerdict::Ill => CallToolResult::error(content),
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
    fn a_failure_is_a_sentence_then_its_hint_and_its_message_in_fields() {
        let failure = CallFailure::bad_value("`x` is odd".to_owned(), "Use `y`.");
        let answer = ToolAnswer::from(failure);
        assert_eq!(answer.text, "`x` is odd. Use `y`.");
        assert_eq!(answer.fields, json!({"error": {"code": "spec.bad-value", "message": "`x` is odd"}}));
        assert_eq!(answer.verdict, CallVerdict::Ill);
    }
}
