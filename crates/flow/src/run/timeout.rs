//! How long an agent, its hooks and its steps may take. May not look at a clock.
//!
//! People wait for an agent as long as it takes: the limit that Runward has for a command of its own accord is not for it.

use crate::FlowError;
use crate::front::{Front, Value};
use runward_engine::Wish;
use runward_engine::config::{Settings, ValueOrigin};
use runward_engine::core::amount::{TIMES, scaled};
use std::time::Duration;

/// The key of the front matter.
pub(super) const KEY: &str = "_timeout";
/// The longest time that can be said: a day.
const LONGEST_MS: u64 = 24 * 3_600_000;

/// What the configuration says: its own value, if anybody said one, and otherwise no limit.
pub(super) fn configured(settings: &Settings) -> Wish<Duration> {
    match settings.get("limits.timeout_ms").map(|setting| &setting.origin) {
        None | Some(ValueOrigin::BuiltIn) => Wish::Off,
        Some(_) => Wish::Default,
    }
}

/// What the file says: seconds, or a number with its unit; `0` is no limit. Nothing said, and what is configured holds.
pub(super) fn limit(front: &Front, configured: Wish<Duration>) -> Result<Wish<Duration>, FlowError> {
    let said = match front.get(KEY) {
        None => return Ok(configured),
        Some(value) if value.is_empty() => return Ok(configured),
        Some(Value::Bool(false)) => return Ok(Wish::Off),
        Some(value) => value,
    };
    let (text, unit) = match said {
        Value::Number(number) => (number.clone(), "s"),
        // On the command line everything is a text.
        Value::Text(text) if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') => {
            (text.clone(), "s")
        }
        other => (other.to_string(), ""),
    };
    let millis = if said.is_scalar() {
        scaled(&format!("{text}{unit}"), TIMES)
    } else {
        Err(format!("it is {}", said.kind()))
    };
    match millis {
        Ok(0) => Ok(Wish::Off),
        Ok(millis) if millis <= LONGEST_MS => Ok(Wish::At(Duration::from_millis(millis))),
        Ok(_) => Err(wrong(front, &format!("`{KEY}` is `{said}`, which is longer than a day"))),
        Err(why) => Err(wrong(front, &format!("`{KEY}` is `{said}`, which is no time: {why}"))),
    }
}

fn wrong(front: &Front, what: &str) -> FlowError {
    let hint = "Write seconds, like `90`, or a number with its unit, like `5m`; `0` is no limit.";
    front.wrong(KEY, what).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward_engine::config::{ConfigSource, Sources, load};

    fn said(value: &str) -> Result<Wish<Duration>, FlowError> {
        let text = format!("---\n_timeout: {value}\n---\n");
        limit(&crate::front::read("a.md", &text).unwrap().front, Wish::Default)
    }

    #[test]
    fn a_file_says_seconds_or_a_number_with_its_unit() {
        for (value, millis) in [
            ("90", 90_000),
            ("1.5", 1500),
            ("5m", 300_000),
            ("250ms", 250),
            ("\"90\"", 90_000),
            ("24h", 86_400_000),
        ] {
            assert_eq!(said(value).unwrap(), Wish::At(Duration::from_millis(millis)), "{value}");
        }
        for none in ["0", "0s", "false"] {
            assert_eq!(said(none).unwrap(), Wish::Off, "{none}");
        }
        assert_eq!(said("").unwrap(), Wish::Default);
        assert_eq!(limit(&Front::default(), Wish::Off).unwrap(), Wish::Off);
    }

    #[test]
    fn what_is_no_time_is_told_at_its_place() {
        let error = said("soon").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`_timeout` is `soon`, which is no time: `soon` is not a number with a unit"
        );
        assert_eq!(error.mark().unwrap().place(), "a.md:2:1");
        assert_eq!(said("25h").unwrap_err().to_string(), "`_timeout` is `25h`, which is longer than a day");
        for value in ["-1", "1e3", "5 m", "true", "[1]", "{a: 1}", "5d"] {
            assert!(said(value).is_err(), "{value}");
        }
    }

    #[test]
    fn only_what_somebody_configured_counts() {
        let settings = |text: &str| {
            let user = Some(ConfigSource { file: "u.toml".to_owned(), text: text.to_owned() });
            load(&Sources { user, ..Sources::default() }).unwrap()
        };
        assert_eq!(configured(&settings("")), Wish::Off);
        assert_eq!(configured(&settings("limits.timeout_ms = 30_000")), Wish::Default);
    }
}
