//! `trap`: its text is read like any other script. `shopt`: its options change how words are expanded.
//!
//! Hazard: the text of a trap runs at any later moment, so nothing is certain in it but the functions that there are by
//! then, and whatever it sets may be set anywhere. May not take a text that is only known when it runs.

use super::reader::{ReadResult, ScriptReader};
use super::simple::SimpleCommandParts;
use super::{Opaque, whole};

/// When a trap may run. `DEBUG` and `RETURN` run between any two commands.
const MOMENTS: &str =
    "EXIT 0 HUP 1 INT 2 QUIT 3 ABRT 6 USR1 10 USR2 12 PIPE 13 ALRM 14 TERM 15 CHLD 17 WINCH ERR";

/// Options that change neither how the text is read nor what its words begin with.
const OPTIONS: &str = "globstar nullglob dotglob failglob nocasematch inherit_errexit lastpipe";

/// How deep texts of traps may stand in each other.
const DEEPEST: u32 = 3;

impl ScriptReader<'_> {
    /// `trap TEXT MOMENT…`
    pub(super) fn trap(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        let unclear = || Opaque::because("what `trap` is told is not understood");
        let constant = || {
            Opaque::because("the text of a trap is only known when it runs")
                .instead("Give the trap in single quotes, with variables in double quotes inside: `trap 'rm -f -- \"$f\"' EXIT`.")
        };
        let mut words = parts.words[1..].iter().map(|spelt| spelt.word.text()).peekable();
        if matches!(words.peek(), Some(Some("--"))) {
            words.next();
        }
        let Some(text) = words.next() else { return self.quiet(parts) };
        let text = text.ok_or_else(constant)?.to_owned();
        if matches!(text.as_str(), "-p" | "-l") && words.len() == 0 {
            return self.quiet(parts);
        }
        let moments = words.collect::<Option<Vec<&str>>>().ok_or_else(unclear)?;
        let known = |name: &str| MOMENTS.split(' ').any(|known| known == name);
        let is_moment = |moment: &&str| known(moment.strip_prefix("SIG").unwrap_or(moment));
        if moments.is_empty() || !moments.iter().all(is_moment) || text.starts_with('-') && text != "-" {
            return Err(unclear());
        }
        if text != "-" {
            self.later(&text, parts.words[0].at)?;
        }
        self.quiet(parts)
    }

    /// Reads a text that runs at some later moment.
    fn later(&mut self, text: &str, at: usize) -> ReadResult<()> {
        if self.traps >= DEEPEST {
            return Err(Opaque::because("traps stand too deep in each other"));
        }
        self.reading.repeats = true;
        let mut later = ScriptReader::new(text, self.posix);
        later.traps = self.traps + 1;
        later.vanishing = self.vanishing;
        later.names.certain.clone_from(&self.names.certain);
        let mut later = whole(later)?;
        later.agrees_with_the_second()?;
        self.names.absorb(later.names);
        self.nullglob |= later.nullglob;
        later.commands.sort_by_key(|(at, _)| *at);
        self.commands.extend(later.commands.into_iter().map(|(_, command)| (at, command)));
        self.reading.assigns.extend(later.reading.assigns);
        self.reading.redirects.extend(later.reading.redirects);
        Ok(())
    }

    /// `shopt -s NAME…`
    pub(super) fn shopt(&mut self, parts: SimpleCommandParts) -> ReadResult<()> {
        let words = parts.words[1..].iter().map(|spelt| spelt.word.text()).collect::<Option<Vec<&str>>>();
        let words =
            words.ok_or_else(|| Opaque::because("which option `shopt` sets is only known when it runs"))?;
        let names = match words.as_slice() {
            ["-s" | "-u" | "-q" | "-p" | "-sq" | "-uq", names @ ..] => names,
            names => names,
        };
        let known = |name: &str| OPTIONS.split(' ').any(|known| known == name);
        if let Some(name) = names.iter().find(|name| !known(name)) {
            return Err(Opaque::because(format!("`shopt {name}` may change how the text is read")));
        }
        self.nullglob |= names.contains(&"nullglob");
        self.quiet(parts)
    }
}
