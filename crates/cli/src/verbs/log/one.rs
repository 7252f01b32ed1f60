//! `runward log ID`: the full record of one command, its output, or a recording of its terminal.

use super::{VerbResult, table};
use crate::args::LogArgs;
use crate::moment::written;
use crate::output::{OutputFormat, VerbFailure, emit, print, unwritten};
use runward::core::render::{bytes, duration, one_line};
use runward::journal::read::cast;
use runward::journal::{
    BeginRecord, EndRecord, JournalReader, JournalRecord, JudgedRecord, PrintedRecord, RecordedCommand,
    RefusedRecord, Whole,
};
use runward::{Code, ErrorView, Stream};
use std::io::Write;
use std::time::Duration;

pub(super) fn show(reader: &JournalReader, id: &str, args: &LogArgs) -> VerbResult {
    let found = reader.find(id)?;
    let whole = reader.whole(&found)?;
    if args.cast {
        return recording(reader, &found, &whole);
    }
    if args.output {
        return output(reader, &found, &whole);
    }
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => print(&text(&found, &whole))?,
        structured => emit(&whole, structured)?,
    }
    Ok(0)
}

fn output(reader: &JournalReader, found: &RecordedCommand, whole: &Whole) -> VerbResult {
    let (stdout, stderr) = (reader.output(found, Stream::Stdout)?, reader.output(found, Stream::Stderr)?);
    let printed = found.summary.bytes.unwrap_or(0) > 0 || whole.last.is_none();
    if stdout.is_none() && stderr.is_none() && printed {
        return Err(unkept(&found.summary.run));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(&stdout.unwrap_or_default())
        .and_then(|()| out.flush())
        .map_err(|error| unwritten(&error))?;
    // The reader of the other stream is gone, and with it the place to report that.
    let _ = std::io::stderr().write_all(&stderr.unwrap_or_default());
    Ok(0)
}

fn unkept(run: &str) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::JournalUnknown,
        message: format!("the output of the command `{run}` was not kept, or was dropped since"),
        hint: Some(
            "See `journal.output`, `limits.spool_bytes` and `journal.keep_days` in `runward config show`."
                .to_owned(),
        ),
    })
}

fn recording(reader: &JournalReader, found: &RecordedCommand, whole: &Whole) -> VerbResult {
    let no_terminal = || {
        let message = format!("the command `{}` had no terminal", found.summary.run);
        VerbFailure::bad_value(message, "Use `--output` to see its output.")
    };
    let JournalRecord::Begin(begin) = &whole.first else { return Err(no_terminal()) };
    if begin.terminal.is_none() {
        return Err(no_terminal());
    }
    let output = reader.output(found, Stream::Stdout)?.ok_or_else(|| unkept(&found.summary.run))?;
    print(&cast(begin, &output, &reader.beats(found)?).join("\n"))?;
    Ok(0)
}

/// Names and values, one each line.
struct RecordSheet(Vec<(String, String)>);

impl RecordSheet {
    fn add(&mut self, name: &str, value: impl Into<String>) {
        self.0.push((name.to_owned(), value.into()));
    }

