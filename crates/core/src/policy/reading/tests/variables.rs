//! Whatever sets, unsets, scopes or marks a variable is told as setting it, in every builtin and every spelling.

use super::*;

/// Whether a script is refused, or tells that it sets the variable.
fn is_told(script: &str, variable: &str) -> bool {
    match read(script, Dialect::Bash) {
        Err(_) => true,
        Ok(reading) => {
            let own = reading.commands.iter().flat_map(|command| &command.assigns);
            reading.assigns.iter().chain(own).any(|assign| assign.name == variable)
        }
    }
}

/// Texts that touch the variable `V`.
const WAYS: &[&str] = &[
    "declare -a V; ls",
    "declare -A V; ls",
    "declare V; ls",
    "declare -x V; ls",
    "declare -r V; ls",
    "declare -g V; ls",
    "declare -ga V; ls",
    "declare +x V; ls",
    "declare -i V; ls",
    "declare -l V; ls",
    "declare -u V; ls",
    "declare -n V; ls",
    "declare -n V=x; ls",
    "declare -n x=V; x=.; ls",
    "declare -p V; ls",
    "declare -- V; ls",
    "declare 'V'; ls",
    "declare V=; ls",
    "declare \"V=\"; ls",
    "declare V+=x; ls",
    "declare 'V+=x'; ls",
    "declare V[0]=x; ls",
    "declare 'V[0]=x'; ls",
    "declare -a V=(x); ls",
    "declare -a 'V=(x)'; ls",
    "declare a b V c; ls",
    "typeset V; ls",
    "typeset -a V; ls",
    "typeset -x V=.; ls",
    "f() { local V; ls; }; f",
    "f() { local -a V; ls; }; f",
    "f() { local V=; ls; }; f",
    "f() { local -; local V; ls; }; f",
    "f() { declare V; ls; }; f",
    "f() { typeset V; ls; }; f",
    "function f { local a V; ls; }; f",
    "f() ( local V; ls ); f",
    "readonly V; ls",
    "readonly -a V; ls",
    "readonly -f V; ls",
    "export V; ls",
    "export -n V; ls",
    "export -p V; ls",
    "export -f V; ls",
    "export a V; ls",
    "export V=; ls",
    "unset V; ls",
    "unset -v V; ls",
    "unset -f V; ls",
    "unset -n V; ls",
    "unset a V; ls",
    "unset V[0]; ls",
    "unset 'V[0]'; ls",
    "unset \"V\"; ls",
    "unset V''; ls",
    "unset \\V; ls",
    "read V; ls",
    "read -r a V; ls",
    "read -a V; ls",
    "read -ra V <<< x; ls",
    "read -d '' V; ls",
    "read -p V V; ls",
    "mapfile V; ls",
    "mapfile -t V < x; ls",
    "readarray V; ls",
    "getopts ab V; ls",
    "printf -v V x; ls",
    "printf -vV x; ls",
    "printf -v 'V[0]' x; ls",
    "wait -p V; ls",
    "wait -np V; ls",
    "for V in a; do ls; done",
    "for V; do ls; done",
    "for ((V=0;;)); do ls; done",
    "select V in a; do ls; done",
    "((V=1)); ls",
    "((V++)); ls",
    "((V)); ls",
    "((x = V = 1)); ls",
    "((x, V+=1)); ls",
    "((V[1]=2)); ls",
    "let V=1; ls",
    "echo $((V=1)); ls",
    "echo $((V++)); ls",
    "echo ${a[V=1]}; ls",
    "a[V=1]=x; ls",
    "a[V++]=x; ls",
    "[[ V -eq 1 ]]; ls",
    "[[ $V -eq 1 ]]; ls",
    "echo ${V:=x}; ls",
    "echo ${V=x}; ls",
    "echo ${V[0]:=x}; ls",
    "echo ${V[1]=x}; ls",
    "echo \"${V[9]:=x}\"; ls",
    ": ${V[@]:=x}; ls",
    "cat <<E\n${V[1]:=x}\nE\nls",
    "V=.; ls",
    "V=; ls",
    "V+=x; ls",
    "V=(x); ls",
    "V+=(x); ls",
    "V[1]=x; ls",
    "V[0]+=x; ls",
    "V= ls",
    "a=b V=x ls",
    "V=x :; ls",
    "V=x eval; ls",
    "V=x export a; ls",
    "command export V; ls",
    "builtin export V; ls",
    "command declare V; ls",
    "builtin unset V; ls",
    "command unset V; ls",
    "command -p unset V; ls",
    "exec {V}>x; ls",
    "ls {V}<&-",
    "coproc V { ls; }",
    "trap 'unset V' EXIT; ls",
    "trap 'declare -a V' USR1; ls",
    "(unset V; ls)",
    "{ unset V; ls; }",
    "if unset V; then ls; fi",
    "unset V & ls",
    "unset V | ls",
    "lastpipe=1; shopt -s lastpipe; echo | read V; ls",
    "x=$(unset V; ls)",
    "cat <(unset V; ls)",
    "eval 'unset V'; ls",
    "set -a; V=; ls",
    "f() { V=; }; f; ls",
];

#[test]
fn p03_every_way_to_touch_a_variable_is_told() {
    let mut missed = Vec::new();
    for variable in ["PATH", "GIT_CONFIG_COUNT", "BASH_ENV", "LD_PRELOAD", "HOME"] {
        let scripts = WAYS
            .iter()
            .map(|way| way.replace('V', variable).replace(&format!("-{}", variable.to_lowercase()), "-v"));
        missed.extend(scripts.filter(|script| !is_told(script, variable)));
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn a_variable_that_decides_nothing_may_be_scoped() {
    reads(&[
        ("f() { local x y=1; ls \"$x\"; }; f", &["ls <…One>"]),
        ("declare -a a; export DEBUG; readonly v=1; unset tmp; ls", &["ls"]),
    ]);
}
