//! Any text is read in bounded time, on a small stack.

use super::*;
use proptest::prelude::*;

/// Texts that open the same things again and again.
fn bombs() -> Vec<String> {
    let opens = [
        "(",
        "$(",
        "${",
        "{",
        "{ ",
        "\"",
        "'",
        "`",
        "$((",
        "((",
        "<(",
        "[[ ( ",
        "[",
        "<<E\n",
        "<<E <<F ",
        "if ",
        "case x in ",
        "while ",
        "f() { ",
        "! ",
        "time ",
        "\\\n",
        "a=(",
        "\"$(",
        "${x:-",
        "\"${x:-\"",
        "$'",
        "function f { ",
        "a|",
        "a&&",
        "a;",
        "a&",
        "[[ ! ",
        "x=",
        "echo \"$(echo ",
        "<a ",
        "1>",
        "2>&1 ",
        "$x",
        "#",
        "{a,",
        "*",
        "command ",
        "elif ",
    ];
    opens.iter().map(|open| open.repeat(10_000 / open.len())).collect()
}

#[test]
fn nothing_overflows_a_small_stack() {
    let run = || bombs().iter().map(|bomb| usize::from(read(bomb, Dialect::Bash).is_err())).sum::<usize>();
    let refused = std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
    assert!(refused > bombs().len() / 2);
}

#[test]
fn what_stands_deep_but_not_too_deep_is_read() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}ls{}", open.repeat(depth), close.repeat(depth));
    for (open, close, deep) in [
        ("(", " )", 1),
        ("{ ", "; }", 20),
        ("echo $(", ")", 6),
        ("if ", "; then a; fi", 20),
        ("! ( ", " )", 10),
    ] {
        assert!(commands(&nested(open, close, deep)).contains(&"ls".to_owned()), "{open}");
        opaque(Dialect::Bash, &[&nested(open, close, 60)]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,400}") {
        for dialect in [Dialect::Bash, Dialect::Posix, Dialect::Zsh, Dialect::Other] {
            let _ = read(&text, dialect);
        }
    }

    #[test]
    fn any_heap_of_marks_is_read_or_refused(text in "[a-c $(){}\\[\\]\"'`<>|&;\\\\\n#=!*~E-]{0,800}") {
        for dialect in [Dialect::Bash, Dialect::Posix] {
            let _ = read(&text, dialect);
        }
    }

    #[test]
    fn a_reading_for_any_posix_shell_is_one_for_bash(text in "[a-c $(){}\"'`<>|&;\n=]{0,60}") {
        if let Ok(reading) = read(&text, Dialect::Posix) {
            prop_assert_eq!(Ok(reading), read(&text, Dialect::Bash));
        }
    }
}
