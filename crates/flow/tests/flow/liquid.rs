//! Our reader of templates beside the one of the Liquid crate: where the crate can read a text, both make the same of it.

use liquid_core::parser::parse;
use liquid_core::runtime::RuntimeBuilder;
use liquid_core::{Language, Object, Renderable, Template as Crates, Value};
use liquid_lib::stdlib as lib;
use proptest::prelude::*;
use runward_flow::template::{Datum, Scope, Template};
use std::sync::OnceLock;

fn language() -> &'static Language {
    static LANGUAGE: OnceLock<Language> = OnceLock::new();
    LANGUAGE.get_or_init(|| {
        let mut all = Language::empty();
        all.blocks.register("if".into(), lib::IfBlock.into());
        all.blocks.register("unless".into(), lib::UnlessBlock.into());
        all.blocks.register("case".into(), lib::CaseBlock.into());
        all.blocks.register("for".into(), lib::ForBlock.into());
        all.blocks.register("capture".into(), lib::CaptureBlock.into());
        all.blocks.register("raw".into(), lib::RawBlock.into());
        all.blocks.register("comment".into(), lib::CommentBlock.into());
        all.tags.register("assign".into(), lib::AssignTag.into());
        all.tags.register("cycle".into(), lib::CycleTag.into());
        all.tags.register("break".into(), lib::BreakTag.into());
        all.filters.register("upcase".into(), Box::new(lib::Upcase));
        all.filters.register("append".into(), Box::new(lib::Append));
        all.filters.register("truncate".into(), Box::new(lib::Truncate));
        all.filters.register("join".into(), Box::new(lib::Join));
        all.filters.register("plus".into(), Box::new(lib::Plus));
        all
    })
}

fn crates_own(text: &str) -> Result<String, String> {
    let mut globals = Object::new();
    globals.insert("a".into(), Value::scalar("A word"));
    globals.insert("n".into(), Value::scalar(3_i64));
    globals.insert("l".into(), Value::Array(vec![Value::scalar("x"), Value::scalar("y")]));
    let runtime = RuntimeBuilder::new().set_globals(&globals).build();
    let template = Crates::new(parse(text, language()).map_err(|error| error.to_string())?);
    template.render(&runtime).map_err(|error| error.to_string())
}

fn ours(text: &str) -> Result<String, String> {
    let mut scope = Scope::new();
    scope.set("a", "A word").set("n", Datum::Number("3".into()));
    scope.set("l", Datum::List(vec![Datum::text("x"), Datum::text("y")]));
    let template = Template::parse("a.md", 1, text).map_err(|error| error.to_string())?;
    template.fill(&scope).map_err(|error| error.to_string())
}

/// Templates that both can read.
fn templates() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec![
        "a",
        "n",
        "'t'",
        "\"}} %}\"",
        "l.size",
        "l[0]",
        "l.last",
        "1.5",
        "-2",
        "true",
        "nil",
    ]);
    let filter = prop::sample::select(vec![
        "",
        " | upcase",
        "|append:a",
        " | truncate: 4, '.'",
        " | append: 'x' | upcase",
    ]);
    let opens = prop::sample::select(vec![("{{", "}}"), ("{{- ", " -}}"), ("{{ ", "-}}"), ("{{-", " }}")]);
    let test = prop::sample::select(vec![
        "a",
        "n > 2",
        "a contains 'w' and n == 3",
        "nil or a != 'b'",
        "l == empty",
        "n <= -1",
    ]);
    let text = prop_oneof!["[a-z \n}%]{0,8}", Just("{ ".to_owned()), Just("ü\u{f0000}".to_owned())];
    let output = (opens, value.clone(), filter.clone())
        .prop_map(|((open, close), value, filter)| format!("{open}{value}{filter}{close}"));
    let raw = "[a-z {}|]{0,8}".prop_filter("no tag", |text| !text.contains("{{") && !text.ends_with('{'));
    let leaf = prop_oneof![
        3 => text,
        3 => output,
        1 => raw.clone().prop_map(|text| format!("{{% raw %}}{text}{{% endraw %}}")),
        1 => raw.prop_map(|text| format!("{{%- comment -%}}{text}{{%- endcomment %}}")),
        1 => (value.clone(), filter).prop_map(|(value, filter)| format!("{{% assign v = {value}{filter} %}}{{{{ v }}}}")),
        1 => Just("{{ l | join: ', ' }}{% cycle 'p', 'q' %}".to_owned()),
    ];
    leaf.prop_recursive(4, 32, 4, move |inner| {
        let body = prop::collection::vec(inner, 0..4).prop_map(|parts| parts.concat());
        prop_oneof![
            2 => body.clone(),
            1 => (test.clone(), body.clone(), body.clone())
                .prop_map(|(test, yes, no)| format!("{{% if {test} -%}}{yes}{{% else %}}{no}{{%- endif %}}")),
            1 => (test.clone(), body.clone()).prop_map(|(test, body)| format!("{{%unless {test}%}}{body}{{%endunless%}}")),
            1 => body.clone().prop_map(|body| format!("{{% for i in l %}}{{{{ forloop.index }}}}{{{{ i }}}}{body}{{% endfor %}}")),
            1 => body.clone().prop_map(|body| {
                format!("{{% for i in (1..n) reversed limit: 2 %}}{body}{{% if forloop.last %}}{{% break %}}{{% endif %}}{{{{i}}}}{{% endfor %}}")
            }),
            1 => (value.clone(), body.clone(), body.clone())
                .prop_map(|(value, one, two)| format!("{{% case {value} %}}{{% when 3, 't' %}}{one}{{% else %}}{two}{{% endcase %}}")),
            1 => body.prop_map(|body| format!("{{% capture c %}}{body}{{% endcapture %}}[{{{{ c }}}}]")),
        ]
    })
}

proptest! {
    #[test]
    fn both_readers_make_the_same_of_a_template(text in templates()) {
        prop_assert_eq!(ours(&text), crates_own(&text), "{}", text);
    }
}
