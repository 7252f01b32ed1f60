//! Data and commands in real templates: what filters do to them, and what data cannot do.

use crate::gather_world::World;
use proptest::prelude::*;
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::imports::{Assembled, EmbeddedKind, Inset, SourceText};
use runward_flow::template::{FilledPart, Scope, Template};

fn text(text: &str) -> Assembled {
    SourceText { shown: "t.md".to_owned(), first_line: 1, text: text.to_owned() }.into()
}

/// A template with data where `@` stands, and commands between `<` and `>`.
fn template(written: &str, data: &str) -> Result<Template, FlowError> {
    let mut whole = Assembled::default();
    let mark = text("!`x`").mark(0..4);
    for part in written.split_inclusive(['@', '<', '>']) {
        whole.append(text(part.trim_end_matches(['@', '<', '>'])));
        match part.chars().next_back() {
            Some('@') => whole.insert(Inset::Data(data.into())),
            Some('<') => whole.insert(Inset::CommandBegins(EmbeddedKind::Inline, mark.clone())),
            Some('>') => whole.insert(Inset::CommandEnds),
            _ => {}
        }
    }
    Template::of(whole)
}

/// What it becomes, with commands between `<` and `>`.
fn filled(written: &str, data: &str, x: &str) -> Result<String, FlowError> {
    let mut scope = Scope::new();
    scope.set("x", x);
    let show = |part| match part {
        FilledPart::Text(text) => text,
        FilledPart::Command(command) => format!("<{}>", command.text),
    };
    Ok(template(written, data)?.fill_parts(&scope)?.into_iter().map(show).collect())
}

#[track_caller]
fn complaint(written: &str) -> String {
    let error = filled(written, "Data", "1").unwrap_err();
    assert_eq!(error.code().name(), "flow.bad-template", "{written}");
    error.to_string()
}

#[tokio::test]
async fn data_and_commands_stay_what_they_are_through_a_template() {
    let world = World::new(&[("d.txt", "{{ x }} {% bad")]);
    let gathered =
        world.gather("{{ x }} @./*.txt !`echo {{ x | upcase }}` {% if x %}!`in`{% endif %}").await.unwrap();
    let mut scope = Scope::new();
    scope.set("x", "!`evil` @./d.txt");
    let parts = Template::of(gathered.text).unwrap().fill_parts(&scope).unwrap();
    let show = |part| match part {
        FilledPart::Text(text) => text,
        FilledPart::Command(command) => format!("<{}>", command.text),
    };
    let expected = "!`evil` @./d.txt <d path=\"d.txt\">\n{{ x }} {% bad\n</d> <echo !`EVIL` @./D.TXT> <in>";
    assert_eq!(parts.into_iter().map(show).collect::<String>(), expected);
}

#[tokio::test]
async fn a_template_reads_an_imported_file_as_if_it_were_written_there() {
    let world = World::new(&[("head.md", "{% for i in (1..2) -%}\n"), ("raw.md", "{{ i }}")]);
    let text = "@./head.md\n<{{ i }}>{% endfor %} {% raw %}@./raw.md {% endraw %}";
    let gathered = world.gather(text).await.unwrap();
    let filled = Template::of(gathered.text).unwrap().fill(&Scope::new()).unwrap();
    assert_eq!(filled, "<1><2> {{ i }} ");
}

#[test]
fn filters_of_case_and_white_space_leave_data_and_commands_whole() {
    let cases = [
        ("upcase", "  AData <b>B<Run>C  "),
        ("downcase", "  aData <b>b<Run>c  "),
        ("capitalize", "  aData <b>b<Run>c  "),
        ("strip", "aData <b>b<Run>c"),
        ("lstrip", "aData <b>b<Run>c  "),
        ("rstrip", "  aData <b>b<Run>c"),
        ("strip_html", "  aData <b>b<Run>c  "),
        ("strip_newlines", "  aData <b>b<Run>c  "),
        ("escape", "  aData <b>b<Run>c  "),
        ("escape_once", "  aData <b>b<Run>c  "),
        ("append: x", "  aData <b>b<Run>c  1"),
        ("prepend: x", "1  aData <b>b<Run>c  "),
        ("default: x", "  aData <b>b<Run>c  "),
        ("replace: 'b', 'D'", "  aData <b>D<Run>c  "),
    ];
    for (filter, wanted) in cases {
        let written = format!("{{% capture y %}}  a@b<Run>c  {{% endcapture %}}{{{{ y | {filter} }}}}");
        assert_eq!(filled(&written, "Data <b>", "1").unwrap(), wanted, "{filter}");
    }
}

