//! The one picture of a result: other servers beside ours, two bars for each thing that both were asked. Everything else
//! is tables.
//!
//! May not draw what was not measured in turns, nor ask for a font that may be missing; both schemes of colour are in the
//! file.

use super::amount::{amount, times};
use super::document::Document;
use super::measured::MeasuredRow;
use super::page;
use std::fmt::Write;

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:13px;fill:#1f2328}
.sheet{fill:#fff;stroke:#d1d9e0}.title{font-size:17px;font-weight:600}.dim{font-size:11px;fill:#59636e}
.theirs{fill:#afb8c1}.ours{fill:#0969da}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.sheet{fill:#0d1117;stroke:#3d444d}.dim{fill:#9198a1}.theirs{fill:#656c76}.ours{fill:#58a6ff}}
";

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 24.0;
const BAR: f64 = 400.0;
const LONGEST: f64 = 380.0;
const RIGHT: f64 = 796.0;
const TOP: f64 = 92.0;
const ROW: f64 = 50.0;

/// The picture; nothing, if no peer was measured.
pub(crate) fn peers(document: &Document) -> Option<String> {
    let rows: Vec<_> = document.rows.iter().filter_map(|row| Some((row, pair(row)?))).collect();
    if rows.is_empty() {
        return None;
    }
    let mut paper = Paper::default();
    paper.text((LEFT, 36.0), "title", "Other servers, asked for the same");
    let about =
        format!("Runward {}, {}, {}", document.runward, page::words(&document.machine), document.when);
    paper.text((LEFT, 56.0), "dim", &about);
    let how = "Medians, measured in turns. The longer bar of each pair fills the width.";
    paper.text((LEFT, 73.0), "dim", how);
    let mut y = TOP;
    for (row, pair) in &rows {
        draw(&mut paper, y, row, *pair);
        y += ROW;
    }
    let each = rows.iter().map(|(row, (theirs, ours))| {
        let words = |value: &f64| amount(*value, &row.unit);
        format!("{}: {}, Runward {}", row.what, words(theirs), words(ours))
    });
    let description = each.collect::<Vec<_>>().join(". ");
    Some(paper.finish((WIDTH, y + 10.0), "Runward beside its peers", &description))
}

/// What the peer took, and what we took.
fn pair(row: &MeasuredRow) -> Option<(f64, f64)> {
    let theirs = row.baseline.filter(|_| row.section == "peers")?;
    (theirs > 0.0 && row.product > 0.0).then_some((theirs, row.product))
}

fn draw(paper: &mut Paper, y: f64, row: &MeasuredRow, (theirs, ours): (f64, f64)) {
    let (name, what) = row.what.split_once(": ").unwrap_or((&row.what, ""));
    paper.text((LEFT, y + 15.0), "", &fit(name, 50));
    paper.text((LEFT, y + 32.0), "dim", what);
    let (their_length, our_length) = lengths(theirs, ours);
    for (down, length, class) in [(3.0, their_length, "theirs"), (20.0, our_length, "ours")] {
        paper.rect((BAR, y + down), (length, 14.0), class);
    }
    paper.text((RIGHT, y + 14.0), "dim", &format!("theirs {}", amount(theirs, &row.unit)));
    let share = times(ours / theirs);
    paper.text((RIGHT, y + 31.0), "", &format!("Runward {} ({share})", amount(ours, &row.unit)));
}

/// The bars of a pair. Something is always seen.
fn lengths(theirs: f64, ours: f64) -> (f64, f64) {
    let length = |value: f64| (value / theirs.max(ours) * LONGEST).max(2.0);
    (length(theirs), length(ours))
}

/// What has been drawn so far.
#[derive(Default)]
struct Paper {
    body: String,
}

impl Paper {
    /// Words that begin, end or stand in the middle at a place, as their class says.
    fn text(&mut self, at: (f64, f64), class: &str, words: &str) {
        let (x, y) = at;
        let _ =
            writeln!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(words));
    }

    /// A filled rectangle.
    fn rect(&mut self, at: (f64, f64), size: (f64, f64), class: &str) {
        let ((x, y), (width, height)) = (at, size);
        let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        let _ = writeln!(self.body, "<rect {place} rx=\"3\" class=\"{class}\"/>");
    }

    /// The whole file.
    fn finish(self, size: (f64, f64), title: &str, description: &str) -> String {
        let (width, height) = size;
        let (title, description) = (escape(title), escape(description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n\
             <style>\n{STYLE}</style>\n\
             <rect x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\" class=\"sheet\"/>\n{}</svg>\n",
            width - 1.0,
            height - 1.0,
            self.body
        )
    }
}

/// Text that cannot end an element or an attribute, and holds nothing that a file of this kind may not.
fn escape(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            control if control.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text
}

/// As many letters as there is room for; what is left out is marked.
fn fit(words: &str, letters: usize) -> String {
    if words.chars().count() <= letters {
        return words.to_owned();
    }
    let kept: String = words.chars().take(letters.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    #[test]
    fn bars_of_a_pair_are_to_scale_and_always_seen() {
        assert_eq!(lengths(200.0, 50.0), (LONGEST, LONGEST / 4.0));
        assert_eq!(lengths(50.0, 200.0), (LONGEST / 4.0, LONGEST));
        assert_eq!(lengths(1e9, 1.0), (LONGEST, 2.0));
        const { assert!(BAR + LONGEST < RIGHT) };
    }

    #[test]
    fn there_is_a_picture_only_when_a_peer_was_measured() {
        let mut document = sample::document();
        assert_eq!(peers(&document), None);
        document.rows[0].section = "peers".to_owned();
        document.rows[0].what = "other <1>: one call".to_owned();
        let text = peers(&document).unwrap();
        assert!(text.contains(">other &lt;1&gt;<") && text.contains(">one call<"), "{text}");
        assert!(text.contains(">theirs 101 µs<") && text.contains(">Runward 230 µs (2.27 ×)<"), "{text}");
    }

    #[test]
    fn no_words_can_leave_their_element() {
        let mut paper = Paper::default();
        paper.text((1.0, 2.0), "dim", "a < b & \"c\" > \u{1b}d");
        let text = paper.finish((10.0, 20.0), "<t>", "&d");
        assert!(
            text.contains(
                "<text x=\"1.0\" y=\"2.0\" class=\"dim\">a &lt; b &amp; &quot;c&quot; &gt;  d</text>"
            )
        );
        assert!(text.contains("<title id=\"title\">&lt;t&gt;</title>"));
        assert!(text.contains("<desc id=\"desc\">&amp;d</desc>"));
        assert!(text.contains("viewBox=\"0 0 10 20\""));
    }

    #[test]
    fn words_that_do_not_fit_are_cut() {
        assert_eq!(fit("äöü äöü", 7), "äöü äöü");
        assert_eq!(fit("äöü äöü", 5), "äöü…");
    }
}
