//! Which formats the words of a command speak for. May not look at any output.

use super::reader::FormatReader;
use super::{
    cargo, eslint, go, go_events, gradle, jest, libtest, maven, nextest, one_line, packages, pytest, ruff,
    unittest,
};

/// A format that a program speaks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownFormat {
    Libtest,
    Nextest,
    Cargo,
    Pytest,
    Unittest,
    Jest,
    Vitest,
    GoText,
    GoEvents,
    Tsc,
    Eslint,
    Ruff,
    Mypy,
    /// gcc and clang.
    CCompiler,
    Maven,
    Gradle,
    /// A package manager, by its name.
    Packages(&'static str),
}

impl KnownFormat {
    pub(super) fn reader<'a>(self) -> Box<dyn FormatReader<'a> + 'a> {
        match self {
            Self::Libtest => Box::<libtest::LibtestReader<'a>>::default(),
            Self::Nextest => Box::<nextest::NextestReader<'a>>::default(),
            Self::Cargo => Box::<cargo::CargoReader<'a>>::default(),
            Self::Pytest => Box::<pytest::PytestReader<'a>>::default(),
            Self::Unittest => Box::<unittest::UnittestReader<'a>>::default(),
            Self::Jest => Box::new(jest::JestReader::new(jest::JestKind::Jest)),
            Self::Vitest => Box::new(jest::JestReader::new(jest::JestKind::Vitest)),
            Self::GoText => Box::<go::GoReader<'a>>::default(),
            Self::GoEvents => Box::<go_events::GoEventReader<'a>>::default(),
            Self::Tsc => Box::new(one_line::ProblemReader::new(one_line::ProblemShape::Tsc)),
            Self::Mypy => Box::new(one_line::ProblemReader::new(one_line::ProblemShape::Mypy)),
            Self::CCompiler => Box::new(one_line::ProblemReader::new(one_line::ProblemShape::CCompiler)),
            Self::Eslint => Box::<eslint::EslintReader<'a>>::default(),
            Self::Ruff => Box::<ruff::RuffReader<'a>>::default(),
            Self::Maven => Box::<maven::MavenReader<'a>>::default(),
            Self::Gradle => Box::<gradle::GradleReader<'a>>::default(),
            Self::Packages(tool) => Box::new(packages::PackageReader::new(tool)),
        }
    }
}

