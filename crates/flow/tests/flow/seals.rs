//! Seals in real templates: what filters do to them, and what data cannot do.

use crate::gather_world::{World, prompt};
use proptest::prelude::*;
use runward::Coded;
use runward_flow::imports::{Opened, Seals};
use runward_flow::template::{Scope, Template};

/// Fills a template with one variable.
fn fill(template: &str, x: &str) -> String {
    let mut scope = Scope::new();
    scope.set("x", x);
    Template::parse("t.md", 1, template).unwrap().fill(&scope).unwrap()
}

#[tokio::test]
async fn data_and_commands_stay_what_they_are_through_a_template() {
    let world = World::new(&[("d.txt", "{{ x }} {% bad")]);
    let gathered =
        world.gather("{{ x }} @./*.txt !`echo {{ x | upcase }}` {% if x %}!`in`{% endif %}").await.unwrap();
    let mut filled = gathered.clone();
    let text = fill(gathered.text.text(), "!`evil` @./d.txt");
    filled.text = runward_flow::imports::Assembled::default();
    filled.text.mark(&text);
    let expected = "!`evil` @./d.txt <d path=\"d.txt\">\n{{ x }} {% bad\n</d> <echo !`EVIL` @./D.TXT> <in>";
    assert_eq!(prompt(&filled), expected);
}

#[test]
fn filters_of_case_and_white_space_leave_a_seal_whole() {
    for filter in [
        "upcase",
        "downcase",
        "capitalize",
        "strip",
        "lstrip",
        "rstrip",
        "strip_html",
        "strip_newlines",
        "escape",
        "escape_once",
    ] {
        let mut seals = Seals::new(0xfeed_0000_beef_0000_feed_0000_beef_1234);
        let seal = seals.seal_data("Data <b>");
        let filled =
            fill(&format!("{{% capture y %}}  {seal}  {{% endcapture %}}{{{{ y | {filter} }}}}"), "");
        let opened = seals.open(&filled).unwrap();
        let [Opened::Text(text)] = opened.as_slice() else { panic!("{filter}") };
        assert_eq!(text.trim(), "Data <b>", "{filter}");
    }
}

#[test]
fn filters_that_take_a_seal_to_pieces_are_found() {
    for filter in
        ["truncate: 10", "slice: 0, 20", "slice: 5, 90", "url_encode", "split: '' | reverse | join: ''"]
    {
        let mut seals = Seals::new(0xfeed_0000_beef_0000_feed_0000_beef_1234);
        let seal = seals.seal_data("data");
        let filled = fill(&format!("{{% capture y %}}{seal}{{% endcapture %}}{{{{ y | {filter} }}}}"), "");
        let error = seals.open(&filled).unwrap_err();
        assert_eq!(error.code().name(), "flow.bad-template", "{filter}");
    }
}

proptest! {
    #[test]
    fn a_variable_is_never_a_seal(nonce: u128, x in "\\PC{0,60}") {
        let mut seals = Seals::new(nonce);
        let seal = seals.seal_data("secret");
        let filled = fill(&format!("{{{{ x }}}}|{seal}"), &x);
        // A variable may by chance hold a sign of the alphabet: then it is refused, never opened.
        if let Ok(opened) = seals.open(&filled) {
            prop_assert_eq!(opened, vec![Opened::Text(format!("{x}|secret"))]);
        }
    }
}
