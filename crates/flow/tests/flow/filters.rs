//! What every filter, comparison and date becomes, over many values: recorded, so that a change of it is seen.

use runward_flow::front::Value;
use runward_flow::template::{Scope, Template};
use std::fmt::Write;

fn list(items: &[Value]) -> Value {
    Value::List(items.to_vec())
}

fn map(key: &str, value: Value) -> Value {
    Value::map(vec![(key.to_owned(), value)])
}

fn number(text: &str) -> Value {
    Value::Number(text.to_owned())
}

fn texts(items: &[&str]) -> Value {
    Value::List(items.iter().map(|item| Value::text(*item)).collect())
}

/// Names with values of every kind.
fn scope() -> Scope {
    let mut scope = Scope::new();
    scope.set("words", "A word, another  Word").set("wide", "größe").set("none", "");
    scope.set("padded", "  two\n words \t").set("digits", "42").set("fraction", "-2.5");
    scope.set("html", "<p>a & \"b\" &lt; 'c'</p><SCRIPT>x</script>\n<!-- y --><style>z</style>+1%20<b");
    scope.set("n", number("7")).set("minus", number("-3")).set("f", number("2.5"));
    scope.set("written", number("1.0")).set("large", number("12345678901234567890"));
    scope.set("yes", true).set("no", false);
    scope.set("letters", texts(&["b", "A", "c", "a", "b"])).set("nothing", list(&[]));
    scope.set("counts", list(&[number("3"), number("1"), number("10"), number("1")]));
    scope.set("gaps", list(&[number("2"), Value::Null, Value::text("x"), Value::Bool(true)]));
    let people = [map("name", Value::text("bo")), map("name", Value::text("Al")), map("age", number("3"))];
    scope.set("people", list(&people)).set("one", map("name", Value::text("bo")));
    scope
}

const INPUTS: &[&str] = &[
    "words", "wide", "none", "padded", "digits", "fraction", "html", "n", "minus", "f", "written", "large",
    "yes", "no", "letters", "nothing", "counts", "gaps", "people", "one", "nil", "'text'", "3", "1.50",
];

const CALLS: &[&str] = &[
    "abs",
    "append: 'x'",
    "append: n",
    "append: letters",
    "append",
    "append: 'a', 'b'",
    "at_least: 5",
    "at_least: 2.6",
    "at_least: 'x'",
    "at_most: 5",
    "at_most: digits",
    "capitalize",
    "ceil",
    "compact",
    "compact: 'name'",
    "concat: counts",
    "concat: 'x'",
    "date: '%Y'",
    "date: ''",
    "default: 'd'",
    "default: 1",
    "default: nil",
    "divided_by: 2",
    "divided_by: 2.0",
    "divided_by: 0",
    "divided_by: 'x'",
    "downcase",
    "escape",
    "escape_once",
    "first",
    "floor",
    "join",
    "join: ', '",
    "join: 1",
    "json",
    "last",
    "lstrip",
    "map: 'name'",
    "map: 'none'",
    "minus: 2",
    "minus: 0.5",
    "modulo: 4",
    "modulo: 0",
    "modulo: 1.5",
    "newline_to_br",
    "plus: 2",
    "plus: 2.0",
    "plus: '3'",
    "prepend: 'x'",
    "q",
    "remove: 'o'",
    "remove_first: 'o'",
    "remove: ''",
    "replace: 'o', 'OO'",
    "replace: 'o'",
    "replace: '', '-'",
    "replace_first: 'o', '0'",
    "reverse",
    "round",
    "round: 1",
    "round: -1",
    "rstrip",
    "shell_escape",
    "size",
    "size: 1",
    "slice: 1",
    "slice: 1, 3",
    "slice: -3, 2",
    "slice: 0, 99",
    "slice: 99, 2",
    "slice: 0, 0",
    "slice: 'x'",
    "sort",
    "sort: 'name'",
    "sort_natural",
    "sort_natural: 'name'",
    "split: ' '",
    "split: ''",
    "split: 'o'",
    "strip",
    "strip_html",
    "strip_newlines",
    "times: 3",
    "times: 1.5",
    "truncate: 5",
    "truncate: 5, ''",
    "truncate: 9, ', etc'",
    "truncate: 99",
    "truncate",
    "truncate: 'x'",
    "truncatewords: 2",
    "truncatewords: 1, '--'",
    "truncatewords",
    "uniq",
    "upcase",
    "url_decode",
    "url_encode",
    "where: 'name'",
    "where: 'name', 'bo'",
    "where: 'age', 3",
    "upcase: 1",
    "upcase: a: 1",
    "append: string: 'x'",
];

