//! What is wanted in a text and what is not. May not look at files.

use super::*;
use crate::imports::{AssembledPart, FilePart, Import, Provider};
use proptest::prelude::*;
use runward_engine::Coded;

fn source(text: &str) -> Arc<SourceText> {
    Arc::new(SourceText { shown: "a.md".to_owned(), first_line: 1, text: text.to_owned() })
}

fn pieces(text: &str) -> Vec<ProgramPiece> {
    take_apart(&source(text), Rank::Main, &|_| false).unwrap()
}

/// A text in which nothing is wanted.
fn assert_plain(text: &str) {
    let found = pieces(text);
    let [ProgramPiece::Text(plain)] = found.as_slice() else { panic!("{text}: {found:?}") };
    assert_eq!(plain.text(), text);
}

/// Everything that is wanted, as it would be written.
fn wanted(text: &str) -> Vec<String> {
    let want = |piece| match piece {
        ProgramPiece::Wanted(import, _) => Some(import.to_string()),
        ProgramPiece::Text(_) => None,
    };
    pieces(text).into_iter().filter_map(want).collect()
}

/// The commands of a text without imports, as they would run.
fn commands(text: &str, rank: Rank) -> Vec<String> {
    let mut commands: Vec<Option<String>> = Vec::new();
    for piece in take_apart(&source(text), rank, &|_| false).unwrap() {
        let ProgramPiece::Text(plain) = piece else { continue };
        for part in plain.parts(0..plain.text().len()) {
            match (part, commands.last_mut()) {
                (AssembledPart::Text(range), Some(Some(command))) => command.push_str(&plain.text()[range]),
                (AssembledPart::Inset(Inset::CommandBegins(..), _), _) => commands.push(Some(String::new())),
                (AssembledPart::Inset(..), _) => commands.push(None),
                (AssembledPart::Text(_), _) => {}
            }
        }
    }
    commands.into_iter().flatten().collect()
}

fn file(path: &str, part: FilePart) -> Import {
    Import::File { path: path.to_owned(), part }
}

fn only(text: &str) -> Import {
    let mut found = pieces(text)
        .into_iter()
        .filter_map(|piece| if let ProgramPiece::Wanted(import, _) = piece { Some(import) } else { None });
    let first = found.next().unwrap();
    assert_eq!(found.next(), None);
    first
}

#[test]
fn paths_begin_with_a_dot_a_tilde_or_a_slash() {
    assert_eq!(wanted("@./f.md and (@../f @~/f \"@/abs/f"), ["@./f.md", "@../f", "@~/f", "@/abs/f"]);
    assert_eq!(only("@./f.md"), file("./f.md", FilePart::Whole));
}

#[test]
fn lines_and_names_stand_behind_a_path() {
    assert_eq!(only("@./f.ts:10-50"), file("./f.ts", FilePart::Lines(10, 50)));
    assert_eq!(only("@./f.ts#Name."), file("./f.ts", FilePart::Symbol("Name".to_owned())));
    assert_eq!(only("@./f.ts:10-99999999999999999999999"), file("./f.ts", FilePart::Lines(10, usize::MAX)));
    assert_eq!(only("@./C#/notes.md"), file("./C#/notes.md", FilePart::Whole));
    assert_eq!(only("@./a:b-c"), file("./a:b-c", FilePart::Whole));
}

#[test]
fn signs_of_a_pattern_make_a_pattern() {
    for pattern in ["./src/**/*.ts", "./a?.ts", "./[ab].ts"] {
        assert_eq!(only(&format!("see @{pattern}, please")), Import::Glob { pattern: pattern.to_owned() });
    }
}

#[test]
fn addresses_are_wanted() {
    assert_eq!(
        only("@https://example.com/a?b=c."),
        Import::Url { address: "https://example.com/a?b=c".to_owned() }
    );
    assert_eq!(only("@http://127.0.0.1:80/a"), Import::Url { address: "http://127.0.0.1:80/a".to_owned() });
    assert_eq!(wanted("(@https://x.org/A_(b))"), ["@https://x.org/A_(b)"]);
    assert_eq!(wanted("@https:// @http://. https://a.b/@c"), [""; 0]);
}