#[test]
fn filters_that_would_take_data_to_pieces_are_refused() {
    for filter in [
        "truncate: 10",
        "truncatewords: 1",
        "slice: 0, 20",
        "slice: 5, 90",
        "url_encode",
        "url_decode",
        "split: ''",
        "split: '' | reverse | join: ''",
        "first",
        "last",
        "json",
        "q",
        "size",
        "sort",
        "date: '%Y'",
        "replace_first: 'a', 'b'",
        "plus: 1",
    ] {
        for inside in ["@", "a@", "<ls>", "a<ls>b"] {
            let written = format!("{{% capture y %}}{inside}{{% endcapture %}}{{{{ y | {filter} }}}}");
            assert_eq!(complaint(&written), "a filter cut an import or a command in half", "{filter}");
        }
    }
    for filter in ["replace: 'a', y", "join: y", "split: y", "date: y", "plus: y"] {
        let written = format!("{{% capture y %}}@{{% endcapture %}}{{{{ x | {filter} }}}}");
        assert_eq!(complaint(&written), "a filter cut an import or a command in half", "{filter}");
    }
}

#[test]
fn data_may_be_dropped_or_repeated() {
    assert_eq!(filled("{% if x == 'no' %}@<a>{% endif %}", "D", "1").unwrap(), "");
    assert_eq!(
        filled("{% comment %}@<a>{% endcomment %}{% raw %}@<{{>{% endraw %}", "D", "1").unwrap(),
        "D<{{>"
    );
    assert_eq!(filled("{% for i in (1..2) %}@<{{ i }}>{% endfor %}", "D", "1").unwrap(), "D<1>D<2>");
    assert_eq!(filled("{% capture y %}@{% endcapture %}{{ y }}{{ y }}", "D", "1").unwrap(), "DD");
}

#[test]
fn nothing_but_text_may_stand_in_a_command() {
    for captured in ["@", "a@", "<ls>"] {
        let written = format!("{{% capture y %}}{captured}{{% endcapture %}}<echo {{{{ y }}}}>");
        let error = filled(&written, "; rm -rf /", "1").unwrap_err();
        assert_eq!(error.to_string(), "a command has an import or another command inside it");
        assert_eq!(error.mark().unwrap().place(), "t.md:1:1");
    }
}

#[test]
fn a_tag_that_cuts_a_command_in_half_is_refused() {
    for (written, name) in [
        ("{% if x %}<a{% endif %}>", "endif"),
        ("<a{% if x %}>{% endif %}", "if"),
        ("{% for i in (1..2) %}<a{% endfor %}>", "endfor"),
        ("<a{% capture y %}>b{% endcapture %}", "capture"),
    ] {
        assert_eq!(complaint(written), format!("`{name}` cuts a command in half"), "{written}");
    }
    for written in ["{% for i in (1..2) %}<a{% break %}>{% endfor %}", "{% if x %}<a{% else %}>{% endif %}"] {
        assert!(complaint(written).ends_with("stands where it has no meaning"), "{written}");
    }
    assert_eq!(filled("<{% for i in (1..9) %}{{ i }}{% break %}{% endfor %}>", "", "1").unwrap(), "<1>");
}

#[test]
fn data_and_commands_do_not_stand_inside_of_a_tag() {
    for written in
        ["{{ @ }}", "{{ '@' }}", "{% assign y = 'a@b' | upcase %}", "{% if x == '<a>' %}{% endif %}"]
    {
        let said = complaint(written);
        let known =
            ["an import or a command stands inside of a tag", "`\u{fffc}` has no meaning in a template"];
        assert!(known.contains(&said.as_str()), "{written}: {said}");
    }
    assert_eq!(filled("{@{ x }} {<a>% if %}", "D", "1").unwrap(), "{D{ x }} {<a>% if %}");
}

#[test]
fn data_counts_for_the_size_of_what_is_filled() {
    let data = "d".repeat(1024 * 1024);
    let error = filled("{% for i in (1..65) %}@{% endfor %}", &data, "1").unwrap_err();
    assert_eq!(error.to_string(), "the filled template is larger than 64 MiB");
}

proptest! {
    #[test]
    fn a_variable_is_never_data_and_data_is_never_a_template(
        x in "[\u{fffc}{}%@<>`!a ]{0,60}|\\PC{0,60}", data in "[\u{fffc}{}%@<>`!a ]{0,60}|\\PC{0,60}",
    ) {
        let parts = |written: &str| {
            let mut scope = Scope::new();
            scope.set("x", x.as_str());
            template(written, &data).unwrap().fill_parts(&scope).unwrap()
        };
        let joined = |text: String| if text.is_empty() { vec![] } else { vec![FilledPart::Text(text)] };
        prop_assert_eq!(parts("{{ x }}@"), joined(format!("{x}{data}")));
        prop_assert_eq!(parts("{% capture y %}{{ x }}@{% endcapture %}{{ y }}"), joined(format!("{x}{data}")));
    }
}
