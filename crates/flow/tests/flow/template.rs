//! Templates: what they become, which names they need, and what is said where they are wrong.

use proptest::prelude::*;
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::front::Value;
use runward_flow::template::{Scope, Template, missing_variables};

fn parse(text: &str) -> Result<Template, FlowError> {
    Template::parse("task.claude.md", 5, text)
}

fn scope(entries: &[(&str, &str)]) -> Scope {
    let mut scope = Scope::new();
    for (name, value) in entries {
        scope.set(*name, *value);
    }
    scope
}

#[track_caller]
fn filled(text: &str, scope: &Scope) -> String {
    parse(text).unwrap().fill(scope).unwrap()
}

/// The names, with `?` behind those that may be missing.
#[track_caller]
fn reads(text: &str) -> Vec<String> {
    let reads = parse(text).unwrap().reads();
    reads.into_iter().map(|read| if read.optional { read.name + "?" } else { read.name }).collect()
}

#[track_caller]
fn complaint(result: Result<impl std::fmt::Debug, FlowError>) -> String {
    let error = result.unwrap_err();
    let place = error.mark().map(runward_flow::Mark::place).unwrap_or_default();
    format!("{} {place} {error} · {}", error.code().name(), Coded::hint(&error).unwrap_or_default())
}

fn steps() -> Scope {
    let text = |text: &str| Value::text(text);
    let fetch = Value::map(vec![
        ("stdout".into(), text("got it")),
        ("files".into(), Value::List(vec![text("a"), text("b")])),
    ]);
    let mut scope = Scope::new();
    scope.set("steps", Value::map(vec![("fetch".into(), fetch)]));
    scope
}

#[test]
fn names_filters_and_tags_are_filled_in() {
    let mut scope = scope(&[("name", "world"), ("_1", "first"), ("my-name", "dashed"), ("größe", "wide")]);
    scope.set("_args", Value::List(vec![Value::text("x"), Value::text("y")]));
    let cases = [
        ("Hello {{ name }}!", "Hello world!"),
        ("{{name|upcase}}", "WORLD"),
        ("{{ name | truncate: 4, '.' }}", "wor."),
        ("{{ _1 }} {{ my-name }} {{ größe }}", "first dashed wide"),
        ("{{\tname\t}}", "world"),
        ("{% if name == 'world' and _1 %}yes{% else %}no{% endif %}", "yes"),
        ("{% unless name contains 'w' %}a{% else %}b{% endunless %}", "b"),
        ("{% case name %}{% when 'moon' %}1{% when 'sun', 'world' %}2{% else %}3{% endcase %}", "2"),
        (
            "{% for a in _args reversed %}{{ forloop.index }}{{ a }}{% unless forloop.last %},{% endunless %}{% endfor %}",
            "1y,2x",
        ),
        ("{% for i in (1..5) limit: 2 offset: 1 %}{{ i }}{% endfor %}", "23"),
        (
            "{% for i in (1..9) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% endfor %}",
            "13",
        ),
        ("{% for i in (1..3) %}{% cycle 'a', 'b' %}{% endfor %}", "aba"),
        (
            "{% assign x = name | upcase %}{{ x }}{% capture y %}[{{ x }}]{% endcapture %}{{ y }}",
            "WORLD[WORLD]",
        ),
        ("{% raw %}{{ name }} {% if %}{% endraw %}", "{{ name }} {% if %}"),
        ("a{% comment %}{{ nothing | wrong }}{% comment %}x{% endcomment %}{% endcomment %}b", "ab"),
        ("a{% # for people %}b", "ab"),
        ("{% echo name | capitalize %}", "World"),
        ("  {{- name -}}  !", "world!"),
        ("a\n{%- if true -%}\n b \n{%- endif -%}\nc", "abc"),
        ("{{ _args | join: '+' }}{{ _args.size }}{{ _args[1] }}{{ _args.first }}", "x+y2yx"),
        ("{{ '}}' }}{{ \"%}\" }}", "}}%}"),
    ];
    for (text, wanted) in cases {
        assert_eq!(filled(text, &scope), wanted, "{text}");
    }
}

