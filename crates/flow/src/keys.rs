//! Keys that begin with an underscore, and options like them: which are settings, which mean something elsewhere only, and
//! what is told of those that nothing takes. May not change any.
//!
//! A key that does nothing here is a remark, because a file that runs elsewhere should run here. An option that does nothing
//! is an error, because somebody has just typed it.

use crate::FlowError;
use crate::cascade::Cascade;
use crate::front::Value;
use crate::words::{plain, switch_like};
use runward_engine::Code;
use runward_engine::core::resolve::nearest;

/// Replaces the program's own prompt.
pub(crate) const SYSTEM_PROMPT: &str = "_system-prompt";
/// Adds to it.
pub(crate) const APPEND_SYSTEM_PROMPT: &str = "_append-system-prompt";
/// Keeps the program from what lies around.
pub(crate) const ISOLATED: &str = "_isolated";

/// Keys that begin with an underscore and are settings, not variables.
const SETTINGS: &[&str] = &[
    "_inputs",
    "_steps",
    "_subcommand",
    "_interactive",
    "_i",
    "_cwd",
    "_stdin",
    "_timeout",
    SYSTEM_PROMPT,
    APPEND_SYSTEM_PROMPT,
    ISOLATED,
];

/// Keys of ours that begin with something else.
const OTHERS: &str = "args env _env engine description expose pre before post after context_window";

/// Keys that mean something elsewhere, and what holds here instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("_output", "what the program prints is passed on as it is; nothing is checked, saved or applied"),
    ("_budget", "nothing is counted by it; `_timeout` and `context_window` are the limits of a file"),
    ("_context_budget_tokens", "nothing is shortened; `context_window` limits the prompt"),
    ("_max_prompt_tokens", "`context_window` limits the prompt"),
    ("_max_runtime_ms", "`_timeout` limits how long it may take"),
    ("_context_window", "`context_window` limits the prompt"),
    ("_hooks", "no file of hooks is run; `pre` and `post` are the hooks of a file"),
    ("_command", "`engine` names the command"),
    ("_c", "`engine` names the command"),
    ("_tool", "`engine` names the command"),
    ("_workflow", "`_steps` are the steps of a file"),
    ("_dry-run", "`--dry-run` is an option"),
    ("_trust", "`--trust` is an option"),
    ("_resume", "`--resume` is an option"),
    ("_edit", "nobody is shown the prompt first; `--dry-run` shows it"),
    ("_no-cache", "an import is fetched each time"),
    ("_no-menu", "no menu is shown after a run"),
    ("_stdin", "it is what comes on standard input, not what the file says"),
    ("evolve", "a run never changes its file"),
];

/// What others write into files of their own accord. It asks for nothing.
const STAMPS: &[&str] = &["_mdflow_version", "_flow_id", "_compat"];

/// The setting of that name, as it is spelled; dash and underscore are equal.
pub(crate) fn setting(name: &str) -> Option<&'static str> {
    SETTINGS.iter().find(|known| plain(known) == plain(name)).copied()
}

/// Whether this key is taken out before flags are built although it has no underscore.
pub(crate) fn is_foreign(key: &str) -> bool {
    key == "evolve"
}

/// Who takes keys and options of a file.
#[derive(Debug)]
pub(crate) struct Takers {
    /// Names that templates read, inputs, and words by their place, in the order in which they are offered.
    pub(crate) names: Vec<String>,
    /// Whether there may be more of them: a step's imports are read when it runs.
    pub(crate) open: bool,
}