    fn maybe(&mut self, name: &str, value: Option<impl Into<String>>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    fn text(&self) -> String {
        let wide = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let line = |(name, value): &(String, String)| format!("{name:<wide$}  {}", one_line(value));
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

fn text(found: &RecordedCommand, whole: &Whole) -> String {
    let mut sheet = RecordSheet(Vec::new());
    sheet.add("id", &found.summary.run);
    sheet.add("command", &found.summary.line);
    sheet.add("state", table::state(&found.summary));
    sheet.add("asked", written(found.summary.at));
    match &whole.first {
        JournalRecord::Begin(begin) => begun(&mut sheet, begin),
        JournalRecord::Refused(refused) => self::refused(&mut sheet, refused),
        JournalRecord::Judged(judged) => self::judged(&mut sheet, judged),
        _ => {}
    }
    match &whole.last {
        Some(JournalRecord::End(end)) => ended(&mut sheet, end),
        Some(JournalRecord::Observed(observed)) => {
            sheet.add("ended", written(observed.at));
            sheet.add("took", duration(Duration::from_millis(observed.duration_ms)));
            sheet.maybe("exit code", observed.exit_code.map(|code| code.to_string()));
        }
        Some(JournalRecord::Interrupted { at, .. }) => sheet.add("noticed", written(*at)),
        _ => {}
    }
    sheet.text()
}

fn asked_by(sheet: &mut RecordSheet, asker: &runward::journal::Asker) {
    let client = asker.client.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
    sheet.add("door", format!("{} ({}{client})", asker.door, asker.hand));
    sheet.maybe("tool", asker.tool.clone());
}

fn begun(sheet: &mut RecordSheet, begin: &BeginRecord<'_>) {
    asked_by(sheet, &begin.asker);
    sheet.maybe("purpose", begin.purpose.as_deref());
    sheet.maybe("comes to", (!begin.comes_to.is_empty()).then(|| begin.comes_to.join(", ")));
    sheet.add("program", begin.program.as_ref());
    sheet.add("argv", format!("{:?}", begin.argv));
    sheet.add("cwd", begin.cwd.as_ref());
    sheet.add("env names", begin.env.join(" "));
    sheet.add("input", &begin.stdin);
    sheet.maybe("terminal", begin.terminal.map(|(rows, cols)| format!("{rows} rows, {cols} columns")));
    sheet.add("rule", begin.rule.as_ref());
    sheet.maybe("approved by", begin.approved_by.clone());
    let sandbox = if begin.sandbox.is_empty() { "none".to_owned() } else { begin.sandbox.join(", ") };
    sheet.add("sandbox", sandbox);
    sheet.add("held by", begin.containment.as_ref());
    let limits = begin.limits.iter().map(|limit| format!("{}={} ({})", limit.name, limit.value, limit.by));
    sheet.add("limits", limits.collect::<Vec<_>>().join(" "));
    sheet.add("plan", &begin.plan);
    sheet.add("runner", format!("process {}", begin.runner.pid));
}

fn refused(sheet: &mut RecordSheet, refused: &RefusedRecord) {
    asked_by(sheet, &refused.asker);
    sheet.maybe("comes to", (!refused.comes_to.is_empty()).then(|| refused.comes_to.join(", ")));
    sheet.maybe("program", refused.program.clone());
    sheet.maybe("cwd", refused.asked_cwd.clone());
    sheet.maybe("rule", refused.rule.clone());
    sheet.add("why", format!("{} [{}]", refused.trouble.message, refused.trouble.code));
}

fn judged(sheet: &mut RecordSheet, judged: &JudgedRecord) {
    asked_by(sheet, &judged.asker);
    sheet.maybe("session", judged.session.clone());
    sheet.maybe("call", judged.call.clone());
    sheet.maybe("comes to", (!judged.comes_to.is_empty()).then(|| judged.comes_to.join(", ")));
    sheet.maybe("cwd", judged.asked_cwd.clone());
    sheet.maybe("rule", judged.rule.clone());
    sheet.maybe("approved by", judged.approved_by.clone());
    sheet.add("told client", judged.told.as_ref());
    sheet.maybe("note", judged.note.clone());
}

fn ended(sheet: &mut RecordSheet, end: &EndRecord) {
    sheet.add("ended", written(end.at));
    if let Some(trouble) = &end.failed {
        return sheet.add("why", format!("{} [{}]", trouble.message, trouble.code));
    }
    sheet.add("took", duration(Duration::from_millis(end.duration_ms)));
    sheet.maybe("exit code", end.exit_code.map(|code| code.to_string()));
    sheet.maybe("signal", end.signal.clone());
    sheet.maybe("stopped", end.stopped.as_deref());
    let left = end.leftovers.map_or_else(|| "unknown".to_owned(), |count| count.to_string());
    sheet.add("leftovers", format!("{left} ({})", end.leftovers_state));
    sheet.add("stdout", printed(&end.stdout));
    sheet.add("stderr", printed(&end.stderr));
    for note in &end.notes {
        sheet.add("note", note);
    }
}

fn printed(stream: &PrintedRecord) -> String {
    let spooled = if stream.spooled { ", in the spool" } else { "" };
    let part = if stream.digest_bytes < stream.bytes {
        format!(" of the first {}", bytes(stream.digest_bytes))
    } else {
        String::new()
    };
    match stream.bytes {
        0 => "nothing".to_owned(),
        count => format!("{}{spooled}, blake3{part} {}", bytes(count), stream.digest),
    }
}