#[test]
fn names_that_begin_like_a_word_of_liquid_are_names() {
    for name in ["empty_list", "nilly", "nullable", "true-ish", "falsehood", "blank2"] {
        assert_eq!(filled(&format!("{{{{ {name} }}}}"), &scope(&[(name, "v")])), "v");
        assert_eq!(reads(&format!("{{% if {name} %}}{{% endif %}}")), [name]);
    }
}

#[test]
fn steps_are_read_like_any_map() {
    assert_eq!(filled("{{ steps.fetch.stdout }}", &steps()), "got it");
    assert_eq!(filled("{{ steps['fetch']['stdout'] | upcase }}", &steps()), "GOT IT");
    assert_eq!(filled("{% for f in steps.fetch.files %}{{ f }};{% endfor %}", &steps()), "a;b;");
    assert_eq!(reads("{{ steps.fetch.stdout }}"), ["steps"]);
}

#[test]
fn a_missing_part_is_an_error_that_knows_the_nearest_one() {
    assert_eq!(
        complaint(parse("one\n{{ steps.fech.stdout }}").unwrap().fill(&steps())),
        "flow.missing-variable task.claude.md:6:4 `steps` has no `fech` · Write `fetch` if that is what is meant."
    );
    let loops = parse("{% for s in steps %}{{ s[1].nothing }}{% endfor %}").unwrap().fill(&steps());
    assert!(complaint(loops).contains("`s` has no `nothing`"));
}

#[test]
fn a_missing_part_is_nil_in_conditions_and_behind_default() {
    let cases = [
        ("{% if steps.skipped %}{{ steps.skipped.stdout }}{% else %}none{% endif %}", "none"),
        ("{{ steps.skipped.stdout | default: 'none' }}", "none"),
        ("{% for s in steps %}{{ s[1].x | default: 'none' }}{% endfor %}", "none"),
        ("{% assign s = steps.fetch %}{{ s.x.y | default: 'none' }}", "none"),
        (
            "{% if steps.x contains 'a' or steps.y > 1 or steps.z == 'b' %}some{% else %}none{% endif %}",
            "none",
        ),
        ("{{ steps.x | default: nil | q }}{{ steps.x | default: nil | size }}", "''0"),
        ("{% if steps.x == nil and steps.y == empty %}none{% endif %}", "none"),
        ("{% case steps.other.x %}{% when 1 %}one{% else %}none{% endcase %}", "none"),
    ];
    for (text, wanted) in cases {
        assert_eq!(filled(text, &steps()), wanted, "{text}");
    }
}

#[test]
fn the_names_a_template_reads_are_the_ones_it_does_not_make() {
    let cases: [(&str, &[&str]); 16] = [
        ("nothing", &[]),
        ("{{ a }}{{ b.c.d }}{{ a }}", &["a", "b"]),
        ("{% for x in xs %}{{ x.y }}{{ forloop.index }}{% endfor %}", &["xs"]),
        ("{% for x in xs %}{% else %}{{ x }}{% endfor %}", &["xs", "x"]),
        ("{% for x in xs %}{% endfor %}{{ x }}", &["xs", "x"]),
        ("{% for i in (from..to) limit: n %}{{ i }}{% endfor %}", &["from", "to", "n"]),
        ("{% assign x = y | append: z %}{{ x }}", &["y", "z"]),
        ("{% assign x = x %}{{ x }}", &["x"]),
        ("{% capture x %}{{ y }}{% endcapture %}{{ x }}", &["y"]),
        ("{% raw %}{{ a }}{% endraw %}{% comment %}{{ b }}{% endcomment %}", &[]),
        ("{{ a | default: 'x' }}{{ b | upcase | default: c }}", &["a?", "b?", "c"]),
        ("{{ a | default: 'x' }}{{ a }}", &["a"]),
        ("{% if a == b and c %}{% elsif d contains 'x' %}{% endif %}", &["a", "b", "c", "d"]),
        ("{% case a %}{% when b or c %}{% endcase %}", &["a", "b", "c"]),
        ("{{ a[b.c][0] }}{{ 'text' }}{{ 1.5 }}{{ nil }}{{ true }}", &["a", "b"]),
        ("{{ _stdin }}{{ _1 }}{{ _args }}{% cycle g: x, y %}", &["_stdin", "_1", "_args", "g", "x", "y"]),
    ];
    for (text, wanted) in cases {
        assert_eq!(reads(text), wanted, "{text}");
    }
}

