//! Programs that hand a text to a shell, or a command as words: `flock`, `script`, `watch`, `su`, `runuser`.
//!
//! May not guess which shell: where the environment names it, it is told as `$SHELL`.

use super::options::{OptionMark, OptionOrder, OptionValue, OptionsRead, read};
use super::{Opaque, StartedCommand, Word, is_one, script, started};
use crate::policy::tables::TableSection;

/// The shell that the environment names.
const ANY_SHELL: &str = "$SHELL";

/// `flock FILE COMMAND…` and `flock FILE -c TEXT`.
pub(super) fn flock(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::First, words)?;
    let Some((file, rest)) = read.operands.split_first().filter(|_| !read.ends) else {
        return Ok(Vec::new());
    };
    if !is_one(file) {
        return Err(Opaque::because("where the command it starts begins is not known"));
    }
    match rest {
        [flag, text] if flag.text().is_some_and(|flag| flag == "-c" || flag == "--command") => {
            Ok(vec![script(ANY_SHELL, text)?])
        }
        _ => started(rest),
    }
}

/// `script -c TEXT FILE`, and `script FILE COMMAND…` elsewhere.
pub(super) fn script_of(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let everywhere = read(wrapper, OptionOrder::Anywhere, words);
    let first = read(wrapper, OptionOrder::First, words)?;
    if first.ends {
        return Ok(Vec::new());
    }
    // One kind of it reads options behind the file, the other kind takes what stands there for a command.
    let mut all =
        started(first.operands.get(1..).unwrap_or_default()).or_else(|opaque| match &everywhere {
            Ok(read) if read.operands.len() < 2 => Ok(Vec::new()),
            _ => Err(opaque),
        })?;
    match everywhere {
        Ok(read) if read.before_dashes.is_some() => {
            return Err(Opaque::because("what stands behind `--` depends on the version"));
        }
        Ok(read) if read.ends => {}
        Ok(read) => all.extend(texts(&read, ANY_SHELL)?),
        Err(opaque) if all.is_empty() => return Err(opaque),
        Err(_) => {}
    }
    if all.is_empty() {
        Err(Opaque::because("it starts a shell, which runs what it is fed"))
    } else {
        Ok(all)
    }
}

/// Every text that was given for a shell.
pub(super) fn texts(read: &OptionsRead, shell: &str) -> Result<Vec<StartedCommand>, Opaque> {
    let given = read.found.iter().filter(|found| found.mark == OptionMark::Takes(OptionValue::Text));
    given.filter_map(|found| found.value.as_ref()).map(|text| script(shell, text)).collect()
}

/// `watch COMMAND…`, which joins its words for `sh -c`, unless it is told `-x`.
pub(super) fn watch(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::First, words)?;
    if read.ends || read.operands.is_empty() {
        return Ok(Vec::new());
    }
    if read.has("-x") {
        return started(&read.operands);
    }
    Ok(vec![script("sh", &joined(&read.operands)?)?])
}

/// Words with spaces between them.
pub(super) fn joined(words: &[Word]) -> Result<Word, Opaque> {
    let known: Option<Vec<&str>> = words.iter().map(Word::text).collect();
    let known =
        known.ok_or_else(|| Opaque::because("the text a shell is given is only known when it runs"))?;
    Ok(Word::known(known.join(" ")))
}

/// `su USER -c TEXT`.
pub(super) fn su(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::Anywhere, words)?;
    if read.ends { Ok(Vec::new()) } else { as_other(&read) }
}

fn as_other(read: &OptionsRead) -> Result<Vec<StartedCommand>, Opaque> {
    let users = read.operands.iter().filter(|word| word.exact().is_none_or(|word| word != "-"));
    if users.count() > 1 || !read.operands.iter().all(is_one) {
        return Err(Opaque::because("it passes words on to a shell"));
    }
    let shells: Vec<Option<&str>> =
        read.all("-s").map(|found| found.value.as_ref().and_then(Word::text)).collect();
    let shell = match shells[..] {
        [] => ANY_SHELL,
        [Some(shell)] => shell,
        _ => return Err(Opaque::because("which shell it starts is not known")),
    };
    let all = texts(read, shell)?;
    if all.is_empty() {
        Err(Opaque::because("it starts a shell, which runs what it is fed"))
    } else {
        Ok(all)
    }
}

/// `runuser -u USER COMMAND…`, and `su`'s ways without `-u`.
pub(super) fn runuser(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::Anywhere, words)?;
    if read.ends {
        return Ok(Vec::new());
    }
    if !read.has("-u") {
        return as_other(&read);
    }
    let mut all = texts(&read, ANY_SHELL)?;
    all.extend(started(&read.operands)?);
    // Options behind the command's name may be read by either.
    let alone = read.before_dashes.is_none_or(|before| before > 0);
    let first = self::read(wrapper, OptionOrder::First, words)?;
    if alone && first.operands.len() != read.operands.len() {
        return Err(Opaque::because("which program reads options behind the command depends on the version"));
    }
    Ok(all)
}
