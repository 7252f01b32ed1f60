//! `sed` and `awk`, whose scripts can start programs and write files: a script that does more than edit what passes
//! through is code.
//!
//! May not judge files of scripts: those are run by name, like any other program's.

use super::Carried;
use crate::policy::Word;
use crate::policy::presets::fault;

/// How one of them reads its words.
struct Editor {
    names: &'static [&'static str],
    /// Letters of options that take a value.
    takes: &'static str,
    /// Options whose value is a script.
    script: &'static [&'static str],
    /// Options whose value names a file of scripts.
    file: &'static [&'static str],
    /// Options that load code.
    loads: &'static [&'static str],
    /// The check of its scripts.
    check: &'static str,
}

const EDITORS: &[Editor] = &[
    Editor {
        names: &["sed", "gsed"],
        takes: "efl",
        script: &["-e", "--expression"],
        file: &["-f", "--file"],
        loads: &[],
        check: "sed",
    },
    Editor {
        names: &["awk", "gawk", "mawk", "nawk", "original-awk"],
        takes: "FvfeilE",
        script: &["-e", "--source"],
        file: &["-f", "--file", "-E", "--exec"],
        loads: &["-i", "--include", "-l", "--load"],
        check: "awk",
    },
];

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    let editor = EDITORS.iter().find(|editor| editor.names.contains(&name))?;
    let mut scripts = Vec::new();
    let (mut has_script, mut rest) = (false, words.get(1..)?.iter());
    while let Some(word) = rest.next() {
        match option(editor, word) {
            Read::Operand if has_script => return judged(name, editor, &scripts),
            Read::Operand => {
                scripts.push(word.clone());
                return judged(name, editor, &scripts);
            }
            Read::Nothing => {}
            Read::Takes(option, glued) => {
                let value = glued.map(Word::known).or_else(|| rest.next().cloned());
                if editor.loads.contains(&option.as_str()) {
                    return Some(Carried::never(format!("`{name} {option}` loads code")));
                }
                has_script |=
                    editor.script.contains(&option.as_str()) || editor.file.contains(&option.as_str());
                scripts.extend(value.filter(|_| editor.script.contains(&option.as_str())));
            }
        }
    }
    judged(name, editor, &scripts)
}

fn judged(name: &str, editor: &Editor, scripts: &[Word]) -> Option<Carried> {
    scripts.iter().find_map(|script| match script.text() {
        None => Some(Carried::never(format!("the script of `{name}` is only known when it runs"))),
        Some(text) => fault(editor.check, text)
            .map(|why| Carried::never(format!("the script of `{name}` does more than edit: {why}"))),
    })
}

enum Read {
    Operand,
    Nothing,
    /// An option with a value, which is glued to it or the next word.
    Takes(String, Option<String>),
}

fn option(editor: &Editor, word: &Word) -> Read {
    let Some(text) = word.text().filter(|text| text.len() > 1 && text.starts_with('-')) else {
        return Read::Operand;
    };
    if text == "--" {
        return Read::Nothing;
    }
    if let Some(long) = text.strip_prefix("--") {
        let (name, glued) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let known = editor.script.iter().chain(editor.file).chain(editor.loads);
        // A long name may be shortened.
        let full = known.filter(|known| known.starts_with("--")).find(|known| known[2..].starts_with(name));
        return full.map_or(Read::Nothing, |full| Read::Takes((*full).to_owned(), glued.map(str::to_owned)));
    }
    for (at, letter) in text.char_indices().skip(1) {
        if editor.takes.contains(letter) {
            let glued = &text[at + letter.len_utf8()..];
            return Read::Takes(
                format!("-{letter}"),
                Some(glued.to_owned()).filter(|glued| !glued.is_empty()),
            );
        }
    }
    Read::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carries(line: &[&str]) -> bool {
        let words: Vec<Word> = line.iter().map(Word::known).collect();
        says(line[0], &words).is_some()
    }

    #[test]
    fn scripts_that_edit_carry_nothing() {
        for line in [
            &["sed", "-n", "1,5p", "f"][..],
            &["sed", "-i", "s/a/b/", "f"],
            &["sed", "-ne", "p", "-e", "s/a/b/", "f"],
            &["sed", "-f", "script.sed", "f"],
            &["awk", "{print $1}", "f"],
            &["awk", "-F:", "-v", "x=1", "$3 > 5", "f"],
            &["awk", "-f", "prog.awk", "system(1)"],
            &["sed"],
        ] {
            assert!(!carries(line), "{line:?}");
        }
    }

    #[test]
    fn scripts_that_start_or_write_are_code() {
        for line in [
            &["sed", "1e touch x"][..],
            &["sed", "-n", "s/a/b/e"],
            &["sed", "-ne", "w f"],
            &["sed", "--expr=1e id"],
            &["sed", "-e1e id", "f"],
            &["awk", "BEGIN{system(\"id\")}"],
            &["gawk", "-l", "filefuncs", "1"],
            &["gawk", "-v", "x=1", "--source", "BEGIN{\"id\"|getline}"],
            &["mawk", "--", "{print > \"f\"}"],
        ] {
            assert!(carries(line), "{line:?}");
        }
        let open = Word::Open { start: String::new(), spread: crate::policy::Spread::One };
        assert!(says("awk", &[Word::known("awk"), open]).is_some());
    }
}
