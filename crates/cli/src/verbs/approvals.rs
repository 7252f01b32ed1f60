//! `approvals`, `approve` and `decline`: the questions of running servers, over their private sockets.
//!
//! May not answer by itself: a person types which question, by an id that means one only.

use super::VerbResult;
use super::sessions::{all_servers, gone, on_runtime, refused};
use crate::args::{ApprovalsArgs, ApproveArgs, DeclineArgs};
use crate::output::{OutputFormat, VerbFailure, emit, print};
use runward::approve::{ApprovalChoice, OpenQuestion};
use runward::control::{Ask, ControlCall, ControlMessage};
use runward::core::render::{duration, letters_of_ids, may_mean_id, short_id, some_ids};
use runward::{Code, ErrorView};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often `--watch` looks. Servers come and go, so each look finds them again.
const EVERY: Duration = Duration::from_millis(250);

pub(super) fn list(args: &ApprovalsArgs) -> VerbResult {
    let format = OutputFormat::of(&args.format);
    on_runtime(async {
        if args.watch {
            return watch(format).await;
        }
        let open = open().await?;
        match format {
            OutputFormat::Plain if open.is_empty() => print("no open questions")?,
            OutputFormat::Plain => {
                let letters = letters_of_ids(open.iter().map(|(_, one)| &one.id));
                let texts = open.iter().map(|(_, one)| text(one, letters));
                print(&texts.collect::<Vec<_>>().join("\n\n"))?;
            }
            structured => emit(&open.iter().map(|(_, one)| one).collect::<Vec<_>>(), structured)?,
        }
        Ok(0)
    })
}

pub(super) fn approve(args: &ApproveArgs) -> VerbResult {
    let choice = if args.always { ApprovalChoice::Always } else { ApprovalChoice::Once };
    on_runtime(async {
        let answered = answer(&args.question, choice).await?;
        let once = format!("approved: {}", answered.exhibit.command);
        match answered.exhibit.always.filter(|_| args.always) {
            Some(file) => print(&format!("{once}\nthe server writes the rule for it to {file}"))?,
            None => print(&once)?,
        }
        Ok(0)
    })
}

pub(super) fn decline(args: &DeclineArgs) -> VerbResult {
    on_runtime(async {
        let answered = answer(&args.question, ApprovalChoice::No).await?;
        print(&format!("declined: {}", answered.exhibit.command))?;
        Ok(0)
    })
}

/// Shows each question once, as it comes, until we are told to end.
async fn watch(format: OutputFormat) -> VerbResult {
    let mut seen = BTreeSet::new();
    loop {
        let open = open().await?;
        let letters = letters_of_ids(open.iter().map(|(_, one)| &one.id));
        for (_, one) in open {
            if seen.insert(one.id.clone()) {
                match format {
                    OutputFormat::Plain => print(&format!("{}\n", text(&one, letters)))?,
                    structured => emit(&one, structured)?,
                }
            }
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Every open question, with the server that asks it.
async fn open() -> Result<Vec<(PathBuf, OpenQuestion)>, VerbFailure> {
    let mut all = Vec::new();
    for server in all_servers().await? {
        // A server that ends while it is asked has no questions any more.
        if let Ok(ControlMessage::Questions(questions)) = say(&server, &Ask::Questions).await {
            all.extend(questions.into_iter().map(|question| (server.clone(), question)));
        }
    }
    Ok(all)
}

async fn say(server: &Path, ask: &Ask) -> std::io::Result<ControlMessage> {
    ControlCall::make(server, ask).await?.hear().await
}

/// Answers the one question that this id, or the beginning or end of it, means.
async fn answer(id: &str, choice: ApprovalChoice) -> Result<OpenQuestion, VerbFailure> {
    let mut meant = open().await?;
    meant.retain(|(_, one)| may_mean_id(&one.id, id));
    let (server, question) = match meant.as_slice() {
        [(server, one)] => (server, one.id.clone()),
        [] => return Err(unknown(format!("no question with the id {id} is open"))),
        several => {
            let ids: Vec<&str> = several.iter().map(|(_, one)| one.id.as_str()).collect();
            let (count, ids) = (ids.len(), some_ids(&ids));
            return Err(unknown(format!("{count} open questions may be meant by `{id}`: {ids}")));
        }
    };
    let heard = say(server, &Ask::Answer { question, choice }).await;
    match heard.map_err(|error| VerbFailure::unheard("the server could not be reached", &error))? {
        ControlMessage::Questions(mut answered) => answered.pop().ok_or_else(gone),
        ControlMessage::Refused(why) => Err(refused(why)),
        _ => Err(gone()),
    }
}

fn unknown(message: String) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::ApprovalUnknown,
        message,
        hint: Some("See `runward approvals` for the questions that are open.".to_owned()),
    })
}

fn text(one: &OpenQuestion, letters: usize) -> String {
    let left = duration(Duration::from_millis(one.left_ms));
    let id = short_id(&one.id, letters);
    let mut out = format!("question {id}\n{}\nwaits    {left} more", one.exhibit.text());
    if let Some(file) = &one.exhibit.always {
        out.push_str(&format!("\nalways   would write a rule to {file}"));
    }
    out
}