#[test]
fn all_missing_names_are_in_one_error() {
    let text = "{{ a }}\n{{ b }} {{ c | default: 'x' }} {{ a }} {{ d }}";
    assert_eq!(
        complaint(parse(text).unwrap().fill(&scope(&[("d", "")]))),
        "flow.missing-variable task.claude.md:5:4 Missing required template variable: a, b · \
         Give a value with `--a VALUE`, `--b VALUE`."
    );
    assert_eq!(
        parse("{{ x }}").unwrap().fill(&Scope::new()).unwrap_err().to_string(),
        "Missing required template variable: x"
    );
    assert_eq!(missing_variables(&[]), None);
}

#[test]
fn a_mistake_is_named_at_its_place_with_the_nearest_name() {
    let cases = [
        ("x {{ a | upcas }}", "5:10 no filter is named `upcas` · Write `upcase` if that is what is meant."),
        ("\n\nö {% iff a %}", "7:6 no tag is named `iff` · Write `if` if that is what is meant."),
        (
            "{% render 'a' %}",
            "5:4 no tag is named `render` · Write `@./file.md` outside of tags to put a file in.",
        ),
        (
            "a {{ b",
            "5:3 `{{` is not closed · Close it with `}}`, or put the text between `{% raw %}` and `{% endraw %}`.",
        ),
        ("{% if a %}b", "5:1 `if` does not end · Write `{% endif %}` where it ends."),
        ("{% raw %}b", "5:1 `raw` does not end · Write `{% endraw %}` where it ends."),
        ("{% for a in b %}{% endif %}", "5:1 `for` does not end · Write `{% endfor %}` where it ends."),
        (
            "{% endif %}",
            "5:1 `endif` stands where it has no meaning · Remove it, or write the tag that it ends.",
        ),
        ("{% break %}", "5:1 `break` stands where it has no meaning · Put it inside of `for`."),
        (
            "{{ }}",
            "5:1 nothing stands between `{{` and `}}` · \
          Write a name there, or put the text between `{% raw %}` and `{% endraw %}`.",
        ),
        (
            "{{ a b }}",
            "5:6 `b` stands where the end of the tag belongs · \
          Put text that is no template between `{% raw %}` and `{% endraw %}`.",
        ),
        (
            "{{ 99999999999999999999 }}",
            "5:4 `99999999999999999999` is too large a number · Write it as a text, in quotes.",
        ),
        (
            "{{ a $ }}",
            "5:6 `$` has no meaning in a template · \
          Remove it, or put the text between `{% raw %}` and `{% endraw %}`.",
        ),
        ("{{ 'a }}", "5:4 a text in a template does not end · Close the text with `'`."),
        (
            "{% if a | upcase == 'X' %}{% endif %}",
            "5:1 a filter stands in a condition · \
          Give the filtered value a name with `assign` first.",
        ),
    ];
    for (text, wanted) in cases {
        assert_eq!(complaint(parse(text)), format!("flow.bad-template task.claude.md:{wanted}"), "{text}");
    }
}

#[test]
fn a_filter_that_gets_too_much_is_an_error_at_its_tag() {
    let said = complaint(parse("a {{ x | upcase: 1, 2 }}"));
    assert!(said.starts_with("flow.bad-template task.claude.md:5:3 the template cannot be read: "), "{said}");
    let said = complaint(parse("{{ x | divided_by: 0 }}").unwrap().fill(&scope(&[("x", "1")])));
    assert!(
        said.starts_with("flow.bad-template task.claude.md:5:1 the template cannot be filled: "),
        "{said}"
    );
}

