//! Nothing is gone: what is shown, and what its addresses give, is the whole stream. May not use anything but what an answer
//! says itself.

use super::recording::{RecordedRun, page_of};
use super::verdict::cut_of;
use proptest::prelude::*;
use runward_core::digest::{AnswerLimits, CommandEnding};

/// Puts a stream together again from what is shown of it; says where that fails.
fn put_together(bytes: &[u8], whole: &str, shown: &str) -> Result<(), String> {
    // Every way to read it so far: an end of a line before a bracket may be ours.
    let mut places = vec![0_usize];
    for line in shown.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        let next: Vec<usize> = if bare.starts_with("[whole: ") {
            continue;
        } else if let Some((from, to)) = cut_of(bare) {
            let page = page_of(bytes, from, to);
            places.iter().filter(|at| whole[**at..].starts_with(&page)).map(|at| at + page.len()).collect()
        } else if let Some(count) = folded(bare) {
            places.iter().map(|at| behind_lines(whole, *at, count)).collect()
        } else {
            let with = places.iter().filter(|at| whole[**at..].starts_with(line)).map(|at| at + line.len());
            let without =
                places.iter().filter(|at| whole[**at..].starts_with(bare)).map(|at| at + bare.len());
            with.chain(without).collect()
        };
        if next.is_empty() {
            return Err(format!("`{bare}` is not what comes next"));
        }
        places = next;
        places.sort_unstable();
        places.dedup();
    }
    if places.contains(&whole.len()) { Ok(()) } else { Err("the end is missing".to_owned()) }
}

fn folded(line: &str) -> Option<usize> {
    line.strip_prefix('[')?.strip_suffix(" lines like these]")?.parse().ok()
}

fn behind_lines(text: &str, at: usize, count: usize) -> usize {
    at + text[at..].split_inclusive('\n').take(count).map(str::len).sum::<usize>()
}

/// Read in pages from the beginning, as `[whole: …]` says.
fn in_pages(bytes: &[u8], size: usize) -> String {
    let (mut all, mut from) = (String::new(), 0);
    while from < bytes.len() {
        let to = (from + size).min(bytes.len());
        let to =
            to + bytes[to..].iter().position(|byte| *byte == b'\n').map_or(bytes.len() - to, |end| end + 1);
        all.push_str(&page_of(bytes, from, to));
        from = to;
    }
    all
}

fn checked(bytes: Vec<u8>, max_chars: usize) -> Result<(), TestCaseError> {
    let mut run = RecordedRun::made_up("./tool", CommandEnding::Exit(1), "", "");
    run.streams[0] = bytes;
    let answer = run.answer(AnswerLimits { max_chars, ..AnswerLimits::default() });
    let [whole, _] = run.rendered();
    let together = put_together(&run.streams[0], &whole, &answer.stdout);
    prop_assert!(together.is_ok(), "{together:?}\n{}", answer.stdout);
    if !answer.is_partial {
        prop_assert_eq!(&answer.stdout, &whole);
    }
    Ok(())
}

/// Lines as tools print them, and as they do not.
fn some_line() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[a-z]{0,40}",
        3 => "step [0-9]{1,4} of 900",
        2 => "error: [a-z]{1,20}",
        1 => "\u{1b}\\[3[1-6]m[a-zäöü ]{0,30}\u{1b}\\[0m",
        1 => "[a-z]{0,10}\r[a-z]{0,10}",
        1 => "\\[(cut|whole|left out): [0-9]{1,3} lines\\]",
        1 => "[a-zé]{900,1400}",
        1 => "[ \\t\"\\\\{}]{0,20}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_are_put_together_again(lines in prop::collection::vec((some_line(), 1_usize..9), 0..120), max in 200_usize..4_000, ends in any::<bool>()) {
        let mut text: String = lines.iter().map(|(line, times)| format!("{line}\n").repeat(*times)).collect();
        if !ends {
            text.pop();
        }
        prop_assert_eq!(in_pages(text.as_bytes(), max), page_of(text.as_bytes(), 0, text.len()));
        checked(text.into_bytes(), max)?;
    }

    #[test]
    fn bytes_are_put_together_again(bytes in prop::collection::vec(any::<u8>(), 0..3_000), max in 200_usize..2_000) {
        checked(bytes, max)?;
    }
}

#[test]
fn a_digest_takes_away_whole_lines_and_nothing_else() {
    for run in super::recording::recorded() {
        for (index, whole) in run.rendered().iter().enumerate() {
            let answer =
                run.answer(AnswerLimits { max_chars: 200_000, digest_from: 0, ..AnswerLimits::default() });
            let shown = if index == 0 { answer.stdout } else { answer.stderr };
            let mut rest = whole.lines();
            let own = shown
                .lines()
                .filter(|line| !line.starts_with("[left out: ") && !line.starts_with("[whole: "));
            for line in own {
                assert!(rest.any(|next| next == line), "{}: `{line}` stands in another place", run.name);
            }
        }
    }
}
