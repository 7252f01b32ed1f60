//! A sheet to draw on.
//!
//! May not know what is drawn.

use std::fmt::Write;

const STYLE: &str = "\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;font-size:13px;fill:#1f2328}
.sheet{fill:#fff;stroke:#d1d9e0}.title{font-size:17px;font-weight:600}.head{font-size:14px;font-weight:600}
.dim{font-size:11px;fill:#59636e}.halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}.end{text-anchor:end}.mid{text-anchor:middle}.bold{font-weight:700}
.rail{fill:#eaeef2}.theirs{fill:#afb8c1}.ours{fill:#0969da}.pass{fill:#2da44e}.miss{fill:url(#stripes)}.stripe{stroke:#cf222e}.under{fill:#ffd7d5}
.mark{stroke:#1f2328;stroke-width:2}.rule{stroke:#d1d9e0}.curve{fill:none;stroke:#0969da;stroke-width:2}.dot{fill:#0969da}
@media(prefers-color-scheme:dark){
text{fill:#e6edf3}.sheet{fill:#0d1117;stroke:#3d444d}.dim{fill:#9198a1}.halo{stroke:#0d1117}.rail{fill:#21262d}.theirs{fill:#656c76}.ours{fill:#58a6ff}.pass{fill:#238636}
.stripe{stroke:#f85149}.under{fill:#4a1a1d}.mark{stroke:#e6edf3}.rule{stroke:#3d444d}
.curve{stroke:#58a6ff}.dot{fill:#58a6ff}}
";

const STRIPES: &str = "<defs><pattern id=\"stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
patternTransform=\"rotate(45)\"><rect class=\"under\" width=\"6\" height=\"6\"/>\
<line class=\"stripe\" x1=\"1.5\" y1=\"0\" x2=\"1.5\" y2=\"6\" stroke-width=\"3\"/></pattern></defs>\n";

/// What has been drawn so far.
#[derive(Default)]
pub(crate) struct Paper {
    body: String,
}

impl Paper {
    /// Words that begin, end or stand in the middle at a place, as their class says.
    pub(crate) fn text(&mut self, at: (f64, f64), class: &str, words: &str) {
        let (x, y) = at;
        let _ =
            writeln!(self.body, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(words));
    }

    /// A filled rectangle.
    pub(crate) fn rect(&mut self, at: (f64, f64), size: (f64, f64), class: &str) {
        let ((x, y), (width, height)) = (at, size);
        let place = format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"");
        let _ = writeln!(self.body, "<rect {place} rx=\"3\" class=\"{class}\"/>");
    }

    /// A line from one place to another.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let place =
            format!("x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"", from.0, from.1, to.0, to.1);
        let _ = writeln!(self.body, "<line {place} class=\"{class}\"/>");
    }

    /// A line through places, with a dot at each.
    pub(crate) fn curve(&mut self, places: &[(f64, f64)]) {
        let points: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.body, "<polyline points=\"{}\" class=\"curve\"/>", points.join(" "));
        for (x, y) in places {
            let _ = writeln!(self.body, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"dot\"/>");
        }
    }

    /// The whole file.
    pub(crate) fn finish(self, size: (f64, f64), title: &str, description: &str) -> String {
        let (width, height) = size;
        let (title, description) = (escape(title), escape(description));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n\
             <style>\n{STYLE}</style>\n{STRIPES}\
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
pub(crate) fn fit(words: &str, letters: usize) -> String {
    if words.chars().count() <= letters {
        return words.to_owned();
    }
    let kept: String = words.chars().take(letters.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Words in lines of so many letters.
pub(crate) fn wrap(words: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in words.split_whitespace() {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > letters {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn words_that_do_not_fit_are_cut_or_go_on_below() {
        assert_eq!(fit("äöü äöü", 7), "äöü äöü");
        assert_eq!(fit("äöü äöü", 5), "äöü…");
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("", 7), [""]);
    }
}
