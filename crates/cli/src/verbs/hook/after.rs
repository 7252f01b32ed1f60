//! The event after a call: whether it was run as it was told, and how it ended. May not refuse anything: it is over.

use super::door::HookCase;
use crate::hook::{HookTicket, HookTrouble, TicketDesk};
use runward::{Code, ErrorView};

/// Writes down what came of a call.
pub(super) fn settle(case: &HookCase<'_>) -> Result<(), HookTrouble> {
    let Some(desk) = &case.desk else { return Ok(()) };
    let (client, session) = (case.event.client, case.event.session.as_deref());
    let Some(call) = case.event.call.as_deref() else {
        // A client without names for its calls is known by the text: what it ran as it was written has no ticket used.
        let asked = TicketDesk::hash_of(case.text);
        return find_bypass(case, desk, |ticket| ticket.asked == asked);
    };
    if let (Some((run, took)), Some(journal)) = (desk.end(client, session, call), case.engine.journal()) {
        case.recorded(journal.leave_observed(&run, case.event.exit_code, took))?;
    }
    find_bypass(case, desk, |ticket| ticket.call.as_deref() == Some(call))
}

/// Looks for a ticket that was handed out and not used: then the client ran the command without us.
pub(super) fn find_bypass(
    case: &HookCase<'_>,
    desk: &TicketDesk,
    wanted: impl Fn(&HookTicket) -> bool,
) -> Result<(), HookTrouble> {
    let (client, session) = (case.event.client, case.event.session.as_deref());
    let Some(ticket) = desk.take_unused(client, session, wanted) else { return Ok(()) };
    let view = ErrorView {
        code: Code::HookBypassed,
        message: format!(
            "{} ran this command without the ticket that it was given: {}",
            client.title(),
            ticket.shown
        ),
        hint: None,
    };
    let marked = desk.mark_bypassed(client, session, &ticket.shown);
    marked.map_err(|error| HookTrouble(format!("what went around Runward cannot be noted: {error}")))?;
    case.refuse(None, &view)
}
