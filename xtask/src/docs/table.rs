//! Markdown tables and the note on top of every generated page.

/// The top of a page.
pub(crate) fn top(title: &str, source: &str, lead: &str) -> String {
    format!(
        "<!-- Written by `cargo xtask docs` from {source}. Edit that, not this. -->\n\n# {title}\n\n{lead}\n\n"
    )
}

/// A table. A bar inside a cell is escaped.
pub(crate) fn table<const N: usize>(heads: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut text = line(heads.map(str::to_owned));
    text.push_str(&line([(); N].map(|()| "---".to_owned())));
    for row in rows {
        text.push_str(&line(row));
    }
    text
}

fn line<const N: usize>(cells: [String; N]) -> String {
    format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_does_not_end_a_cell() {
        let text = table(["a", "b"], [["x|y".to_owned(), "z".to_owned()]]);
        assert_eq!(text, "| a | b |\n| --- | --- |\n| x\\|y | z |\n");
    }
}