/// The text that a template becomes, or when it failed.
fn filled(text: &str, scope: &Scope) -> String {
    match Template::parse("t.md", 1, text) {
        Err(_) => "cannot be read".to_owned(),
        Ok(template) => match template.fill(scope) {
            Err(_) => "cannot be filled".to_owned(),
            Ok(filled) => format!("{filled:?}"),
        },
    }
}

#[test]
fn every_filter_makes_of_every_value_what_it_always_made() {
    let scope = scope();
    let mut all = String::new();
    for call in CALLS {
        let _ = writeln!(all, "{call}");
        for input in INPUTS {
            let plain = filled(&format!("{{{{ {input} | {call} }}}}"), &scope);
            let json = filled(&format!("{{{{ {input} | {call} | json }}}}"), &scope);
            let text = serde_json::to_string(&plain).ok();
            // A text says nothing more as JSON.
            let typed = if Some(&json) == text.as_ref() || json == plain { "" } else { &json };
            let _ = writeln!(all, "  {input:9} {plain} {typed}");
        }
    }
    let lines: Vec<&str> = all.lines().map(str::trim_end).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_comparison_of_two_values_says_what_it_always_said() {
    let scope = scope();
    let mut all = String::new();
    let values: Vec<&str> = INPUTS.iter().copied().chain(["empty", "blank", "true", "7.0", "'42'"]).collect();
    for sign in ["==", "!=", "<", "<=", ">", ">=", "<>", "contains"] {
        let _ = writeln!(all, "{sign}");
        for left in &values {
            let said: String = values
                .iter()
                .map(|right| {
                    let text = format!("{{% if {left} {sign} {right} %}}1{{% else %}}-{{% endif %}}");
                    match filled(&text, &scope).as_str() {
                        "\"1\"" => '1',
                        "\"-\"" => '-',
                        _ => '!',
                    }
                })
                .collect();
            let _ = writeln!(all, "  {left:9} {said}");
        }
    }
    insta::assert_snapshot!(all);
}

#[test]
fn every_date_is_written_as_it_always_was() {
    let moments = [
        "2016-02-16 10:00:09 +0100",
        "1999-12-31 23:59:59",
        "2021-01-03 00:00:00",
        "2024-02-29 12:30:00.012345 -0330",
        "05 January 2020 01:02:03",
        "05 Jan 2020 01:02:03 +1900",
        "12/30/2019 13:00:00",
        "Tue Feb 6 10:00:00 2016",
        "0",
        "1700000000",
        "-86401",
        "2016-02-16",
        "2016-02-30 10:00:00",
        "tomorrow",
        "",
        "16/02/2016 10:00:00",
        "2016-2-16 10:00:00",
        "2016-02-16 24:00:00",
        "99999999999999",
        "5 Jan 2020 01:02:03",
        "2016-02-16T10:00:00Z",
    ];
    let formats = [
        "%Y-%m-%d %H:%M:%S",
        "%C %y %e %k %l %I %j %w %u %U %W %G %g %V %s",
        "%b %h %B %a %A %P %p",
        "%F|%v|%R|%D|%x|%T|%X|%r|%c",
        "%%|%n|%t|%L|%N|%3N|%12N|%z|%:z|%::z|%Z|%:::z",
        "%-d %-m %_m %_3d %05d %^a %^B %#p %#a %10A %-10A %010a %10F %_10T %010F",
        "%Ey %Od %E %Q %!",
        "%10z %_10z %-z %3% %-H:%-M",
        "plain",
        "%",
        "%5",
        "%-",
        "%^v %#c %_e %0e %0l %_Y %8Y %-8Y %+Y",
    ];
    let mut all = String::new();
    for moment in moments {
        let _ = writeln!(all, "{moment}");
        for format in formats {
            let mut scope = Scope::new();
            scope.set("x", moment).set("format", format);
            let _ = writeln!(all, "  {format} → {}", filled("{{ x | date: format }}", &scope));
        }
    }
    insta::assert_snapshot!(all);
}
