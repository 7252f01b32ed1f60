//! Where code is found and where not. May not test what is wanted in between.

use super::*;
use proptest::prelude::*;

/// The stretches that are not prose, as text.
fn code(text: &str) -> Vec<&str> {
    stretches(text)
        .into_iter()
        .filter(|one| one.kind != StretchKind::Prose)
        .map(|one| &text[one.range])
        .collect()
}

#[test]
fn a_fence_reaches_to_a_line_of_as_many_of_its_marks() {
    let text = "a\n````md\n```\nx\n```\n~~~~~\n````  \nb\n";
    assert_eq!(code(text), ["````md\n```\nx\n```\n~~~~~\n````  \n"]);
    assert_eq!(code("~~~\n```\n~~~\nb"), ["~~~\n```\n~~~\n"]);
    assert_eq!(code("```\nnever closed"), ["```\nnever closed"]);
    assert_eq!(code("``` a`b ```\nx"), ["``` a`b ```"], "a line with a backtick behind is a span");
}

#[test]
fn a_fence_knows_its_content() {
    let text = "```sh\n#!/bin/sh\necho\n```\n";
    assert_eq!(stretches(text)[0].kind, StretchKind::Fence { from: 6, to: 21, indent: 0 });
    assert_eq!(&text[6..21], "#!/bin/sh\necho\n");
}

#[test]
fn a_fence_in_a_list_or_a_quote_ends_with_it() {
    assert_eq!(code("- a\n\n  ```\n  x\n\nout\n"), ["  ```\n  x\n\n"]);
    assert_eq!(code("> ```\n> x\nout\n"), ["> ```\n> x\n"]);
    assert_eq!(code(">```\n> x\n>```\n> out\n"), [">```\n> x\n>```\n"]);
    assert_eq!(code("- ```\n  x\n  ```\n  out"), ["- ```\n  x\n  ```\n"]);
    assert!(
        stretches("- ```\n  x\n  ```\n").iter().all(|one| !matches!(one.kind, StretchKind::Fence { .. }))
    );
}

#[test]
fn indented_lines_are_code_unless_they_belong_to_a_paragraph_or_a_list() {
    assert_eq!(code("a\n\n    x\n\tb\n"), ["    x\n", "\tb\n"]);
    assert_eq!(code("a\n    goes on\n"), [""; 0]);
    assert_eq!(code("# title\n    x\n"), ["    x\n"]);
    assert_eq!(code("- a\n\n    still the item\n"), [""; 0]);
    assert_eq!(code("- a\n\n      code of the item\n"), ["      code of the item\n"]);
    assert_eq!(code("1. a\n   - b\n\n     text\n"), [""; 0]);
    assert_eq!(code("- a\n\nout\n\n    x\n"), ["    x\n"]);
}

#[test]
fn a_span_closes_with_as_many_backticks() {
    assert_eq!(code("a `b` ``c ` d`` e"), ["`b`", "``c ` d``"]);
    assert_eq!(code("over `two\nlines` x"), ["`two\nlines`"]);
    assert_eq!(code("not `over\n\nparagraphs`"), [""; 0]);
    assert_eq!(code("`a\n- b`"), [""; 0]);
    assert_eq!(code(r"\`a` b`"), ["` b`"], "an escaped backtick opens nothing");
}

#[test]
fn unclosed_backticks_are_text() {
    assert_eq!(code("a ` b `` c ``` d"), [""; 0]);
    assert_eq!(code("a ` b ``c`` d"), ["``c``"]);
}

#[test]
fn a_hundred_spans_are_a_hundred() {
    let text = "x `@./a` ".repeat(100);
    assert_eq!(code(&text).len(), 100);
}

#[test]
fn many_runs_of_backticks_are_read_quickly() {
    let text: String = (1..700).map(|ticks| "`".repeat(ticks) + " ").collect();
    assert_eq!(code(&text), [""; 0]);
}

proptest! {
    #[test]
    fn the_stretches_are_the_whole_text_in_order(text in "[-`~>#!@ \t\r\n1.*=a\\\\ü]{0,80}") {
        let mut at = 0;
        for one in stretches(&text) {
            prop_assert_eq!(one.range.start, at);
            prop_assert!(text.is_char_boundary(one.range.end));
            at = one.range.end;
        }
        prop_assert_eq!(at, text.len());
    }

    #[test]
    fn what_stands_in_a_fence_is_code(inner in "[^~]{0,60}", longer in 3usize..9) {
        let fence = "~".repeat(longer);
        let text = format!("{fence}\n{inner}\n{fence}\n");
        prop_assert_eq!(code(&text), vec![text.as_str()]);
    }
}
