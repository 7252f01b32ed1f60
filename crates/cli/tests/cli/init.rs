//! `runward init`: what it finds, shows, writes, tries and takes back.

use crate::agent::Agent;
use crate::runner::{Place, Said, program, said};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

const CURSOR: &str = ".cursor/mcp.json";
const CLAUDE: &str = ".claude.json";
const CODEX: &str = ".codex/config.toml";
const GOOSE: &str = "config/goose/config.yaml";

/// Files with a secret each, in words that every editor has to keep.
const FILES: &[(&str, &str)] = &[
    (
        CURSOR,
        "{\r\n\t// mine\r\n\t\"mcpServers\": {\r\n\t\t\"o\": {\"command\": \"x\", \"env\": {\"T\": \"hunter2\"}},\r\n\t}\r\n}\r\n",
    ),
    (
        CLAUDE,
        "{\"theme\":\"dark\",\"mcpServers\":{\"far\":{\"url\":\"https://x\",\"headers\":{\"A\":\"hunter2\"}}}}",
    ),
    (CODEX, "model = \"o3\"\n\n[mcp_servers.o]\ncommand = \"x\"\nenv = { T = \"hunter2\" }"),
    (GOOSE, "extensions:\n  o:\n    cmd: x\n    envs:\n      T: hunter2\nGOOSE_MODEL: m\n"),
];

fn home(files: &[(&str, &str)]) -> Place {
    let place = Place::new();
    for (name, text) in files {
        put(&place, name, text);
    }
    place
}

fn put(place: &Place, name: &str, text: &str) -> PathBuf {
    let path = place.home().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

fn text(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.home().join(name)).unwrap()
}

/// Runs it where no program of a client is found, so that only files count.
fn init(place: &Place, args: &[&str]) -> Said {
    let mut command = place.command(std::iter::once(&"init").chain(args));
    said(&command.env("PATH", "/usr/bin:/bin").output().unwrap())
}

