//! Checks of short values: names of files, repositories, targets.
//!
//! Each says why a text does not do, or nothing.

/// tar reads `host:file` over the network, by starting another program.
pub(super) fn remote_archive(text: &str) -> Option<String> {
    let host = text.split('/').next().is_some_and(|first| first.contains(':'));
    host.then(|| "a name with a colon is read from another machine; write `./` before it".to_owned())
}

/// `date` sets the clock from an operand that is no format.
pub(super) fn no_format(text: &str) -> Option<String> {
    (!text.starts_with('+')).then(|| "only a format that begins with `+` is known to be harmless".to_owned())
}

/// `@file` is a file of further arguments.
pub(super) fn list_of_arguments(text: &str) -> Option<String> {
    text.starts_with('@').then(|| "it is read as a file of further arguments".to_owned())
}

/// Some awks open a connection for a name that begins so.
pub(super) fn address(text: &str) -> Option<String> {
    text.starts_with("/inet").then(|| "it may be read as an address in the network".to_owned())
}

/// A repository that is not a name or a folder may be anything that git has a helper for.
pub(super) fn elsewhere(text: &str) -> Option<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./*".contains(&byte));
    (!plain || text.starts_with("//"))
        .then(|| "only the name of a remote or a local folder is allowed".to_owned())
}

/// Variables of other processes are secrets.
pub(super) fn shows_env(text: &str) -> Option<String> {
    text.to_ascii_lowercase()
        .contains("env")
        .then(|| "it shows the environment of other processes".to_owned())
}

/// In the letters without a dash, `e` shows the environment of every process.
pub(super) fn ps_letters(text: &str) -> Option<String> {
    let plain = text.bytes().all(|byte| b"aflruvwxjsTHhS".contains(&byte) || byte.is_ascii_digit());
    (!plain).then(|| "only letters that do not show environments are allowed".to_owned())
}

/// A variable given to make replaces what a makefile runs, and some make it run what they say.
pub(super) fn goal(text: &str) -> Option<String> {
    const FORBIDDEN: &[&str] = &["SHELL", "MAKE", "MAKEFILES", "MAKEFLAGS", "GNUMAKEFLAGS", "MFLAGS"];
    let plain = |text: &str, more: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c));
    let harmless = match text.split_once('=') {
        Some((name, value)) => {
            plain(name, "_") && !name.is_empty() && !FORBIDDEN.contains(&name) && plain(value, "_-./+,: @%=")
        }
        None => plain(text, "_-./+,@%:"),
    };
    (!harmless)
        .then(|| "only targets and plain variables that do not replace make's own are allowed".to_owned())
}

/// What comes from standard input is the caller's code, not the project's.
pub(super) fn standard_input(text: &str) -> Option<String> {
    let stream = text == "-" || text.starts_with("/dev/") || text.starts_with("/proc/");
    stream.then(|| "only a file of the project may be read".to_owned())
}

/// A package from a registry, by name. An address or a folder could hold any code.
pub(super) fn package(text: &str) -> Option<String> {
    let rest = text.strip_prefix('@').unwrap_or(text);
    let plain = rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./@^~*".contains(&byte));
    let scoped =
        text.starts_with('@') && rest.split('@').next().is_some_and(|name| name.matches('/').count() == 1);
    let slashes = rest.contains('/') && !scoped;
    (!plain || slashes || text.starts_with(['.', '-']))
        .then(|| "only names of packages in the registry are allowed".to_owned())
}

/// A module of Go, or packages below the working folder.
pub(super) fn module(text: &str) -> Option<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./@+~".contains(&byte));
    if plain { outside(text) } else { Some("only names of modules are allowed".to_owned()) }
}

/// A folder below the working folder.
pub(super) fn outside(text: &str) -> Option<String> {
    let climbs = text.split(['/', '\\']).any(|part| part == "..");
    let absolute = text.starts_with(['/', '\\', '~']) || text.contains(':');
    (climbs || absolute).then(|| "only a folder below the working folder is allowed".to_owned())
}

/// A file of the project with code in it.
pub(super) fn code_outside(text: &str) -> Option<String> {
    let fed = text == "-" || text.is_empty();
    let no = || "only a file below the working folder is allowed".to_owned();
    if fed { Some(no()) } else { outside(text).map(|_| no()) }
}

/// A package by its name and version, or a folder of the project. An address could hold any code.
pub(super) fn requirement(text: &str) -> Option<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./[],=<>!~^* ".contains(&byte));
    let path = text.contains('/') && !text.starts_with("./");
    (!plain || path || outside(text).is_some() || text.starts_with('-'))
        .then(|| "only names of packages and folders of the project are allowed".to_owned())
}

/// The plain name of a variable.
pub(super) fn no_name(text: &str) -> Option<String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (!plain || text.starts_with(|first: char| first.is_ascii_digit()))
        .then(|| "only the plain name of a variable is allowed".to_owned())
}
