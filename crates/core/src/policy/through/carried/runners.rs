//! Programs that run what a project, a package or an image holds: `npm run`, `cargo test`, `npx`, `docker run`.
//!
//! May not look at any project. Of most of these the harmless commands are named, and all others count.

use super::{Carried, shown};
use crate::policy::Word;
use crate::policy::through::name::{Rows, among, row_of, rows};

/// One such program.
struct Runner {
    names: &'static str,
    /// Its commands that run nothing of the kind.
    safe: &'static str,
    /// How many words an entry must have: the program, and what it is told to run.
    words: usize,
}

const fn runner(names: &'static str, words: usize, safe: &'static str) -> Runner {
    Runner { names, safe, words }
}

static TABLE: &[Runner] = &[
    // Whoever allows these by name allows what the project's own file says.
    runner(
        "make gmake bmake remake ninja samu just task rake gradle gradlew mvn mvnw ant sbt tox nox scons \
            waf meson bazel invoke fab cmake",
        1,
        "",
    ),
    runner(
        "npm",
        2,
        "ls list ll la view info show v outdated audit root bin prefix whoami ping search explain why query owner \
         dist-tag dist-tags team access stars star unstar cache diff sbom completion get unpublish deprecate logout",
    ),
    // A file of the project says which program answers, whatever it is asked.
    runner("yarn yarnpkg pnpm bun corepack", 2, ""),
    runner("deno", 2, "fmt types help completions"),
    // Most others ask the compiler something, and a file of the project says which compiler that is.
    runner("cargo", 2, "search version help locate-project fmt login logout owner yank init new"),
    runner("rustup", 2, "help check"),
    runner("go", 2, "version help list doc fmt mod env vet build clean work fix"),
    runner("pip pip2 pip3", 2, "list show freeze check cache help search index inspect debug hash"),
    runner("uv", 2, "version help cache"),
    runner("poetry pdm hatch rye pipenv flit", 2, "help list version"),
    runner("pipx", 2, "list environment help"),
    runner("conda mamba micromamba", 2, "list info search help config"),
    runner("gem", 2, "list search info environment env contents which help specification outdated"),
    runner("bundle bundler rails rspec", 2, "help"),
    runner("composer", 2, "help about"),
    runner("dotnet", 2, "--info --list-sdks --list-runtimes help"),
    runner("swift zig dart flutter mix lein stack cabal dune opam rebar3", 2, "help version fmt format env"),
    runner(
        "docker podman nerdctl",
        2,
        "ps images version info inspect logs top stats port events history search diff help",
    ),
    runner("docker-compose podman-compose", 2, "ps logs config images top port version help"),
    runner(
        "kubectl oc",
        2,
        "get describe logs top version api-resources api-versions explain cluster-info help auth wait",
    ),
    runner("helm terraform tofu pulumi vagrant heroku fly flyctl serverless sam", 2, "version help fmt"),
    runner("nix nix-shell nix-build nix-env nix-instantiate guix", 2, "help"),
    runner("direnv asdf mise rtx rbenv pyenv nodenv goenv jenv volta fnm nvm", 2, "help version"),
    runner(
        "apt apt-get aptitude dnf yum apk zypper pacman brew port snap flatpak choco winget scoop",
        2,
        "list show search policy info help depends rdepends",
    ),
    runner("ansible-playbook ansible-console ansible-pull salt salt-call puppet chef-client", 2, ""),
    runner("jupyter jupyter-lab jupyter-notebook pytest py.test jest mocha vitest", 1, ""),
];

/// Programs that fetch what they are named and run it.
const FETCHERS: &str = "npx bunx pnpx uvx";
const FETCHER_FLAGS: &str = "-y --yes -q --quiet --no-install --no --bun --offline";

static BY_NAME: Rows = Rows::new(|| rows(TABLE.iter().map(|runner| runner.names)));

/// Whether a program runs what a project, a package or an image holds.
pub(super) fn is_runner(name: &str) -> bool {
    among(FETCHERS, name) || row_of(&BY_NAME, name).is_some()
}

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    if among(FETCHERS, name) {
        return Some(fetcher(name, words));
    }
    let runner = &TABLE[*BY_NAME.get(name)?];
    let plus = usize::from(words.get(1).and_then(Word::text).is_some_and(|word| word.starts_with('+')));
    let at = 1 + plus;
    if runner.words == 1 {
        return Some(Carried::new(format!("`{name}` runs what the project says"), 1));
    }
    let Some(command) = words.get(at) else {
        return Some(Carried::new(format!("`{name}` runs what the project says"), at + 1));
    };
    let Some(text) = command.text() else {
        return Some(Carried::never(format!("what `{name}` is to do is only known when it runs")));
    };
    if among(runner.safe, text) || is_about_itself(name, text, words) {
        return None;
    }
    // Behind an option stands perhaps its value, perhaps the command.
    let unclear = text.starts_with('-') && words.len() > at + 1;
    let words_needed = if unclear { usize::MAX } else { runner.words + plus };
    Some(Carried::new(format!("{} runs code of a project or package", shown(name, words, at)), words_needed))
}

fn is_about_itself(name: &str, text: &str, words: &[Word]) -> bool {
    name != "yarn" && words.len() == 2 && ["-v", "-V", "-h", "--version", "--help"].contains(&text)
}

fn fetcher(name: &str, words: &[Word]) -> Carried {
    let flag = |word: &Word| word.text().is_some_and(|word| among(FETCHER_FLAGS, word));
    let at = 1 + words.iter().skip(1).take_while(|word| flag(word)).count();
    let because = format!("`{name}` fetches what it is named and runs it");
    match words.get(at) {
        Some(Word::Known(package)) if !package.as_encoded_bytes().starts_with(b"-") => {
            Carried::new(because, at + 1)
        }
        _ => Carried::never(because),
    }
}
