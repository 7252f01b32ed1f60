//! The rules of layers: what each file may say, and its effect.

mod sandbox;

use super::*;
use runward_core::error::{Code, Coded};
use runward_core::facts::Containment;
use runward_core::policy::Decision;
use runward_core::resolve::Defaults;
use runward_core::spec::{EnvBase, Limits};
use std::time::Duration;

fn sources(user: &str, project: &str) -> Sources {
    let source = |file: &str, text: &str| Some(ConfigSource { file: file.to_owned(), text: text.to_owned() });
    Sources {
        user: source("user.toml", user),
        project: source(".runward.toml", project),
        home: Some("/home/ann".into()),
        ..Sources::default()
    }
}

fn settings(user: &str, project: &str) -> Settings {
    load(&sources(user, project)).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(user: &str, project: &str) -> Vec<String> {
    let error = load(&sources(user, project)).unwrap_err();
    assert_eq!(error.code(), Code::ConfigInvalid);
    error.problems().iter().map(ToString::to_string).collect()
}

fn shown(settings: &Settings, name: &str) -> String {
    let setting = settings.get(name).unwrap();
    format!("{} ({})", setting.value, setting.origin)
}

fn rules(policy: &runward_core::policy::Policy) -> Vec<&str> {
    policy.rules.iter().map(|rule| rule.name.as_str()).collect()
}

#[test]
fn without_files_the_built_in_values_hold() {
    let built_in = load(&Sources::default()).unwrap();
    assert_eq!(built_in.defaults().limits, Limits::default(), "the table and the core agree");
    assert_eq!(built_in.defaults().env.base, EnvBase::Inherit);
    assert_eq!(built_in.policy(), runward_core::policy::Policy::default());
    assert_eq!(built_in.containment(), None);
    assert_eq!(built_in.node(), None);
    assert_eq!(built_in.spool_total(), 1 << 30);
    assert!(built_in.iter().all(|setting| setting.origin == ValueOrigin::BuiltIn));
}

#[test]
fn the_owner_may_say_anything_in_range_and_every_value_knows_its_line() {
    let owner = settings(
        "[limits]\ntimeout_ms = 60_000\ncontainment = \"subreaper\"\n\n[policy]\ndeny = [\"rm\"]\n",
        "",
    );
    assert_eq!(shown(&owner, "limits.timeout_ms"), "60000 (user.toml:2)");
    assert_eq!(shown(&owner, "policy.deny"), "[\"rm\"] (user.toml:6)");
    assert_eq!(shown(&owner, "limits.drain_ms"), "100 (built-in)");
    assert_eq!(owner.containment(), Some(Containment::Subreaper));
}

#[test]
fn every_limit_reaches_the_engine() {
    let text = "[limits]\ntimeout_ms=1\nidle_timeout_ms=2\noutput_bytes=3\nmemory_bytes=4\ncpu_ms=5\nprocesses=6\nopen_files=7\nfile_size_bytes=8\nkeep_bytes=9\nspool_bytes=10\nkill_grace_ms=11\ndrain_ms=12";
    let millis = Duration::from_millis;
    let expected = Limits {
        wall: Some(millis(1)),
        idle: Some(millis(2)),
        output: Some(3),
        memory: Some(4),
        cpu: Some(millis(5)),
        processes: Some(6),
        open_files: Some(7),
        file_size: Some(8),
        keep: 9,
        spool: 10,
        kill_grace: millis(11),
        drain: millis(12),
    };
    assert_eq!(settings(text, "").defaults(), Defaults { limits: expected, ..settings("", "").defaults() });
}

#[test]
fn a_star_allows_everything_and_says_why() {
    let policy = settings("policy.allow = [\"ls\", \"*\"]", "").policy();
    assert_eq!(rules(&policy), ["policy.allow: ls"]);
    assert_eq!(
        policy.allow_everything.as_deref(),
        Some("the configuration says so (`policy.allow` in user.toml:1)")
    );
}

#[test]
fn a_project_may_lower_numbers_only() {
    assert_eq!(shown(&settings("", "limits.timeout_ms = 5"), "limits.timeout_ms"), "5 (.runward.toml:1)");
    assert_eq!(shown(&settings("", "limits.memory_bytes = 5"), "limits.memory_bytes"), "5 (.runward.toml:1)");
    assert_eq!(
        refused("", "limits.timeout_ms = 30_001"),
        [
            ".runward.toml:1: `limits.timeout_ms` = 30001 would loosen 30000 (built-in); a project file may only lower it"
        ]
    );
    assert_eq!(
        refused("limits.timeout_ms = 10", "limits.timeout_ms = 11"),
        [
            ".runward.toml:1: `limits.timeout_ms` = 11 would loosen 10 (user.toml:1); a project file may only lower it"
        ]
    );
}

#[test]
fn a_project_may_shrink_what_is_allowed_only() {
    let fewer = settings("policy.allow = [\"ls\", \"git\"]", "policy.allow = [\"ls\"]");
    assert_eq!(rules(&fewer.policy()), ["policy.allow: ls"]);
    let from_all = settings("policy.allow = [\"*\"]", "policy.allow = [\"ls\"]").policy();
    assert_eq!(rules(&from_all), ["policy.allow: ls"]);
    assert_eq!(from_all.allow_everything, None);
    for (owner, project) in
        [("", "ls"), ("policy.allow = [\"git\"]", "ls"), ("policy.allow = [\"git\"]", "*")]
    {
        let told = refused(owner, &format!("policy.allow = [\"{project}\"]"));
        assert!(
            told[0].contains("would loosen") && told[0].ends_with("may only take entries out"),
            "{told:?}"
        );
    }
    assert!(refused("", "env.allow = [\"SECRET\"]")[0].contains("would loosen"));
}

#[test]
fn a_project_adds_to_what_is_denied() {
    let more = settings("policy.deny = [\"rm\"]\nenv.drop = [\"A\"]", "policy.deny = [\"curl\", \"rm\"]");
    assert_eq!(rules(&more.policy()), ["policy.deny: rm", "policy.deny: curl"]);
    assert_eq!(shown(&more, "policy.deny"), "[\"rm\", \"curl\"] (user.toml:1, .runward.toml:1)");
    assert_eq!(shown(&settings("", "env.drop = [\"A\"]"), "env.drop"), "[\"A\"] (.runward.toml:1)");
}

#[test]
fn a_project_may_choose_stricter_words_only() {
    assert_eq!(settings("", "policy.typed = \"ask\"").policy().typed, Decision::Ask);
    assert_eq!(settings("", "env.base = \"clean\"").defaults().env.base, EnvBase::Clean);
    let told = refused("policy.typed = \"deny\"", "policy.typed = \"ask\"");
    assert!(told[0].ends_with("a project file may only choose a stricter one"), "{told:?}");
    assert!(refused("env.base = \"clean\"", "env.base = \"inherit\"")[0].contains("would loosen"));
}

#[test]
fn some_things_are_not_a_projects_business() {
    assert_eq!(
        refused("", "limits.containment = \"cgroup\"\nruntimes.node.path = \"/n\""),
        [
            ".runward.toml:1: `limits.containment` may not be set by a project file",
            ".runward.toml:2: `runtimes.node.path` may not be set by a project file",
        ]
    );
}

#[test]
fn all_problems_of_all_files_are_told_at_once() {
    let error = load(&sources("a = 1\nlimits.timeout_ms = 0", "b = 2\nlimits.drain_ms = 200")).unwrap_err();
    insta::assert_snapshot!(error, @r"
    4 problems in the configuration
      user.toml:1: unknown key `a`
      user.toml:2: `limits.timeout_ms` is 0, which is not between 1 and 600000
      .runward.toml:1: unknown key `b`
      .runward.toml:2: `limits.drain_ms` = 200 would loosen 100 (built-in); a project file may only lower it
    ");
}

#[test]
fn a_broken_file_never_means_allow() {
    assert!(load(&sources("policy.allow = [\"*\"]\npolicy.deny = \"rm\"", "")).is_err());
}

fn with_variable(user: &str, name: &'static str, text: &str, project: &str) -> Result<Settings, ConfigError> {
    let variables = vec![ConfigVariable { name, text: text.to_owned() }];
    load(&Sources { variables, ..sources(user, project) })
}

#[test]
fn variables_of_the_environment_come_after_the_owners_file() {
    let owner = "policy.allowed_commands = [\"git\"]";
    let both = with_variable(owner, "ALLOWED_COMMANDS", " ls, git status,, ", "").unwrap();
    assert_eq!(shown(&both, "policy.allowed_commands"), "[\"ls\", \"git status\"] (ALLOWED_COMMANDS)");
    let roots = with_variable(owner, "ALLOWED_CWD_ROOTS", "/a,/b", "").unwrap();
    assert_eq!(shown(&roots, "policy.allowed_cwd_roots"), "[\"/a\", \"/b\"] (ALLOWED_CWD_ROOTS)");
    assert_eq!(shown(&roots, "policy.allowed_commands"), "[\"git\"] (user.toml:1)");
}

#[test]
fn an_empty_list_of_commands_is_a_list_and_none_is_none() {
    assert_eq!(settings("", "").policy().commands, None);
    assert!(settings("policy.allowed_commands = []", "").policy().commands.is_some());
    let empty = with_variable("", "ALLOWED_COMMANDS", " , ", "").unwrap();
    assert!(empty.policy().commands.is_some());
}

#[test]
fn a_project_may_shrink_a_list_of_commands_and_never_begin_one() {
    let project = "policy.allowed_commands = [\"ls\"]";
    assert!(refused("", project)[0].contains("would loosen (unset)"));
    assert!(with_variable("", "ALLOWED_COMMANDS", "git", project).is_err());
    let fewer = with_variable("", "ALLOWED_COMMANDS", "git,ls", project).unwrap();
    assert_eq!(shown(&fewer, "policy.allowed_commands"), "[\"ls\"] (.runward.toml:1)");
    assert!(
        refused("", "policy.allowed_cwd_roots = [\"/\"]")[0].contains("may not be set by a project file")
    );
}

#[test]
fn the_owner_may_add_languages_and_change_the_interpreter_of_known_ones() {
    let owner = settings(
        "[languages.ruby]\ncommand = \"ruby\"\nargs = [\"-e\"]\naliases = [\"rb\"]\n[languages.python]\ncommand = \"/opt/python\"",
        "",
    );
    let languages = owner.languages();
    let shown = |name: &str| {
        languages.get(name).map(|one| format!("{} {:?} {:?}", one.command, one.args, one.reader))
    };
    assert_eq!(shown("rb").unwrap(), "ruby [\"-e\"] Other");
    assert_eq!(shown("py").unwrap(), "/opt/python [\"-c\"] Python");
    assert_eq!(shown("sh").unwrap(), "bash [\"-c\"] Bash");
    let origin = |at: usize| owner.configured_languages()[at].origin.to_string();
    assert_eq!((origin(0), origin(1)), ("user.toml:5".to_owned(), "user.toml:1".to_owned()));
}

#[test]
fn what_is_wrong_with_a_language_is_told() {
    let text = "languages.a = 1\n[languages.b]\nargs = \"-e\"\n[languages.c]\ncommand = \"c\"\nargs = []\ncomand = 1\n[languages.d]\ncommand = \"\"\naliases = [1]\nargs = []";
    assert_eq!(
        refused(text, ""),
        [
            "user.toml:1: `languages.a` must be a table",
            "user.toml:2: `languages.b` has no `command`",
            "user.toml:3: `languages.b.args` must be a list of words in quotes",
            "user.toml:7: unknown key `languages.c.comand`; a language has `command`, `args` and `aliases`",
            "user.toml:8: `languages.d` has no `command`",
            "user.toml:9: `languages.d.command` must be a program's name",
            "user.toml:10: `languages.d.aliases` must be a list of words in quotes",
        ]
    );
    assert!(refused("[langages.a]\ncommand = \"a\"", "")[0].ends_with("did you mean `languages`?"));
    assert_eq!(
        refused("", "[languages.bash]\ncommand = \"evil\""),
        [".runward.toml:1: `languages.bash` may not be set by a project file"]
    );
}

const RULE: &str = r#"
[[policy.rules]]
name = "look at history"
decision = "allow"
program = "git"
words = [["log", "show"]]
not_flags = ["--output"]
because = "reading history harms nothing"
match = ["git log -1", "git show"]
not_match = ["git push", "git log --output=f", "git log --out f"]
"#;

#[test]
fn a_rule_is_read_with_all_it_says() {
    let policy = settings(RULE, "").policy();
    assert_eq!(rules(&policy), ["look at history"]);
    assert_eq!(policy.rules[0].words, [["log".to_owned(), "show".to_owned()]]);
}

#[test]
fn an_example_that_does_not_hold_refuses_the_file() {
    let told = refused(&RULE.replace("\"git push\"", "\"git log\""), "");
    assert_eq!(
        told,
        ["user.toml:2: rule `look at history`: `git log` stands in `not_match` and the rule matches it"]
    );
}

#[test]
fn everything_wrong_with_a_rule_is_told() {
    let told = refused(
        "[[policy.rules]]\ndecision = \"maybe\"\nwords = \"x\"\nflgs = []\nflags = [\"n\"]\ncwd = [\"here\"]\ndoor = [\"window\"]",
        "",
    );
    let told = told.join("\n");
    for part in [
        "has no `program`",
        "`allow`, `ask` or `deny`",
        "lists of alternatives",
        "flgs",
        "a list of options",
        "absolute paths",
        "`gateway`",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
    let unexplained = refused("[[policy.rules]]\ndecision = \"deny\"\nprogram = \"rm\"", "");
    assert!(unexplained[0].contains("denies and has no `because`"), "{unexplained:?}");
}

#[test]
fn a_project_brings_rules_that_tighten_only() {
    let deny = "[[policy.rules]]\ndecision = \"deny\"\nprogram = \"rm\"\nbecause = \"no\"";
    assert_eq!(settings(RULE, deny).policy().rules.len(), 2);
    let told = refused("", RULE);
    assert!(told[0].contains("a project file may only bring rules that ask or deny"), "{told:?}");
}

#[test]
fn commands_of_markdown_agents_are_merged_key_by_key() {
    let both = settings(
        "engine = \"codex\"\n[commands.claude]\nmodel = \"opus\"\nverbose = true\nn = -5\nt = 1.50\nbig = 1_000\nadd-dir = [\"./a\", 2, true]\n",
        "engine = \"claude\"\n[commands.claude]\nmodel = \"haiku\"\n[commands.gemini]\nyolo = false\n",
    );
    let all: Vec<String> = both
        .configured_commands()
        .iter()
        .map(|one| format!("{}.{} = {} ({})", one.command, one.key, one.value, one.origin))
        .collect();
    assert_eq!(
        all,
        [
            "claude.model = \"haiku\" (.runward.toml:3)",
            "claude.verbose = true (user.toml:4)",
            "claude.n = -5 (user.toml:5)",
            "claude.t = 1.50 (user.toml:6)",
            "claude.big = 1000 (user.toml:7)",
            "claude.add-dir = [\"./a\", \"2\", \"true\"] (user.toml:8)",
            "gemini.yolo = false (.runward.toml:5)",
        ]
    );
    assert_eq!(
        both.engine().map(|(name, origin)| format!("{name} {origin}")).as_deref(),
        Some("claude .runward.toml:1")
    );
    assert_eq!(settings("", "").engine(), None);
}

#[test]
fn the_file_of_the_folder_comes_after_the_projects_and_only_tightens() {
    let here = |text: &str| {
        let here = Some(ConfigSource { file: "app/.runward.toml".to_owned(), text: text.to_owned() });
        let project = "limits.timeout_ms = 500\n[commands.claude]\nmodel = \"opus\"\nverbose = true\n";
        load(&Sources { here, ..sources("engine = \"codex\"", project) })
    };
    let all =
        here("engine = \"gemini\"\nlimits.timeout_ms = 400\n[commands.claude]\nmodel = \"haiku\"").unwrap();
    assert_eq!(shown(&all, "engine"), "\"gemini\" (app/.runward.toml:1)");
    assert_eq!(shown(&all, "limits.timeout_ms"), "400 (app/.runward.toml:2)");
    let values: Vec<String> =
        all.configured_commands().iter().map(|one| format!("{} {}", one.key, one.origin)).collect();
    assert_eq!(values, ["model app/.runward.toml:4", "verbose .runward.toml:4"]);
    let told = here("limits.timeout_ms = 600").unwrap_err().to_string();
    assert!(
        told.starts_with("app/.runward.toml:1: `limits.timeout_ms` = 600 would loosen 500 (.runward.toml:1)"),
        "{told}"
    );
    assert!(here("[languages.bash]\ncommand = \"evil\"").is_err());
}

#[test]
fn a_command_may_be_given_variables_of_the_environment() {
    let env = |text: &str| {
        let all = settings(text, "");
        let one = &all.configured_commands()[0];
        format!("{} = {} ({})", one.key, one.value, one.origin)
    };
    assert_eq!(
        env("[commands.claude]\nenv = {Z = 1, A = true, T = \"x\", F = -1.5}\n"),
        "env = {\"Z\" = \"1\", \"A\" = \"true\", \"T\" = \"x\", \"F\" = \"-1.5\"} (user.toml:2)",
        "in the order of their lines"
    );
    assert_eq!(env("[commands.claude.env]\nB = 2\n"), "env = {\"B\" = \"2\"} (user.toml:1)");
    assert_eq!(env("[commands.a]\nenv = [\"A=1\"]\n"), "env = [\"A=1\"] (user.toml:2)");
    assert_eq!(env("[commands.a._env]\nX = 1\n"), "_env = {\"X\" = \"1\"} (user.toml:1)");
    let table = ConfigValue::Table(vec![("A".to_owned(), "1".to_owned())]);
    assert_eq!(serde_json::to_string(&table).unwrap(), r#"{"A":"1"}"#);
}

#[test]
fn variables_that_cannot_be_any_are_refused_with_their_place() {
    let text = "[commands.a.env]\nX = {y = 1}\nY = [1]\n\"P=Q\" = 1\n\"\" = 1\nN = \"\\u0000\"\nD = 2020-01-01\n[commands.b]\nenv = 2020-01-01\n";
    let must = "must be true, false, a number or a text without a NUL";
    assert_eq!(
        refused(text, ""),
        [
            format!("user.toml:2: `commands.a.env.X` {must}"),
            format!("user.toml:3: `commands.a.env.Y` {must}"),
            "user.toml:4: `commands.a.env.P=Q` cannot be the name of a variable".to_owned(),
            "user.toml:5: `commands.a.env.` cannot be the name of a variable".to_owned(),
            format!("user.toml:6: `commands.a.env.N` {must}"),
            format!("user.toml:7: `commands.a.env.D` {must}"),
            "user.toml:9: `commands.b.env` must be true, false, a number, a text or a list of them, or a table".to_owned(),
        ]
    );
}

#[test]
fn commands_that_make_no_sense_are_refused_with_their_place() {
    let text = "engine = \" \"\ncommands.a = 1\n[commands.b]\nx = {y = 1}\nz = [[1]]\nd = 2020-01-01\n";
    assert_eq!(
        refused(text, ""),
        [
            "user.toml:1: `engine` is empty",
            "user.toml:2: `commands.a` must be a table",
            "user.toml:4: `commands.b.x` must be true, false, a number, a text or a list of them",
            "user.toml:5: `commands.b.z` must be true, false, a number, a text or a list of them",
            "user.toml:6: `commands.b.d` must be true, false, a number, a text or a list of them",
        ]
    );
    assert!(refused("comands.a = 1", "")[0].ends_with("did you mean `commands`?"));
}

#[test]
fn numbers_of_commands_are_numbers_in_json_too() {
    let json = |value: ConfigValue| serde_json::to_string(&value).unwrap();
    assert_eq!(json(ConfigValue::Decimal("-1.5".to_owned())), "-1.5");
    assert_eq!(json(ConfigValue::Decimal("inf".to_owned())), "\"inf\"");
    assert_eq!(json(ConfigValue::Bool(true)), "true");
}
