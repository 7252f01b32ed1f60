//! The spinner: that an agent is at work and has printed nothing yet. A pure renderer; drawing is done elsewhere.

use runward::core::render;
use std::time::Duration;

/// What is over sooner than this needs no spinner.
pub(crate) const PATIENCE: Duration = Duration::from_millis(150);

/// How often it turns.
pub(crate) const EVERY: Duration = Duration::from_millis(100);

const TURNS: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// The line for a terminal of this width; none where it would not fit.
pub(crate) fn line(command: &str, elapsed: Duration, width: u16) -> Option<String> {
    let turn = elapsed.as_millis() / EVERY.as_millis() % TURNS.len() as u128;
    let turn = usize::try_from(turn).ok().and_then(|turn| TURNS.get(turn))?;
    let time = match elapsed.as_secs() {
        // In the first second, too, it counts in seconds.
        0 => "0s".to_owned(),
        seconds => render::duration(Duration::from_secs(seconds)),
    };
    let text = format!("{turn} {command} {time}");
    // The last column is left free: some terminals wrap there.
    (text.chars().count() < usize::from(width)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_turns_and_tells_the_time() {
        assert_eq!(line("claude", Duration::from_millis(199), 80).as_deref(), Some("⠙ claude 0s"));
        assert_eq!(line("claude", Duration::from_millis(61_000), 80).as_deref(), Some("⠋ claude 1m01s"));
    }

    #[test]
    fn a_narrow_terminal_gets_no_line() {
        assert_eq!(line("claude", Duration::ZERO, 11), None);
        assert!(line("claude", Duration::ZERO, 12).is_some());
    }
}