/// The formats of these commands, each once.
pub(super) fn formats_of(programs: &[Vec<String>]) -> Vec<KnownFormat> {
    let mut formats = Vec::new();
    for words in programs {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for format in formats_of_command(&words, 0) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    formats
}

/// So many starters may stand before a program.
const MOST_STARTERS: usize = 4;

fn formats_of_command(words: &[&str], depth: usize) -> Vec<KnownFormat> {
    use KnownFormat as F;
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    if depth > MOST_STARTERS {
        return Vec::new();
    }
    let started = |words: &[&str]| formats_of_command(words, depth + 1);
    let verb = rest.iter().copied().find(|word| !word.starts_with(['-', '+']));
    match base(program) {
        "cargo" | "cross" => cargo_formats(rest),
        "rustc" => vec![F::Cargo],
        "pytest" | "py.test" => vec![F::Pytest],
        name if is_python(name) => python_formats(rest),
        "jest" => vec![F::Jest],
        "vitest" => vec![F::Vitest],
        "go" | "gotestsum" => match verb {
            Some("test") => vec![F::GoText, F::GoEvents],
            _ => Vec::new(),
        },
        "tsc" => vec![F::Tsc],
        "eslint" => vec![F::Eslint],
        "ruff" => vec![F::Ruff],
        "mypy" | "dmypy" => vec![F::Mypy],
        "make" | "gmake" | "ninja" | "cmake" => vec![F::CCompiler],
        name if is_c_compiler(name) => vec![F::CCompiler],
        "mvn" | "mvnw" | "mvnd" => vec![F::Maven],
        "gradle" | "gradlew" => vec![F::Gradle],
        "npx" | "bunx" | "pnpx" | "uvx" | "pipx" => started(behind_options(rest)),
        "npm" => script_formats("npm", rest, depth),
        "pnpm" => script_formats("pnpm", rest, depth),
        "yarn" => script_formats("yarn", rest, depth),
        "pip" | "pip3" => vec![F::Packages("pip")],
        "uv" => match rest {
            ["run", rest @ ..] | ["tool", "run", rest @ ..] => started(behind_options(rest)),
            _ => vec![F::Packages("uv")],
        },
        "poetry" | "pipenv" | "pdm" | "hatch" | "rye" => match rest {
            ["run", rest @ ..] => started(behind_options(rest)),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The program's name without its folder and the ending that Windows gives it.
fn base(program: &str) -> &str {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    [".exe", ".cmd", ".bat"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

fn behind_options<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    &words[words.iter().take_while(|word| word.starts_with('-')).count()..]
}

/// `python`, `python3`, `python3.12`.
fn is_python(name: &str) -> bool {
    name.strip_prefix("python")
        .or_else(|| name.strip_prefix("pypy"))
        .is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// `gcc`, `g++-13`, `x86_64-linux-gnu-gcc`, `clang`.
fn is_c_compiler(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.' || c == '-');
    ["cc", "c++", "gcc", "g++", "clang", "clang++"].iter().any(|known| {
        name.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('-'))
    })
}

fn cargo_formats(rest: &[&str]) -> Vec<KnownFormat> {
    use KnownFormat as F;
    let mut words = rest.iter().copied().filter(|word| !word.starts_with(['-', '+']));
    match words.next() {
        Some("test" | "t" | "bench") => vec![F::Libtest, F::Cargo],
        Some("nextest") => vec![F::Nextest, F::Cargo],
        Some(
            "build" | "b" | "check" | "c" | "clippy" | "doc" | "rustc" | "rustdoc" | "fix" | "run" | "r"
            | "install" | "fetch",
        ) => vec![F::Cargo],
        _ => Vec::new(),
    }
}

fn python_formats(rest: &[&str]) -> Vec<KnownFormat> {
    use KnownFormat as F;
    let behind = |at: usize| rest.get(at + 1).copied();
    if let Some(at) = rest.iter().position(|word| *word == "-m") {
        return match behind(at) {
            Some("pytest") => vec![F::Pytest],
            Some("unittest") => vec![F::Unittest],
            Some("mypy") => vec![F::Mypy],
            Some("ruff") => vec![F::Ruff],
            Some("pip") => vec![F::Packages("pip")],
            _ => Vec::new(),
        };
    }
    match behind_options(rest) {
        [script, "test", ..] if base(script) == "manage.py" => vec![F::Unittest],
        [script, ..] if base(script) == "pytest" => vec![F::Pytest],
        _ => Vec::new(),
    }
}

/// A script of a project runs tools of its language; everything else is about packages.
fn script_formats(tool: &'static str, rest: &[&str], depth: usize) -> Vec<KnownFormat> {
    use KnownFormat as F;
    let rest = behind_options(rest);
    match rest {
        ["exec" | "dlx" | "x", rest @ ..] => formats_of_command(behind_options(rest), depth + 1),
        ["run" | "run-script" | "test" | "t" | "tst", ..] => vec![F::Jest, F::Vitest, F::Eslint, F::Tsc],
        ["install" | "i" | "ci" | "add" | "update" | "up" | "remove" | "uninstall", ..] => {
            vec![F::Packages(tool)]
        }
        [] if tool == "yarn" => vec![F::Packages(tool)],
        [_, ..] if tool != "npm" => {
            // `pnpm vitest` and `yarn jest` are the tool itself.
            formats_of_command(rest, depth + 1)
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use KnownFormat as F;

    fn of(line: &str) -> Vec<KnownFormat> {
        formats_of(&[line.split(' ').map(str::to_owned).collect()])
    }

    #[test]
    fn words_speak_for_their_formats() {
        for (line, formats) in [
            ("cargo test --offline", vec![F::Libtest, F::Cargo]),
            ("cargo +nightly nextest run", vec![F::Nextest, F::Cargo]),
            ("/usr/bin/cargo clippy", vec![F::Cargo]),
            ("python3.12 -m pytest -q", vec![F::Pytest]),
            (".venv/bin/python -m unittest", vec![F::Unittest]),
            ("uv run --frozen pytest", vec![F::Pytest]),
            ("npx --yes vitest run", vec![F::Vitest]),
            ("pnpm exec tsc -p .", vec![F::Tsc]),
            ("yarn jest", vec![F::Jest]),
            ("npm test", vec![F::Jest, F::Vitest, F::Eslint, F::Tsc]),
            ("npm ci", vec![F::Packages("npm")]),
            ("go test ./...", vec![F::GoText, F::GoEvents]),
            ("make -k", vec![F::CCompiler]),
            ("x86_64-linux-gnu-gcc-13 a.c", vec![F::CCompiler]),
            ("./gradlew build", vec![F::Gradle]),
        ] {
            assert_eq!(of(line), formats, "{line}");
        }
    }

    #[test]
    fn other_words_speak_for_nothing() {
        for line in [
            "git log",
            "cargo fmt",
            "cat cargo test",
            "go vet",
            "python3 x.py",
            "./test.sh",
            "npm view x",
            "",
        ] {
            assert_eq!(of(line), Vec::new(), "{line}");
        }
    }
}