#[test]
fn providers_are_known_by_name() {
    let text = "@git:diff @git:staged, @git:status @git:log(5). @tree @rg:TODO|foo(a)";
    assert_eq!(
        wanted(text),
        ["@git:diff", "@git:staged", "@git:status", "@git:log(5)", "@tree", "@rg:TODO|foo(a)"]
    );
    assert_eq!(only("@git:log(5)"), Import::Provider(Provider::GitLog(5)));
    assert_eq!(wanted("@trees @tree-x @rg: @git @git: @media"), [""; 0]);
}

#[test]
fn an_unknown_question_to_git_is_an_error_that_points_at_it() {
    for word in ["git:dif", "git:log", "git:log(0)", "git:log(x)"] {
        let error = take_apart(&source(&format!("a\nb @{word} c")), Rank::Main, &|_| false).unwrap_err();
        assert_eq!(error.code().name(), "flow.import-missing");
        assert_eq!(error.to_string(), format!("`@{word}` is nothing that git is asked here"));
        assert_eq!(error.mark().unwrap().place(), "a.md:2:3");
    }
}

#[test]
fn one_mark_of_the_sentence_is_not_part_of_a_path() {
    for end in ['.', ',', ';', ':', '!', '?', ')', '"', '\'', '’'] {
        let found = pieces(&format!("@./f.md{end} x"));
        assert!(
            matches!(&found[0], ProgramPiece::Wanted(import, _) if *import == file("./f.md", FilePart::Whole)),
            "{end}"
        );
        assert!(matches!(&found[1], ProgramPiece::Text(text) if text.text() == format!("{end} x")));
    }
    assert_eq!(wanted("@./f.md.. @./ @/ @~/, @../"), ["@./f.md."]);
}

#[test]
fn a_mark_is_part_of_the_path_if_there_is_such_a_file() {
    let exists = |path: &str| path == "./f.md." || path == "./what?";
    let found = take_apart(&source("@./f.md. @./what?"), Rank::Main, &exists).unwrap();
    assert!(matches!(&found[0], ProgramPiece::Wanted(import, _) if import.to_string() == "@./f.md."));
    assert!(matches!(&found[2], ProgramPiece::Wanted(import, _) if import.to_string() == "@./what?"));
}

#[test]
fn mail_addresses_and_handles_are_text() {
    for text in [
        "user@example.com",
        "a@b",
        "me@./f",
        "x.@./f",
        "@name",
        "@@./f",
        r"\@./f",
        "@",
        "a @ ./f",
        "@scope/pkg",
    ] {
        assert_plain(text);
    }
}

#[test]
fn nothing_is_wanted_in_code() {
    let fenced = "```\n@./a !`x`\n```\n";
    for text in ["`@./a`", "``@./a ` !`x` ``", fenced, "a\n\n    @./a !`x`\n", "> ~~~\n> @./a\n> ~~~\n"] {
        assert_plain(text);
    }
}

#[test]
fn a_mark_stands_where_the_import_stands() {
    let text = "one\nü @./f.md:1-2.\n".to_owned();
    let source = Arc::new(SourceText { shown: "b.md".to_owned(), first_line: 10, text });
    let found = take_apart(&source, Rank::Imported, &|_| false).unwrap();
    let ProgramPiece::Wanted(_, mark) = &found[1] else { panic!("nothing is wanted") };
    assert_eq!((mark.place().as_str(), mark.length), ("b.md:11:3", 11));
}

#[test]
fn a_span_behind_an_exclamation_mark_is_a_command() {
    assert_eq!(
        commands("a !`git log | head` b !``echo `x` `` `no`", Rank::Main),
        ["git log | head", "echo `x` "]
    );
    assert_eq!(commands("!`` `date` ``", Rank::Imported), ["`date`"]);
    assert_eq!(commands(r"\!`x` ! `x` !` ` !`unclosed", Rank::Main), [""; 0]);
    assert_eq!(commands(r"\\!`x`", Rank::Main), ["x"]);
    assert_eq!(commands("> !`a\n> b`\n", Rank::Main), [""; 0], "the quote's mark would be in it");
}

#[test]
fn a_fence_with_an_interpreter_is_a_command_in_the_main_file() {
    let text = "a\n```sh\n#!/bin/sh\necho {{ x }}\n```\nb";
    assert_eq!(commands(text, Rank::Main), ["#!/bin/sh\necho {{ x }}\n"]);
    assert_eq!(commands(text, Rank::Imported), [""; 0]);
    assert_eq!(commands("```\n#!\nx\n```\n", Rank::Main), [""; 0]);
    assert_eq!(commands("```\n\n#!/bin/sh\n```\n", Rank::Main), [""; 0]);
}

