//! Everyday text that is read, and what is said where it is not.

use super::*;

#[test]
fn sums_over_variables_that_hold_numbers_are_read() {
    reads(&[
        ("n=$(wc -l < f); echo $((n+1))", &["wc -l", "echo <…One>"]),
        ("echo $((16#ff)) $((0x1F + 010))", &["echo <…One> <…One>"]),
        ("((i++)); ((j += 2)); ls", &["ls"]),
        ("[[ $x -gt 3 && \"${y}\" -le 4 ]] && ls", &["ls"]),
        ("i=0; while [ $i -lt 2 ]; do echo $i; i=$((i+1)); done", &["echo <…One>"]),
        ("f() { local i=0; while ((i < 3)); do echo $i; ((i++)); done; }; f", &["echo <…One>"]),
        ("for i in {1..5}; do echo $((i*2)); done", &["echo <…One>"]),
        ("for i in $(seq 1 5); do echo $((i*2)); done", &["seq 1 5", "echo <…One>"]),
        ("echo $((${#a} + ${n}))", &["echo <…One>"]),
        (
            "x=$(cat f); printf -v k %d \"$x\"; echo $((k+1))",
            &["cat f", "printf -v k %d <…One>", "echo <…One>"],
        ),
    ]);
}

#[test]
fn what_a_sum_needs_from_the_environment_is_told() {
    for (script, names) in [
        ("((i++))", &["i"][..]),
        ("echo $((a+b))", &["a", "b"]),
        ("[[ $x -gt 3 ]]", &["x"]),
        ("i=1; echo $((i))", &[]),
        ("a[i]=1; echo ${a[j]}", &["i", "j"]),
    ] {
        assert_eq!(read(script, Dialect::Bash).unwrap().worked_out, names, "{script}");
    }
}

#[test]
fn arrays_with_plain_keys_are_read() {
    reads(&[
        ("declare -A m; m[a]=1; echo ${m[a]}", &["echo <…Any>"]),
        ("declare -A m=([a]=1 [b]=\"x y\"); echo \"${m[b]}\"", &["echo <…One>"]),
        ("a=(x y); for k in \"${!a[@]}\"; do echo \"$k\"; done", &["echo <…One>"]),
        ("i=0; a[i]=x; a[$i]=y; a[i+1]=z; echo ${a[$i]}", &["echo <…Any>"]),
        ("IFS=, read -ra parts <<< \"$x\"; echo \"${parts[0]}\"", &["echo <…One>"]),
    ]);
}

#[test]
fn lines_are_read_with_their_own_separator() {
    for script in [
        "IFS=, read -r a b <<< \"1,2\"",
        "while IFS= read -r line; do :; done < f",
        "while IFS=$'\\t' read -r a b; do :; done < f",
        "IFS=$'\\n'",
        "IFS=:; for x in $list; do :; done",
    ] {
        let reading = read(script, Dialect::Bash).unwrap();
        assert!(!reading.assigns.iter().any(|assign| assign.name == "IFS"), "{script}");
    }
    for script in ["IFS=x ls", "export IFS=,", "declare IFS=,", "IFS=, command ls"] {
        let Ok(reading) = read(script, Dialect::Bash) else { continue };
        let own = reading.commands.iter().flat_map(|command| &command.assigns);
        assert!(reading.assigns.iter().chain(own).any(|assign| assign.name == "IFS"), "{script}");
    }
    opaque(Dialect::Bash, &["IFS=$x", "IFS=1", "IFS=$x; ls $y"]);
}

#[test]
fn options_of_the_shell_that_leave_the_text_alone_are_free() {
    reads(&[
        ("shopt -s globstar nullglob; ls **/*.rs", &["ls <…Any>"]),
        ("ls a*.rs; shopt -s nullglob", &["ls <a…Any>"]),
        ("shopt -s dotglob; ls *", &["ls <…Each>"]),
        ("ulimit -n; ulimit -c 0; ulimit -Sn 1024; ls", &["ls"]),
    ]);
    opaque(
        Dialect::Bash,
        &[
            "shopt -s extglob",
            "shopt -s expand_aliases",
            "shopt -s \"$x\"",
            "shopt -o -s x",
            "ulimit -n $x",
            "shopt -s nocaseglob",
        ],
    );
}

#[test]
fn a_variable_is_printed_into() {
    reads(&[("printf -v v '%03d' 5; echo $v", &["printf -v v %03d 5", "echo <…Any>"])]);
    opaque(Dialect::Bash, &["printf -v \"$x\" a", "printf -v a[0] b", "printf -v", "printf -va b"]);
}

#[test]
fn a_here_document_may_end_with_several_words() {
    reads(&[
        ("cat <<\"END OF IT\"\n$(x)\nEND OF IT\nls", &["cat", "ls"]),
        ("cat <<'END OF IT'\n`x`\nEND OF IT", &["cat"]),
    ]);
    opaque(Dialect::Bash, &["cat <<\"END OF\nx\nEND OF", "cat <<\"E$x\"\nE\n", "cat <<E\"F G\"\nEF G\n"]);
}

#[test]
fn what_is_not_read_comes_with_a_spelling_that_is() {
    for (script, spelling) in [
        ("x=$(cat f); echo $((x+1))", "printf -v number %d \"$x\""),
        ("read x; [[ $x -gt 3 ]]", "[ \"$x\" -gt 3 ]"),
        ("echo $(( $(cat f) + 1 ))", "n=$(wc -l < f)"),
        ("[[ $(cat f) -gt 3 ]]", "[ \"$x\" -gt 3 ]"),
        ("trap \"rm -f $f\" EXIT", "trap 'rm -f -- \"$f\"' EXIT"),
    ] {
        let opaque = read(script, Dialect::Bash).unwrap_err();
        assert!(
            opaque.instead.as_deref().is_some_and(|told| told.contains(spelling)),
            "{script}: {opaque:?}"
        );
    }
}