#[test]
fn shell_words_are_quoted_so_that_a_shell_sees_one_word() {
    let mut scope = scope(&[("x", "it's $HOME `id`\n"), ("e", "")]);
    scope.set("list", Value::List(vec![Value::text("a b"), Value::text("c")]));
    assert_eq!(filled("{{ x | q }}", &scope), "'it'\\''s $HOME `id`\n'");
    assert_eq!(filled("{{ x | shell_escape }}", &scope), "'it'\\''s $HOME `id`\n'");
    assert_eq!(filled("{{ e | q }}{{ list | q }}", &scope), "'''a b' 'c'");
    assert_eq!(filled("{{ list | json }}{{ x | json }}", &scope), "[\"a b\",\"c\"]\"it's $HOME `id`\\n\"");
}

#[test]
fn numbers_are_written_as_they_were_and_count_all_the_same() {
    let mut scope = Scope::new();
    scope.set("n", Value::Number("1.0".into())).set("big", Value::Number("12345678901234567890".into()));
    scope.set("yes", true);
    assert_eq!(filled("{{ n }} {{ big }} {{ yes }}", &scope), "1.0 12345678901234567890 true");
    assert_eq!(filled("{% if n == 1 and n < 2 %}{{ n | plus: 1 }}{% endif %}", &scope), "2");
    assert_eq!(filled("{% assign m = n %}{{ m }}{% for i in (1..2) %}x{% endfor %}", &scope), "1.0xx");
}

#[test]
fn the_size_of_a_text_is_counted_in_characters() {
    let mut scope = scope(&[("x", "größe")]);
    scope.set("m", Value::map(vec![("n".into(), Value::text("öl")), ("l".into(), Value::List(vec![]))]));
    let text = "{{ x.size }} {{ x | size }} {{ 'ä' | size }} {{ m.n.size }} {{ m.size }} {{ m.l.size }}";
    assert_eq!(filled(text, &scope), "5 5 1 2 2 0");
}

#[test]
fn a_text_is_one_item_of_a_loop_and_an_empty_one_none() {
    let scope = scope(&[("one", "a b"), ("none", "")]);
    assert_eq!(
        filled("{% for x in one %}[{{ x }}]{% endfor %}{% for x in none %}y{% else %}-{% endfor %}", &scope),
        "[a b]-"
    );
}

#[test]
fn loops_and_names_cost_no_more_than_they_may() {
    let cases = [
        (
            "{% for i in (1..1000000000) %}{% endfor %}",
            "the loops of the template take more than 1000000 rounds",
        ),
        (
            "{% for i in (1..2000) %}{% for j in (1..2000) %}{% endfor %}{% endfor %}",
            "the loops of the template take more than 1000000 rounds",
        ),
        (
            "{% assign a = 'aaaaaaaaaaaaaaaa' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}",
            "the filled template is larger than 64 MiB",
        ),
        (
            "{% assign a = 'aaaaaaaa' %}{% for i in (1..15) %}{% assign a = a | append: a %}{% endfor %}\
             {% for i in (1..1000) %}{{ a }}{% endfor %}",
            "the filled template is larger than 64 MiB",
        ),
    ];
    for (text, wanted) in cases {
        let error = parse(text).unwrap().fill(&Scope::new()).unwrap_err();
        assert_eq!(
            (error.code().name(), error.to_string().as_str()),
            ("flow.bad-template", wanted),
            "{text}"
        );
    }
}

#[test]
fn a_filter_makes_no_more_than_there_is_room_for() {
    let grown = "{% assign a = 'aaaaaaaa' %}{% for i in (1..13) %}{% assign a = a | append: a %}{% endfor %}";
    let cases = [
        ("{{ a | replace: '', a }}", "the filled template is larger than 64 MiB"),
        ("{{ a | replace: 'a', a | size }}", "the filled template is larger than 64 MiB"),
        ("{% assign l = a | split: '' %}{{ l | join: a }}", "the filled template is larger than 64 MiB"),
        ("{% assign l = a | split: '' %}{{ l | concat: l | concat: l | concat: l | size }}", ""),
        (
            "{% for i in (1..100000) %}{% assign b = a | upcase | size %}{% endfor %}",
            "the filters of the template go through more than 1024 MiB",
        ),
        (
            "{% for i in (1..100000) %}{% if a contains 'x' %}{% endif %}{% endfor %}",
            "the filters of the template go through more than 1024 MiB",
        ),
        (
            "{{ '0' | date: '%9999999999d' }}",
            "the template cannot be filled: `date` cannot write a date as `%9999999999d`",
        ),
        (
            "{% assign f = a | replace: 'a', '%1024d' %}{{ '0' | date: f }}",
            "the filled template is larger than 64 MiB",
        ),
    ];
    for (text, wanted) in cases {
        let said = parse(&format!("{grown}{text}")).unwrap().fill(&Scope::new());
        let said = said.err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(said, wanted, "{text}");
    }
}

