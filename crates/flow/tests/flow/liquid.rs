//! Templates of many shapes, and what each becomes. Recorded when another interpreter still filled them in, and both had
//! made the same of all of them.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use runward_flow::front::Value;
use runward_flow::template::{Scope, Template};
use std::fmt::Write;

fn ours(text: &str) -> Result<String, String> {
    let mut scope = Scope::new();
    scope.set("a", "A word").set("n", Value::Number("3".into()));
    scope.set("l", Value::List(vec![Value::text("x"), Value::text("y")]));
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

#[test]
fn templates_become_what_they_always_became() {
    let mut runner = TestRunner::deterministic();
    let mut all = String::new();
    for _ in 0..400 {
        let text = templates().new_tree(&mut runner).unwrap().current();
        let _ = writeln!(all, "{text:?}\n  {:?}", ours(&text));
    }
    insta::assert_snapshot!(all);
}