#[test]
fn a_fence_in_a_fence_a_list_or_a_quote_does_not_run() {
    for text in [
        "````\n```sh\n#!/bin/sh\n```\n````\n",
        "- ```\n  #!/bin/sh\n  ```\n",
        "> ```\n> #!/bin/sh\n> ```\n",
        "~~~~\n~~~\n#!/bin/sh\n~~~\n",
    ] {
        assert_eq!(commands(text, Rank::Main), [""; 0], "{text}");
    }
}

#[test]
fn a_text_with_too_much_in_it_is_an_error() {
    let take = |text: &str| take_apart(&source(text), Rank::Imported, &|_| false);
    assert_eq!(take(&"@tree\n".repeat(1000)).unwrap().len(), 2000);
    let error = take(&"@tree\n!`x`\n".repeat(501)).unwrap_err();
    assert_eq!(
        (error.code().name(), error.mark().unwrap().place().as_str()),
        ("flow.import-too-large", "a.md:1001:1")
    );
}

#[test]
fn large_texts_are_read_once() {
    for part in ["\"@tree", "\"@http://", "\"@rg", "- + ", "- ", "> ", "` ``"] {
        let text = part.repeat(100_000) + "=x";
        assert!(
            matches!(pieces(&text).as_slice(), [ProgramPiece::Text(plain)] if plain.text() == text),
            "{part}"
        );
    }
    let long = format!("@./{}", "a".repeat(100_000));
    assert!(wanted(&long) == [long]);
}

#[test]
fn a_fence_that_is_indented_a_little_runs_without_its_indentation() {
    for blanks in ["", " ", "  ", "   "] {
        let text = format!(
            "a\n\n{blanks}```py\n{blanks}#!/usr/bin/env python3\n{blanks}if 1:\n{blanks}    x\n\n{blanks}```\nb"
        );
        assert_eq!(commands(&text, Rank::Main), ["#!/usr/bin/env python3\nif 1:\n    x\n\n"], "{blanks:?}");
        assert_eq!(commands(&text, Rank::Imported), Vec::<String>::new());
    }
    assert_eq!(commands("  ```\n#!/bin/sh\n x\n```\n", Rank::Main), ["#!/bin/sh\nx\n"]);
    assert_plain("```\n #!/bin/sh\n```\n");
    assert_plain("    ```\n    #!/bin/sh\n    ```\n");
}

#[test]
fn marks_around_what_closes_something_end_the_sentence_too() {
    assert_eq!(wanted("(see @https://a.org/b)."), ["@https://a.org/b"]);
    assert_eq!(wanted("\"@https://a.org/b.\""), ["@https://a.org/b"]);
    assert_eq!(wanted("@https://a.org/b_(c)."), ["@https://a.org/b_(c)"]);
    assert_eq!(wanted("@https://a.org/b..."), ["@https://a.org/b.."], "one mark where nothing is closed");
    assert_eq!(wanted("(@./src/*.ts)."), ["@./src/*.ts"]);
    assert_eq!(wanted("(@git:log(3))."), ["@git:log(3)"]);
    assert_eq!(wanted("(@tree). @tree.. @trees"), ["@tree"]);
}

proptest! {
    #[test]
    fn a_text_that_wants_nothing_is_given_back_unchanged(text in "[-`~>#a \t\n1.*\\\\ü{}%$&]{0,80}") {
        if text.is_empty() {
            prop_assert_eq!(pieces(&text), vec![]);
        } else {
            assert_plain(&text);
        }
    }

    #[test]
    fn any_text_is_taken_apart_without_losing_a_character(text in "([@!`.,/ \n#:)~]|git:|tree|rg:|https://|\\PC){0,60}") {
        let Ok(found) = take_apart(&source(&text), Rank::Imported, &|_| false) else { return Ok(()) };
        let back: String = found.into_iter().map(|piece| match piece {
            ProgramPiece::Text(plain) => plain.parts(0..plain.text().len()).into_iter().map(|part| match part {
                AssembledPart::Text(range) => &plain.text()[range],
                AssembledPart::Inset(..) => "",
            }).collect(),
            ProgramPiece::Wanted(import, _) => import.to_string(),
        }).collect();
        let bare = |text: &str| text.replace(['`', '!', ' '], "");
        prop_assert_eq!(bare(&back), bare(&text));
    }
}