impl Takers {
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| plain(known) == plain(name))
    }

    /// The name that was perhaps meant.
    fn near(&self, name: &str) -> Option<String> {
        let known =
            SETTINGS.iter().copied().chain(OTHERS.split(' ')).chain(self.names.iter().map(String::as_str));
        // Every name of one letter is near every other.
        nearest(name, known.filter(|known| known.len() > 2)).into_iter().next()
    }

    /// What is to be told of the keys in force, in their order.
    pub(crate) fn remarks(&self, cascade: &Cascade) -> Vec<String> {
        let remark = |(value, one): (&Value, &crate::cascade::KeyInForce)| {
            let what = self.remark(&one.key, value)?;
            Some(format!("{}: `{}` {what}", one.origin, one.key))
        };
        cascade.in_force().filter_map(remark).collect()
    }

    fn remark(&self, key: &str, value: &Value) -> Option<String> {
        if self.has(key) {
            return None;
        }
        if let Some((_, instead)) = ELSEWHERE.iter().find(|(known, _)| plain(known) == plain(key)) {
            return asks(value).then(|| format!("means nothing here: {instead}"));
        }
        let is_environment = key == "_env" && value.as_map().is_some();
        if !key.starts_with('_') || is_environment || STAMPS.contains(&key) || setting(key).is_some() {
            return None;
        }
        match self.near(key) {
            Some(near) => Some(format!("is no setting, and no template reads it; did you mean `{near}`?")),
            None if self.open => None,
            None => Some("is no setting, and no template reads it".to_owned()),
        }
    }

    /// What is wrong with an option that begins with an underscore, if nothing takes it.
    pub(crate) fn refuse(&self, option: &str) -> Option<FlowError> {
        let own = || switch_like(option).map(str::to_owned);
        let near = || self.near(option).filter(|near| near.starts_with('_')).map(|near| format!("--{near}"));
        let meant = own().or_else(near);
        if self.has(option) || (self.open && meant.is_none()) {
            return None;
        }
        let hint = match meant {
            Some(meant) => format!("Did you mean `{meant}`?"),
            None => self.offer(),
        };
        let message = format!("nothing in the file takes `--{option}`");
        Some(FlowError::new(Code::FlowBadArgument, message).hint(hint))
    }

    fn offer(&self) -> String {
        let options: Vec<String> = self.names.iter().map(|name| format!("`--{name}`")).collect();
        if options.is_empty() {
            return "Leave it out; the file takes no such option.".to_owned();
        }
        format!("Name one that the file takes: {}.", options.join(", "))
    }
}

/// Whether a value asks for something.
fn asks(value: &Value) -> bool {
    !(value.is_empty() || value.as_bool() == Some(false) || value.as_text() == Some("off"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cascade::Origin;
    use crate::front;

    fn remarks(yaml: &str, names: &[&str]) -> Vec<String> {
        let front = front::read("a.md", &format!("---\n{yaml}\n---\n")).unwrap().front;
        let mut cascade = Cascade::default();
        cascade.lay_front_matter("a.md", &front);
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Takers { names, open: false }.remarks(&cascade)
    }

    #[test]
    fn every_key_that_means_something_elsewhere_is_told_with_what_holds_here() {
        for (key, instead) in ELSEWHERE {
            for value in ["x", "true", "5", "[a]", "{a: b}"] {
                let told = remarks(&format!("{key}: {value}"), &[]);
                assert_eq!(told, [format!("a.md:2: `{key}` means nothing here: {instead}")]);
            }
            for value in ["", "false", "null", "off"] {
                assert!(
                    remarks(&format!("{key}: {value}"), &[]).is_empty(),
                    "{key}: {value} asks for nothing"
                );
            }
            assert!(remarks(&format!("{key}: x"), &[&plain(key)]).is_empty(), "a template reads it");
        }
    }

    #[test]
    fn every_other_key_is_told_with_the_nearest_name() {
        for (key, told) in [
            ("_timout", "is no setting, and no template reads it; did you mean `_timeout`?"),
            ("_Isolated", "is no setting, and no template reads it; did you mean `_isolated`?"),
            ("_system_promt", "is no setting, and no template reads it; did you mean `_system-prompt`?"),
            ("_engine", "is no setting, and no template reads it; did you mean `engine`?"),
            ("_naem", "is no setting, and no template reads it; did you mean `_name`?"),
            ("_xyzzy", "is no setting, and no template reads it"),
            ("_", "is no setting, and no template reads it"),
        ] {
            assert_eq!(remarks(&format!("{key}: x"), &["_name"]), [format!("a.md:2: `{key}` {told}")]);
        }
    }

    #[test]
    fn nothing_is_told_of_what_does_something_or_asks_for_nothing() {
        let yaml = "_inputs: {}\n_steps: []\n_subcommand: x\n_interactive: true\n_i: true\n_cwd: /\n_timeout: 5\n\
            _system-prompt: x\n_append_system_prompt: x\n_isolated: true\n_env: {A: 1}\n_my-name: x\nmodel: x\n\
            $any: x\n_compat: 4.8.0\n_mdflow_version: 4\n_flow_id: x\nengine: echo";
        assert!(remarks(yaml, &["_my_name"]).is_empty(), "{:?}", remarks(yaml, &["_my_name"]));
    }

    #[test]
    fn where_more_may_be_read_later_only_slips_are_told() {
        let mut cascade = Cascade::default();
        cascade.lay(
            &[("_timout", Value::text("5")), ("_who", Value::text("x")), ("_output", Value::text("x"))]
                .into_iter()
                .collect(),
            &Origin::CommandLine,
        );
        let takers = Takers { names: Vec::new(), open: true };
        assert_eq!(takers.remarks(&cascade).len(), 2);
        assert!(takers.refuse("_anything").is_none());
        assert!(takers.refuse("_dry-run").is_some() && takers.refuse("_timout").is_some());
    }
}
