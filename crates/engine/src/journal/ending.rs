//! Whether a journal ends where it was left: the head's file and the database's own count against the last
//! record there is. Pure; the writer and the verifier judge alike.

use super::head::{HeadPair, HeadSays, JournalHead};

/// What the end of a journal looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum EndFound {
    /// As it was left.
    Sound,
    /// The head names a record, and the database is a new one.
    TakenAway(JournalHead),
    /// Not as it was left.
    Damaged {
        /// The first record that it is about.
        seq: u64,
        /// In which way.
        what: String,
    },
}

/// Judges the end: what the head says, the last record there is, and how far the database counted.
pub(super) fn judge_end(says: HeadSays, last: JournalHead, counted: Option<u64>) -> EndFound {
    let damaged = |seq: u64, what: String| EndFound::Damaged { seq: seq.max(1), what };
    match counted {
        None => return damaged(last.seq, "the database does not say how far it counted".to_owned()),
        Some(counted) if counted > last.seq => {
            let what =
                format!("it and everything up to record {counted}, which the database counted, is missing");
            return damaged(last.seq + 1, what);
        }
        Some(counted) if counted < last.seq => {
            return damaged(counted + 1, "the database did not count it".to_owned());
        }
        Some(_) => {}
    }
    let is_new = last == JournalHead::ORIGIN;
    match says {
        HeadSays::Nothing if is_new => EndFound::Sound,
        HeadSays::Nothing => {
            damaged(last.seq, "it is the last, and the head, which should name it, is missing".to_owned())
        }
        HeadSays::NamesOne(head) if is_new => EndFound::TakenAway(head),
        HeadSays::Garbage | HeadSays::NamesOne(_) => {
            damaged(last.seq, "the head, which should name it, is damaged".to_owned())
        }
        HeadSays::Names(pair) if pair.next == last || pair.was == last => EndFound::Sound,
        HeadSays::Names(pair) if is_new => EndFound::TakenAway(pair.next),
        HeadSays::Names(pair) => other_end(pair, last),
    }
}

fn other_end(HeadPair { was, next }: HeadPair, last: JournalHead) -> EndFound {
    let (seq, what) = if was.seq > last.seq {
        let what = format!("it and everything up to record {}, which the head names, is missing", next.seq);
        (last.seq + 1, what)
    } else if next.seq < last.seq {
        (next.seq + 1, format!("the head is older than it: it names record {}", next.seq))
    } else {
        (last.seq, "it is not the one that the head names".to_owned())
    };
    EndFound::Damaged { seq, what }
}

#[cfg(test)]
mod tests {
    use super::super::chain::ChainLink;
    use super::*;

    fn head(seq: u64) -> JournalHead {
        JournalHead { seq, link: ChainLink::ORIGIN.next(seq, "x") }
    }

    #[test]
    fn only_what_being_killed_explains_is_sound() {
        let pair = |was, next| HeadSays::Names(HeadPair { was: head(was), next: head(next) });
        let judged = |says, last: u64| judge_end(says, head(last), Some(last));
        assert!(matches!(judged(HeadSays::NamesOne(head(5)), 5), EndFound::Damaged { .. }), "half a head");
        for says in [pair(5, 5), pair(3, 5), pair(5, 8)] {
            assert_eq!(judged(says, 5), EndFound::Sound, "{says:?}");
        }
        for says in
            [pair(4, 4), pair(6, 6), pair(3, 4), pair(6, 9), pair(4, 6), HeadSays::Nothing, HeadSays::Garbage]
        {
            assert!(matches!(judged(says, 5), EndFound::Damaged { .. }), "{says:?}");
        }
        for counted in [None, Some(0), Some(4), Some(6)] {
            let found = judge_end(pair(5, 5), head(5), counted);
            assert!(matches!(found, EndFound::Damaged { .. }), "{counted:?}");
        }
        assert_eq!(judge_end(HeadSays::Nothing, JournalHead::ORIGIN, Some(0)), EndFound::Sound);
        assert_eq!(judge_end(pair(4, 5), JournalHead::ORIGIN, Some(0)), EndFound::TakenAway(head(5)));
        assert!(matches!(
            judge_end(HeadSays::Garbage, JournalHead::ORIGIN, Some(0)),
            EndFound::Damaged { .. }
        ));
    }
}