#[test]
fn numbers_that_are_too_large_are_an_error_and_never_another_number() {
    let most = "9223372036854775807";
    for text in [
        format!("{most} | plus: 1"),
        format!("-{most} | minus: 2"),
        format!("{most} | times: 2"),
        "'-9223372036854775808' | abs".to_owned(),
        "'-9223372036854775808' | divided_by: -1".to_owned(),
        "'-9223372036854775808' | modulo: -1".to_owned(),
        format!("1.5 | round: {most}"),
    ] {
        let said = complaint(parse(&format!("{{{{ {text} }}}}")).unwrap().fill(&Scope::new()));
        assert!(said.contains("the template cannot be filled: `"), "{text}: {said}");
    }
    assert_eq!(filled(&format!("{{{{ 'abc' | slice: 1, {most} }}}}"), &Scope::new()), "bc");
    assert_eq!(filled(&format!("{{{{ 'abc' | slice: -{most}, 2 }}}}"), &Scope::new()), "");
}

#[test]
fn a_list_of_everything_can_be_sorted() {
    let mut scope = Scope::new();
    let number = |text: &str| Value::Number(text.to_owned());
    let kinds = [number("9007199254740993"), Value::text("b"), Value::Null, number("1.0"), Value::Bool(true)];
    let more = [number("9007199254740992.0"), Value::List(vec![]), number("nan"), number("9007199254740992")];
    let many = kinds.iter().chain(&more).cycle().take(300).cloned().collect();
    scope.set("l", Value::List(many));
    let sorted = filled("{{ l | sort | join: ' ' }}", &scope);
    assert!(sorted.starts_with("1.0 1.0 "), "{sorted}");
    assert!(sorted.trim_end().ends_with("true true"), "{sorted}");
}

#[test]
fn now_is_what_the_template_is_told() {
    let mut scope = scope(&[("x", "Now")]);
    assert_eq!(filled("{{ x | date: '%Y' }}", &scope), "Now");
    scope.now = Some(std::time::UNIX_EPOCH + std::time::Duration::from_secs(86_400));
    assert_eq!(filled("{{ x | date: '%F' }} {{ 'today' | date: '%j' }}", &scope), "1970-01-02 002");
}

#[test]
fn an_error_of_a_filter_names_it_and_points_at_its_tag() {
    assert_eq!(
        complaint(parse("{% if a %}\n  {{ a | join }}{% endif %}").unwrap().fill(&scope(&[("a", "x")]))),
        "flow.bad-template task.claude.md:6:3 the template cannot be filled: `join` takes a list, not `x` · \
         Look up what the filters take."
    );
    assert_eq!(
        complaint(parse("{{ a | replace }}")),
        "flow.bad-template task.claude.md:5:1 the template cannot be read: `replace` takes 1 to 2 arguments, not 0 · \
         Look up what the tag and its filters take."
    );
}

#[test]
fn a_group_of_cycle_goes_round_together() {
    let text = "{% cycle g: 'a', 'b' %}{% cycle g: 'a', 'b' %}{% cycle 'h': 1, 2, 3 %}{% cycle 'h': 1, 2, 3 %}\
                {% cycle g, 'x' %}{% cycle g, 'x' %}";
    assert_eq!(filled(text, &scope(&[("g", "G")])), "ab12Gx");
}

