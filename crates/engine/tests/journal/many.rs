//! Several processes, or engines that know nothing of each other, share one journal.

use crate::place::Place;
use runward_engine::journal::Filter;
use runward_engine::{CommandSpec, Outcome};

#[test]
fn several_writers_make_one_chain() {
    let place = Place::new();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let engine = place.engine();
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                for number in 0..25 {
                    let spec = CommandSpec::exec("echo").args([writer.to_string(), number.to_string()]);
                    assert!(matches!(runtime.block_on(engine.run(spec)), Ok(Outcome::Ran(_))));
                }
                engine.journal().unwrap().close();
            });
        }
    });
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.missed, verified.interrupted), (200, 0, 0));
    assert_eq!(place.all().len(), 100);
    assert!(place.told.lock().unwrap().is_empty());
}

/// Lines of 60 000 commands, as a list shows them.
fn sixty_thousand(place: &Place) {
    let text = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        INSERT INTO commands SELECT i * 2 + 100, i, 'run-' || i, 'cli', 'echo', 'echo number ' || i || '.', 1, 0, 1, 1, i * 2 + 101, 'x' FROM n;
        INSERT INTO records SELECT seq, at, 'begin', run, '', x'', 2 FROM commands WHERE seq > 100";
    place.database().execute_batch(text).unwrap();
}

#[test]
fn a_pattern_is_found_in_both_halves_of_a_large_journal_and_the_newest_are_taken() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    sixty_thousand(&place);
    let reader = place.reader();
    let found = |grep: &str, limit| {
        let grep = Some(regex::Regex::new(grep).unwrap());
        let all = reader.list(&Filter { grep, limit, ..Filter::default() }).unwrap();
        all.into_iter().map(|found| found.summary.at).collect::<Vec<_>>()
    };
    assert_eq!(found("number (7|30000|59999)\\.", None), [7, 30000, 59999]);
    assert_eq!(found("number (7|30000|59999)\\.", Some(2)), [30000, 59999]);
    assert_eq!(found("number 4999[0-9]\\.", Some(3)), [49997, 49998, 49999]);
    assert_eq!(found("number 1[0-9]\\.", Some(2)), [18, 19]);
    assert_eq!(found("nothing is like this", None), [0; 0]);
    let since = Filter { since: Some(59_990), until: Some(59_992), ..Filter::default() };
    let grep = Some(regex::Regex::new("9").unwrap());
    let all = reader.list(&Filter { grep, ..since }).unwrap();
    assert_eq!(all.iter().map(|found| found.summary.at).collect::<Vec<_>>(), [59_990, 59_991]);
    let stats = reader.stats(&Filter {
        grep: regex::Regex::new("number 5").ok(),
        limit: Some(1),
        ..Filter::default()
    });
    assert_eq!(stats.unwrap().all.runs, 11_111);
}