/// Every file at home outside the state folder, with its bytes, its time and its number.
fn all(place: &Place) -> BTreeMap<PathBuf, (Vec<u8>, i64, u64)> {
    fn walk(folder: &Path, all: &mut BTreeMap<PathBuf, (Vec<u8>, i64, u64)>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.ends_with("state") {
                continue;
            }
            if path.is_dir() {
                all.insert(path.clone(), (Vec::new(), 0, 0));
                walk(&path, all);
            } else {
                let meta = std::fs::metadata(&path).unwrap();
                let bytes = std::fs::read(&path).unwrap();
                all.insert(path, (bytes, meta.mtime_nsec(), meta.ino()));
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(place.home(), &mut found);
    found
}

fn bytes(place: &Place) -> BTreeMap<PathBuf, Vec<u8>> {
    let is_copy = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "bak");
    all(place)
        .into_iter()
        .filter(|(path, _)| !is_copy(path))
        .map(|(path, (bytes, ..))| (path, bytes))
        .collect()
}

#[test]
fn what_is_written_is_only_the_entry_and_removing_it_leaves_every_byte_as_it_was() {
    let place = home(FILES);
    std::fs::create_dir_all(place.home().join(".kiro")).unwrap();
    place.file("Cargo.toml", "");
    let before = bytes(&place);
    let said = init(&place, &["--yes"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{}", said.stdout);
    assert!(said.stdout.contains("Tried: it answered in "), "{}", said.stdout);
    assert!(said.stdout.contains("`rm -rf /` may not."), "{}", said.stdout);
    assert!(
        text(&place, CLAUDE).contains("\"args\": [\"mcp\", \"--level\", \"build\"]"),
        "{}",
        text(&place, CLAUDE)
    );
    assert!(
        text(&place, CURSOR).contains("\t\t\"runward\": {\r\n\t\t\t\"command\": "),
        "{}",
        text(&place, CURSOR)
    );
    assert!(text(&place, CODEX).contains("\n\n[mcp_servers.runward]\ncommand = "), "{}", text(&place, CODEX));
    assert!(
        text(&place, GOOSE).starts_with("extensions:\n  runward:\n    name: runward\n"),
        "{}",
        text(&place, GOOSE)
    );
    let kiro: Value = serde_json::from_str(&text(&place, ".kiro/settings/mcp.json")).unwrap();
    assert_eq!(kiro["mcpServers"]["runward"]["args"], json!(["mcp", "--level", "build"]));
    assert_eq!(text(&place, ".cursor/mcp.json.runward-1.bak"), FILES[0].1);
    // The same again changes nothing at all.
    let once = all(&place);
    let said = init(&place, &["--yes"]);
    assert_eq!(said.code, 0);
    assert!(
        said.stdout.contains("there already") && said.stdout.ends_with("Nothing to write.\n"),
        "{}",
        said.stdout
    );
    assert_eq!(all(&place), once);
    let said = init(&place, &["--remove", "--yes"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{}", said.stdout);
    assert_eq!(bytes(&place), before, "every file as before, and what init made is gone");
    assert!(init(&place, &["--remove", "--yes"]).stdout.contains("No client has it."));
}

#[test]
fn lists_that_init_made_go_and_those_that_were_empty_before_stay() {
    for before in ["{}\n", "{\n  \"mcpServers\": {}\n}\n", "{\"mcpServers\": {}}", "", "\u{feff}{\r\n}\r\n"] {
        let place = home(&[(CURSOR, before)]);
        assert_eq!(init(&place, &["--yes"]).code, 0, "{before:?}");
        assert!(text(&place, CURSOR).contains("runward"), "{before:?}");
        assert_eq!(init(&place, &["--yes", "--remove"]).code, 0);
        assert_eq!(text(&place, CURSOR), before);
    }
    // Written anew by the client meanwhile: the entry still goes, and nothing else.
    let place = home(&[(CURSOR, "{}")]);
    assert_eq!(init(&place, &["--yes"]).code, 0);
    let mut value: Value = serde_json::from_str(&text(&place, CURSOR)).unwrap();
    value["mcpServers"]["new"] = json!({"command": "n"});
    put(&place, CURSOR, &value.to_string());
    assert_eq!(init(&place, &["--yes", "--remove"]).code, 0);
    assert_eq!(text(&place, CURSOR), r#"{"mcpServers":{"new":{"command":"n"}}}"#);
}

#[test]
fn a_broken_file_is_told_with_its_place_and_the_others_are_written() {
    let place = home(&[
        (CURSOR, "{\n  \"mcpServers\": {}\n  \"x\": \"hunter2\"\n}"),
        (CODEX, "a = 1\nb = = 2\n"),
        (GOOSE, "a: 1\nb: [1\n"),
        (CLAUDE, "{}"),
    ]);
    let before = bytes(&place);
    let said = init(&place, &["--yes"]);
    assert_eq!(said.code, 0, "{}", said.stdout);
    for told in [
        "cannot be used: line 3, column 3: expected `,` or `}`",
        "cannot be used: line 2, column 5: ",
        "cannot be used: line ",
    ] {
        assert!(said.stdout.contains(told), "{told}: {}", said.stdout);
    }
    assert!(!said.stdout.contains("hunter2"));
    let after = bytes(&place);
    let changed: Vec<_> = before.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
    assert_eq!(changed, [&place.home().join(CLAUDE)]);
    let said = init(&place, &["--yes", "cursor"]);
    assert_eq!(said.code, 125, "{}", said.stdout);
    assert!(
        said.stderr.contains("~/.cursor/mcp.json") && said.stderr.contains("[init.not-written]"),
        "{}",
        said.stderr
    );
}

#[test]
fn without_a_terminal_nothing_is_written_and_no_secret_is_shown_by_any_flag() {
    let place = home(FILES);
    let before = all(&place);
    for args in [
        &[][..],
        &["--dry-run"],
        &["--json"],
        &["--yaml"],
        &["--remove"],
        &["--print"],
        &["--print", "--json"],
        &["--all"],
        &["--all", "--dry-run", "--json"],
        &["cursor", "codex", "goose", "claude-code"],
        &["--project", "--dry-run"],
        &["--name", "o"],
        &["--name", "o", "--remove", "--json"],
        &["--name", "far", "--json"],
    ] {
        let said = init(&place, args);
        assert!(!(said.stdout.clone() + &said.stderr).contains("hunter2"), "{args:?}: {}", said.stdout);
        assert_eq!(all(&place), before, "{args:?}");
        assert!(!place.state().exists(), "{args:?}");
    }
    let said = init(&place, &[]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.contains("  + \"runward\": {"), "{}", said.stdout);
    assert!(said.stdout.contains("Nothing was written."), "{}", said.stdout);
    let said = init(&place, &["--yes", "--json"]);
    assert!(!said.stdout.contains("hunter2"));
    let view: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(view["clients"][0]["state"], "written", "{view}");
    assert!(view["tried"]["tools"].as_u64().unwrap() > 0, "{view}");
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_stays_whole() {
    let place = home(&[(CURSOR, "{}"), (CLAUDE, "{}")]);
    let file = place.home().join(CURSOR);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o444)).unwrap();
    let said = init(&place, &["--yes"]);
    assert_eq!(said.code, 125, "{}", said.stdout);
    assert!(
        said.stderr.contains("~/.cursor/mcp.json") && said.stderr.contains("read-only"),
        "{}",
        said.stderr
    );
    assert_eq!(text(&place, CURSOR), "{}");
    assert!(text(&place, CLAUDE).contains("runward"), "the others are written");
    let folder = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(folder, 1, "no copy and no half file stays");
}

#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    let place = home(&[("dotfiles/mcp.json", "{}\n")]);
    let target = place.home().join("dotfiles/mcp.json");
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::fs::create_dir(place.home().join(".cursor")).unwrap();
    symlink(&target, place.home().join(CURSOR)).unwrap();
    assert_eq!(init(&place, &["--yes"]).code, 0);
    assert!(place.home().join(CURSOR).is_symlink());
    assert!(text(&place, "dotfiles/mcp.json").contains("runward"));
    assert_eq!(std::fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    // One that leads nowhere is not filled.
    let place = home(&[(CLAUDE, "{}")]);
    std::fs::create_dir(place.home().join(".cursor")).unwrap();
    symlink("nowhere", place.home().join(CURSOR)).unwrap();
    assert!(init(&place, &["--yes"]).stdout.contains("it is a link that leads nowhere"));
}

#[test]
fn another_server_under_the_key_is_left_and_an_entry_gets_no_more_rules_unseen() {
    let place = home(&[(CURSOR, r#"{"mcpServers": {"runward": {"command": "other"}}}"#)]);
    let said = init(&place, &["--yes"]);
    assert!(said.stdout.contains("choose another key with `--name`"), "{}", said.stdout);
    assert_eq!(init(&place, &["--yes", "--name", "rw"]).code, 0);
    assert!(text(&place, CURSOR).contains(r#""rw": {"command""#), "{}", text(&place, CURSOR));
    assert_eq!(init(&place, &["--yes", "--remove"]).code, 0);
    assert_eq!(text(&place, CURSOR), r#"{"mcpServers": {"runward": {"command": "other"}}}"#);
    // Of its own entries, none is widened, and a narrower one is written.
    let place = home(&[(
        CURSOR,
        r#"{"mcpServers": {"mine": {"command": "runward", "args": ["mcp", "--level", "look"]}}}"#,
    )]);
    let before = text(&place, CURSOR);
    let said = init(&place, &["--yes", "--level", "build"]);
    assert!(said.stdout.contains("which `--yes` does not widen"), "{}", said.stdout);
    assert_eq!((said.code, text(&place, CURSOR)), (0, before));
    let said = init(&place, &["--level", "build"]);
    assert!(said.stdout.contains("  -   \"args\": [\"mcp\", \"--level\", \"look\"]"), "{}", said.stdout);
    assert!(said.stdout.contains("  +   \"args\": [\"mcp\", \"--level\", \"build\"]"), "{}", said.stdout);
    assert_eq!(init(&place, &["--yes", "--level", "look"]).code, 0);
    assert!(text(&place, CURSOR).contains(env!("CARGO_BIN_EXE_runward")), "{}", text(&place, CURSOR));
}

#[test]
fn the_folder_says_the_level_unless_somebody_else_does() {
    let args = |place: &Place, args: &[&str]| -> Value {
        let said = init(place, &[&["--print", "--json", "cursor"], args].concat());
        serde_json::from_str::<Value>(&said.stdout).unwrap()["entries"][0]["entry"].take()
    };
    let place = Place::new();
    assert_eq!(args(&place, &[])["args"], json!(["mcp", "--level", "look"]));
    place.file("go.mod", "");
    assert_eq!(args(&place, &[])["args"], json!(["mcp", "--level", "build"]));
    assert_eq!(args(&place, &["--level", "work"])["args"], json!(["mcp", "--level", "work"]));
    let presets = args(&place, &["--preset", "readonly", "--workspace", "."]);
    let work = place.work().display().to_string();
    assert_eq!(presets["args"], json!(["mcp", "--preset", "readonly", "--workspace", work]));
    let listed = args(&place, &["--allow", "git,ls"]);
    assert_eq!((&listed["args"], &listed["env"]), (&json!(["mcp"]), &json!({"ALLOWED_COMMANDS": "git,ls"})));
    for wrong in [
        &["--allow", " , "][..],
        &["--workspace", "nowhere"],
        &["--level", "all"],
        &["emacs"],
        &["--name", "a b"],
    ] {
        assert_eq!(init(&place, wrong).code, 125, "{wrong:?}");
    }
    assert!(
        init(&place, &["--print", "cursor"])
            .stdout
            .contains("cursor://anysphere.cursor-deeplink/mcp/install?")
    );
    assert_eq!(place.run(["setup", "--print", "cursor"]).code, 0);
    assert_eq!(place.run(["install", "--print", "cursor"]).code, 0);
}

#[test]
fn a_projects_files_name_the_program_and_not_a_path() {
    let place = home(&[("work/.cursor/mcp.json", "{}"), (CLAUDE, "{}")]);
    // The program that the file names is found through PATH.
    let bin = place.home().join("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_runward"), bin.join("runward")).unwrap();
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let run = |args: &[&str]| said(&place.command(args).env("PATH", &path).output().unwrap());
    let told = run(&["init", "--project", "--yes"]);
    assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
    let cursor: Value = serde_json::from_str(&text(&place, "work/.cursor/mcp.json")).unwrap();
    assert_eq!(cursor["mcpServers"]["runward"]["command"], "runward");
    assert!(text(&place, "work/.mcp.json").contains("\"type\": \"stdio\""));
    assert_eq!(text(&place, CLAUDE), "{}", "the user's own file is not touched");
    assert!(told.stdout.contains("Claude Code and Cursor will ask each person"), "{}", told.stdout);
    assert_eq!(run(&["init", "--project", "--yes", "--remove"]).code, 0);
    assert!(!place.work().join(".mcp.json").exists());
    assert_eq!(text(&place, "work/.cursor/mcp.json"), "{}");
}

#[test]
fn what_does_not_start_is_told_and_every_file_is_put_back() {
    let place = home(FILES);
    std::fs::create_dir_all(place.home().join(".kiro")).unwrap();
    let before = all(&place);
    let paths = |all: &BTreeMap<PathBuf, (Vec<u8>, i64, u64)>| -> Vec<(PathBuf, Vec<u8>)> {
        all.iter().map(|(path, (bytes, ..))| (path.clone(), bytes.clone())).collect()
    };
    // There is no `runward` in this PATH.
    let begun = std::time::Instant::now();
    let refused = init(&place, &["--project", "--yes", "claude-code", "cursor"]);
    assert!(begun.elapsed().as_secs() < 10);
    assert_eq!(refused.code, 125, "{}", refused.stdout);
    assert!(refused.stderr.contains("[init.not-started]"), "{}", refused.stderr);
    assert_eq!(paths(&all(&place)), paths(&before));
    // One that starts and says why it cannot go on.
    place.owner("[policy]\nallow = [\"ls\"]\n");
    let before = all(&place);
    let lied = put(&place, "bin/runward", "#!/bin/sh\necho 'no disk today' >&2\nexit 3\n");
    std::fs::set_permissions(&lied, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", lied.parent().unwrap().display());
    let mut command = place.command(["init", "--project", "--yes", "cursor"]);
    let told = said(&command.env("PATH", path).output().unwrap());
    assert_eq!(told.code, 125);
    assert!(told.stderr.contains("no disk today"), "{}", told.stderr);
    std::fs::remove_file(&lied).unwrap();
    std::fs::remove_dir(lied.parent().unwrap()).unwrap();
    assert_eq!(paths(&all(&place)), paths(&before));
}

#[test]
fn no_path_in_a_cache_is_ever_written() {
    let place = home(&[(CURSOR, "{}")]);
    let cached = place.home().join(".npm/_npx/1a2b/node_modules/.bin/runward");
    std::fs::create_dir_all(cached.parent().unwrap()).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_runward"), &cached).unwrap();
    let run = |args: &[&str]| {
        let mut command = program(&cached);
        command
            .args(args)
            .env_clear()
            .envs(place.env())
            .env("PATH", "/usr/bin:/bin")
            .current_dir(place.work());
        said(&command.stdin(std::process::Stdio::null()).output().unwrap())
    };
    let told = run(&["init"]);
    assert!(told.stdout.contains("lies in a cache"), "{}", told.stdout);
    let lasting = place.home().join(".local/bin/runward");
    assert!(!lasting.exists() && !told.stdout.contains("+   \"command\": \"/tmp/.npm"), "{}", told.stdout);
    let told = run(&["init", "--yes"]);
    assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
    let cursor: Value = serde_json::from_str(&text(&place, CURSOR)).unwrap();
    assert_eq!(cursor["mcpServers"]["runward"]["command"], lasting.display().to_string());
    assert_eq!(std::fs::read(&lasting).unwrap().len(), std::fs::read(&cached).unwrap().len());
    assert!(!text(&place, CURSOR).contains("_npx"));
}

#[test]
fn two_inits_at_once_wait_for_each_other() {
    let place = home(FILES);
    let start = |name: &str| {
        let mut command = place.command(["init", "--yes", "--name", name]);
        command.env("PATH", "/usr/bin:/bin").stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let all: Vec<_> = ["one", "two", "three"].map(start).into_iter().collect();
    for mut child in all {
        assert!(child.wait().unwrap().success());
    }
    for key in ["one", "two", "three"] {
        for (file, _) in FILES {
            assert!(text(&place, file).contains(key), "{file}: {key}");
        }
    }
}

#[test]
fn a_rehearsal_opens_nothing_for_writing() {
    let place = home(FILES);
    let trace = place.home().join("trace");
    let wrapper = [
        "strace",
        "-f",
        "-qq",
        "-e",
        "trace=open,openat,creat,rename,renameat2,unlink,unlinkat,mkdir,mkdirat",
        "-o",
        trace.to_str().unwrap(),
    ];
    let output = place.behind(&wrapper, ["init", "--dry-run", "--all"]).output();
    assert!(output.expect("strace is here: see `cargo xtask install`").status.success());
    let text = std::fs::read_to_string(&trace).unwrap();
    let writes = |line: &&str| {
        let opens = line.contains("O_WRONLY") || line.contains("O_RDWR") || line.contains("O_CREAT");
        let changes = ["creat(", "rename", "unlink", "mkdir"].iter().any(|call| line.contains(call));
        (opens || changes) && !line.contains("/dev/") && !line.contains("= -1 E")
    };
    let found: Vec<&str> = text.lines().filter(writes).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn the_doctor_tells_how_runward_stands_in_each_client() {
    let place = home(&[(CURSOR, "{"), (CLAUDE, "{}"), (CODEX, "")]);
    assert_eq!(init(&place, &["--yes", "codex", "--level", "look"]).code, 0);
    let mut command = place.command(["doctor"]);
    let told = said(&command.env("PATH", "/usr/bin:/bin").output().unwrap());
    let has = |words: &str| told.stdout.lines().any(|line| line.contains(words));
    assert!(has("Cursor: ") && has("cannot be read: line 1, column "), "{}", told.stdout);
    assert!(has("missing  clients             Claude Code: Runward is not in "), "{}", told.stdout);
    assert!(
        has("ok       clients             Codex: ") && has("(this program), rules readonly"),
        "{}",
        told.stdout
    );
}

/// A disk in the place of a folder, with a file on it and so many pages left for others.
#[cfg(target_os = "linux")]
fn on_a_small_disk(place: &Place, folder: &str, before: &str, pages_left: u32) -> Said {
    let full = 4096 * (7 - pages_left);
    let text = format!(
        "mount -t tmpfs -o size=32k none '{folder}'; printf %s '{before}' > '{folder}/mcp.json'
         head -c {full} /dev/zero > '{folder}/full'
         code=0; \"$0\" \"$@\" || code=$?
         ls -A '{folder}'; cat '{folder}/mcp.json'; exit $code"
    );
    let wrapper = ["unshare", "--mount", "--propagation", "private", "sh", "-e", "-c", &text];
    let mut command = place.behind(&wrapper, ["init", "--yes", "cursor"]);
    said(&command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_keeps_the_old_file_whole_and_nothing_beside_it() {
    let before = "{\"mcpServers\": {}}";
    // No room for the copy; none for the new file.
    for pages_left in [0, 1] {
        let place = home(&[(CURSOR, before)]);
        let folder = place.home().join(".cursor").display().to_string();
        let told = on_a_small_disk(&place, &folder, before, pages_left);
        assert_eq!(told.code, 125, "{told:?}");
        assert!(
            told.stderr.contains("~/.cursor/mcp.json") && told.stderr.contains("No space left"),
            "{}",
            told.stderr
        );
        assert!(told.stdout.ends_with(&format!("full\nmcp.json\n{before}")), "{}", told.stdout);
    }
    let place = home(&[(CURSOR, before)]);
    let folder = place.home().join(".cursor").display().to_string();
    let told = on_a_small_disk(&place, &folder, before, 4);
    assert!(told.code == 0 && told.stdout.contains("\"runward\": {"), "there is room: {told:?}");
}

/// A toolchain of Go is larger than everything else that the tests need, so a program of its name stands for it.
fn stand_in_for_go(place: &Place) -> String {
    let go = put(place, "tools/go", "#!/bin/sh\n[ \"$*\" = 'test ./...' ] && echo 'ok  	s	0.001s'\n");
    std::fs::set_permissions(&go, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("{}:{}", go.parent().unwrap().display(), std::env::var("PATH").unwrap())
}

/// What an agent may do after init, by the very entry that was written.
#[test]
fn after_init_a_project_can_be_looked_at_and_tested_and_nothing_else() {
    for (files, test) in [
        (
            &[
                ("Cargo.toml", "[package]\nname = \"s\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
                ("src/lib.rs", "#[test]\nfn t() {}\n"),
            ][..],
            "cargo test",
        ),
        (
            &[("package.json", "{\"scripts\": {\"test\": \"node t.js\"}}"), ("t.js", "console.log(1)")],
            "npm test",
        ),
        (
            &[
                ("pyproject.toml", ""),
                ("test_s.py", "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n"),
            ],
            "python3 -m unittest",
        ),
        (&[("go.mod", "module s\n"), ("s_test.go", "package s\n")], "go test ./..."),
    ] {
        let place = home(&[(CURSOR, "{}")]);
        for (name, text) in files {
            put(&place, &format!("work/{name}"), text);
        }
        let git = program(Path::new("git")).args(["init", "-q"]).current_dir(place.work()).status();
        assert!(git.unwrap().success());
        let told = place.run(["init", "--yes", "cursor"]);
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
        let cursor: Value = serde_json::from_str(&text(&place, CURSOR)).unwrap();
        let args: Vec<&str> = cursor["mcpServers"]["runward"]["args"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let rustup = std::env::var("RUSTUP_HOME")
            .unwrap_or_else(|_| format!("{}/.rustup", std::env::var("HOME").unwrap()));
        let path = stand_in_for_go(&place);
        let mut agent = Agent::serve_bare(&place, &args, &[("RUSTUP_HOME", &rustup), ("PATH", &path)]);
        for line in ["git status", "ls", test] {
            let answer = agent.calls("execute_command", &json!({"command": line, "timeout_ms": 60_000}));
            assert_eq!(answer["exit_code"], 0, "{line}: {answer}");
        }
        for line in ["rm -rf /", "curl https://example.com", "git push"] {
            let answer = agent.calls("execute_command", &json!({"command": line}));
            assert_eq!(answer["error"]["code"], "policy.denied", "{line}: {answer}");
        }
    }
}

#[test]
fn a_hook_is_installed_for_clients_that_have_one() {
    let place = Place::new();
    let shown = place.run(["init", "--hook", "claude-code", "--dry-run"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.contains("\"PreToolUse\""), "{}", shown.stdout);
    assert!(!place.home().join(".claude/settings.json").exists());
    let none = place.run(["init", "--hook", "zed"]);
    assert_eq!(none.code, 125, "{}", none.stdout);
    assert!(
        none.stderr.contains("`zed` has no hook") && none.stderr.contains("claude-code"),
        "{}",
        none.stderr
    );
    let nobody = place.run(["init", "--hook"]);
    assert!(nobody.code == 125 && nobody.stderr.contains("without a client"), "{}", nobody.stderr);
}
