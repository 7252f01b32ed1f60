//! Text out of the pages that rustdoc writes. Knows only the few elements that the listing of names is made of.

/// The texts between `open` and `close`, in order.
pub(super) fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split(close).next())
}

/// The part of a page below the list with this name, up to the next heading.
pub(super) fn list<'a>(page: &'a str, id: &str) -> &'a str {
    let Some((_, rest)) = page.split_once(&format!("id=\"{id}\"")) else { return "" };
    rest.split("<h2 id=").next().unwrap_or(rest)
}

/// What a reader sees, line by line: no tags, no buttons, no blanks at the end.
pub(super) fn lines(html: &str) -> Vec<String> {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        // A summary is what is shown in place of what is folded away.
        let end = if tag.starts_with("summary") { "</summary>" } else { ">" };
        rest = tag.split_once(end).map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    for (name, letter) in
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")]
    {
        text = text.replace(name, letter);
    }
    text.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
}

/// The same in one line.
pub(super) fn line(html: &str) -> String {
    lines(html).join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_sees_no_tags_and_nothing_folded() {
        let html = "<code>pub fn <a href=\"x\">f</a>() -&gt; &amp;Vec&lt;<b>T</b>&gt;</code>";
        assert_eq!(line(html), "pub fn f() -> &Vec<T>");
        assert_eq!(lines("a <summary class=\"x\"><span>Show 3 fields</span></summary>\n\n  b"), ["a", "  b"]);
    }

    #[test]
    fn a_list_ends_at_the_next_heading() {
        let page = "<div id=\"some-list\"><h4>one</h4></div><h2 id=\"next\"><h4>two</h4>";
        assert_eq!(between(list(page, "some-list"), "<h4>", "</h4>").collect::<Vec<_>>(), ["one"]);
        assert_eq!(list(page, "another"), "");
    }
}