#[test]
fn what_stands_too_deep_is_refused_before_it_recurs() {
    let deep = |count: usize| format!("{}{}", "{% if a %}".repeat(count), "{% endif %}".repeat(count));
    assert_eq!(filled(&deep(64), &scope(&[("a", "")])), "");
    assert_eq!(parse(&deep(65)).unwrap_err().to_string(), "tags stand too deep in tags");
    assert_eq!(parse(&deep(100_000)).unwrap_err().to_string(), "tags stand too deep in tags");
    let chain = format!("{{% if a %}}{}{{% endif %}}", "{% elsif a %}".repeat(100));
    assert_eq!(parse(&chain).unwrap_err().to_string(), "tags stand too deep in tags");
    let brackets = format!("{{{{ {}a{} }}}}", "a[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(parse(&brackets).unwrap_err().to_string(), "brackets stand too deep in brackets");
    let long = format!("{{% if a{} %}}{{% endif %}}", " or a".repeat(1000));
    assert_eq!(parse(&long).unwrap_err().to_string(), "a condition has too many parts");
}

#[test]
fn a_megabyte_of_blanks_is_no_work() {
    let blanks = " ".repeat(1_000_000);
    let text = format!("{{% if a %}}{blanks}x{{% endif %}}{blanks}{{{{ a }}}}");
    assert_eq!(filled(&text, &scope(&[("a", "1")])).len(), 2_000_002);
}

#[test]
fn private_and_unusual_signs_pass_through_unchanged() {
    let text = "\u{f0000}12\u{f0001} {{ a }} \u{e000}\u{10ffff}{% if a %}\u{f0000}x{{ a }}\u{f0001}{% endif %}\u{fffc}";
    assert_eq!(
        filled(text, &scope(&[("a", "1")])),
        "\u{f0000}12\u{f0001} 1 \u{e000}\u{10ffff}\u{f0000}x1\u{f0001}\u{fffc}"
    );
}

/// Text with many of the signs that templates are made of.
fn tricky() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("{{".to_owned()),
        Just("}}".to_owned()),
        Just("{%".to_owned()),
        Just("%}".to_owned()),
        Just("-".to_owned()),
        Just(" if ".to_owned()),
        Just(" endif ".to_owned()),
        Just(" for x in ".to_owned()),
        Just(" endfor ".to_owned()),
        Just(" raw ".to_owned()),
        Just(" endraw ".to_owned()),
        Just(" a.b ".to_owned()),
        Just(" | default: ".to_owned()),
        Just(" | times: ".to_owned()),
        Just("'".to_owned()),
        Just("(1..3)".to_owned()),
        Just("9223372036854775807".to_owned()),
        Just("[".to_owned()),
        Just("]".to_owned()),
        Just(" assign a = ".to_owned()),
        Just(" truncate: -1 ".to_owned()),
        "\\PC{0,3}",
        "[a-z{}%|:. ]{0,6}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn text_without_tags_is_unchanged(text in "[^{]{0,200}|(\\{[^{%]){0,20}") {
        prop_assert_eq!(filled(&text, &Scope::new()), text);
    }

    #[test]
    fn any_value_is_written_as_it_is(value in tricky(), before in "[a-z \n]{0,9}") {
        let scope = scope(&[("x", &value)]);
        prop_assert_eq!(filled(&format!("{before}{{{{ x }}}}!"), &scope), format!("{before}{value}!"));
        prop_assert_eq!(filled("{% for i in (1..2) %}{{ x }}{% endfor %}", &scope), format!("{value}{value}"));
        prop_assert_eq!(filled("{% capture y %}{{ x }}{% endcapture %}{{ y }}", &scope), value);
    }

    #[test]
    fn any_text_in_raw_is_text(text in tricky()) {
        let text = text.replace("endraw", "end");
        prop_assert_eq!(filled(&format!("{{% raw %}}{text}{{% endraw %}}"), &Scope::new()), text);
    }

    #[test]
    fn any_text_is_filled_or_refused(text in tricky()) {
        if let Ok(template) = parse(&text) {
            let mut scope = Scope::new();
            for read in template.reads() {
                scope.set(read.name, "7");
            }
            let _ = template.fill(&scope);
        }
    }
}
