//! Several processes, or engines that know nothing of each other, share one journal.

use crate::place::Place;
use runward::{CommandSpec, Outcome};

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
