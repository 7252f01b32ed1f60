//! The form a client shows, and what its answer means. Only a clear yes is a yes.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema, EnumSchema};
use runward_engine::approve::{ApprovalChoice, Exhibit, Matter, Verdict};
use runward_engine::core::plan::Person;
use std::time::Duration;

/// No person reads a form and answers it in less.
const BLINK: Duration = Duration::from_secs(1);

/// The one field.
const FIELD: &str = "answer";

/// A question as a form.
#[derive(Debug, Clone)]
pub(crate) struct ElicitationForm {
    text: String,
    offers_always: bool,
    person: Person,
}

impl ElicitationForm {
    /// The form for this matter, shown to this person.
    pub(crate) fn of(matter: &Matter<'_>, person: Person) -> Self {
        let shown = Exhibit::of(matter);
        let what = shown.gist.as_deref().map_or("this command".to_owned(), |gist| format!("`{gist}`"));
        let mut text = format!("Run {what}?\n\n{}", shown.text());
        if let Some(file) = &shown.always {
            text.push_str(&format!("\n\n\"always\" writes a rule for this very command to {file}."));
        }
        Self { text, offers_always: shown.always.is_some(), person }
    }

    /// The form on the wire.
    pub(crate) fn params(&self) -> ElicitRequestParams {
        // "no" comes first: what a client shows as chosen already must not be a yes.
        let answers: &[&str] = if self.offers_always { &["no", "once", "always"] } else { &["no", "once"] };
        let answers = answers.iter().map(|answer| (*answer).to_owned()).collect();
        let field = EnumSchema::builder(answers).title("Run it?").build();
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: self.text.clone(),
            requested_schema: ElicitationSchema::builder()
                .required_enum_schema(FIELD, field)
                .build_unchecked(),
        }
    }

    /// What an answer after this time means; nothing where it is none.
    ///
    /// A client may close or decline a form by itself, without having shown it. What was closed is no answer. A person
    /// who declines has to see the form first.
    pub(crate) fn verdict(&self, result: &ElicitResult, took: Duration) -> Option<Verdict> {
        let said = match result.action {
            ElicitationAction::Accept => result.content.as_ref().and_then(|content| content[FIELD].as_str()),
            ElicitationAction::Decline if took < BLINK => return Some(Verdict::Unseen),
            ElicitationAction::Cancel => return None,
            _ => None,
        };
        let choice = match said {
            Some("once") => ApprovalChoice::Once,
            Some("always") if self.offers_always => ApprovalChoice::Always,
            _ => ApprovalChoice::No,
        };
        Some(choice.by(self.person.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn form(offers_always: bool) -> ElicitationForm {
        ElicitationForm { text: "x".to_owned(), offers_always, person: Person::named("p") }
    }

    fn said_after(
        took: Duration,
        action: ElicitationAction,
        content: Option<serde_json::Value>,
    ) -> Option<Verdict> {
        let mut result = ElicitResult::new(action);
        result.content = content;
        form(true).verdict(&result, took)
    }

    fn said(
        form: &ElicitationForm,
        action: ElicitationAction,
        content: Option<serde_json::Value>,
    ) -> Verdict {
        let mut result = ElicitResult::new(action);
        result.content = content;
        form.verdict(&result, BLINK).unwrap()
    }

    #[test]
    fn a_form_that_is_closed_was_not_answered_and_one_that_is_declined_at_once_was_not_seen() {
        use ElicitationAction::{Accept, Cancel, Decline};
        let (soon, late) = (Duration::from_millis(3), Duration::from_secs(30));
        for took in [soon, late] {
            assert_eq!(said_after(took, Cancel, None), None, "whenever it is closed");
            assert_eq!(said_after(took, Cancel, Some(json!({"answer": "once"}))), None, "whatever it holds");
        }
        assert_eq!(said_after(soon, Decline, None), Some(Verdict::Unseen));
        assert_eq!(said_after(soon, Decline, Some(json!({"answer": "once"}))), Some(Verdict::Unseen));
        assert_eq!(said_after(late, Decline, None), Some(Verdict::No(Person::named("p"))));
        assert_eq!(
            said_after(soon, Accept, Some(json!({"answer": "no"}))),
            Some(Verdict::No(Person::named("p"))),
            "a no that was chosen is one, however fast"
        );
    }

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        use ElicitationAction::{Accept, Decline};
        let (yes, no) = (Verdict::Once(Person::named("p")), Verdict::No(Person::named("p")));
        assert_eq!(said(&form(true), Accept, Some(json!({"answer": "once"}))), yes);
        assert_eq!(
            said(&form(true), Accept, Some(json!({"answer": "always"}))),
            Verdict::Always(Person::named("p"))
        );
        for (action, content) in [
            (Decline, Some(json!({"answer": "once"}))),
            (Accept, None),
            (Accept, Some(json!({}))),
            (Accept, Some(json!({"answer": "no"}))),
            (Accept, Some(json!({"answer": true}))),
            (Accept, Some(json!("once"))),
        ] {
            assert_eq!(said(&form(true), action.clone(), content.clone()), no, "{action:?} {content:?}");
        }
        assert_eq!(said(&form(false), Accept, Some(json!({"answer": "always"}))), no, "not on offer");
    }

    #[test]
    fn always_is_a_choice_only_where_it_is_on_offer() {
        let choices =
            |offers| json!(form(offers).params())["requestedSchema"]["properties"]["answer"]["enum"].clone();
        assert_eq!(choices(true), json!(["no", "once", "always"]));
        assert_eq!(choices(false), json!(["no", "once"]));
    }
}
