//! What is started is always a command with a name, or a text.

use super::super::{StartedCommand, through};
use super::words;

#[test]
fn words_that_are_started_begin_with_a_known_name() {
    for wrapper in
        ["env", "nice", "nohup", "sudo", "xargs", "busybox", "timeout 5", "find . -exec", "exec", "watch -x"]
    {
        for name in ["~1", "~n", "~e", "''", "x~1", "-x", "--"] {
            let given = words(&format!("{wrapper} {name} ;"));
            for started in through(&given).unwrap_or_default() {
                let StartedCommand::Words(words) = started else { continue };
                assert!(words[0].exact().is_some_and(|name| !name.is_empty()), "{wrapper} {name}");
            }
        }
    }
}
