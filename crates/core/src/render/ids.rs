//! Ids that people read and type: the end of one, as long as it has to be.
//!
//! Ids of older records begin with their time, which neighbours share; the end of every id is random. May not look anything
//! up.

/// Characters of an id that are shown, at least.
pub const SHORT_ID: usize = 8;

/// How many characters of each of these ids have to be shown, so that no two look alike.
pub fn letters_of_ids<S: AsRef<str>>(ids: impl IntoIterator<Item = S>) -> usize {
    let mut turned: Vec<String> = ids.into_iter().map(|id| id.as_ref().chars().rev().collect()).collect();
    turned.sort_unstable();
    turned.dedup();
    let alike = |pair: &[String]| pair[0].chars().zip(pair[1].chars()).take_while(|(a, b)| a == b).count();
    turned.windows(2).map(alike).max().map_or(SHORT_ID, |most| (most + 1).max(SHORT_ID))
}

/// So many characters of an id, from its end; all of it where it is shorter.
pub fn short_id(id: &str, letters: usize) -> &str {
    let from = id.char_indices().rev().nth(letters.saturating_sub(1)).map_or(0, |(at, _)| at);
    // A hyphen in front says nothing.
    id[from..].trim_start_matches('-')
}

/// Whether a person who writes this may mean that id: all of it, its beginning or its end.
pub fn may_mean_id(id: &str, written: &str) -> bool {
    !written.is_empty() && (id.starts_with(written) || id.ends_with(written))
}

/// Ids for a sentence, a few of them.
pub fn some_ids<S: AsRef<str>>(ids: &[S]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = ids.iter().take(SHOWN).map(AsRef::as_ref).collect();
    let more = if ids.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbours_in_time_look_different() {
        let ids: Vec<String> = (0..2000).map(|_| uuid::Uuid::now_v7().to_string()).collect();
        let letters = letters_of_ids(&ids);
        let mut shown: Vec<&str> = ids.iter().map(|id| short_id(id, letters)).collect();
        shown.sort_unstable();
        shown.dedup();
        assert_eq!(shown.len(), ids.len());
        assert!(letters < 20, "{letters}");
    }

    #[test]
    fn as_many_letters_are_shown_as_it_takes() {
        let (a, b) = ("019c8f2e-1a2b-7000-8000-0000aaaa5f0c", "019c8f2e-1a2b-7000-8000-0000baaa5f0c");
        assert_eq!(letters_of_ids([a]), 8);
        assert_eq!(letters_of_ids([a, a]), 8, "one id twice is one");
        assert_eq!(letters_of_ids([a, b]), 8);
        assert_eq!(short_id(a, 8), "aaaa5f0c");
        let c = "119c8f2e-1a2b-7000-8000-0000aaaa5f0c";
        assert_eq!(letters_of_ids([a, c]), 36);
        assert_eq!((short_id(a, 36), short_id("short", 8), short_id("", 8)), (a, "short", ""));
        assert_eq!(short_id(a, 13), "0000aaaa5f0c", "no hyphen in front");
        assert_eq!(letters_of_ids(Vec::<String>::new()), 8);
    }

    #[test]
    fn what_is_written_means_the_beginning_or_the_end() {
        let id = "019c8f2e-1a2b-7000-8000-0000aaaa5f0c";
        for written in ["019c8f2e", "019c8f2e-1a2b", "aaaa5f0c", "0c", id] {
            assert!(may_mean_id(id, written), "{written}");
        }
        for written in ["", "1a2b", "aaaa", "-", "AAAA5F0C"] {
            assert!(!may_mean_id(id, written), "{written}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_means_one_of_those_that_are_listed(ids in prop::collection::hash_set("[ab]{4}-[ab]{4}", 1..12)) {
            let letters = letters_of_ids(&ids);
            for id in &ids {
                let shown = short_id(id, letters);
                prop_assert_eq!(ids.iter().filter(|other| other.ends_with(shown)).count(), 1);
            }
        }
    }
}
