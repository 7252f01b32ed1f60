//! Draws recorded commands as an SVG: a terminal on which one command after the other appears, and then stays.
//!
//! May not ask for a font that may be missing, nor move where a reader asked for no motion. Whoever draws no motion
//! shows everything.

use super::record::{COLUMNS, ColouredText, PicturedCommand, TextColour};
use std::fmt::Write;

/// Width of a letter and height of a row.
const LETTER: f64 = 7.8;
const ROW: f64 = 19.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 52.0;

/// Seconds until a command appears, and until what it printed does.
const TYPED: f64 = 2.2;
const SAID: f64 = 0.8;

const STYLE: &str = "\
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:13px;fill:#e6edf3;white-space:pre}
.sheet{fill:#0d1117;stroke:#3d444d}.typed{fill:#7ee787}.bold{font-weight:600}.error{fill:#ff7b72;font-weight:600}.hint{fill:#76e3ea}
@media(prefers-reduced-motion:no-preference){.step{opacity:0;animation:come .2s linear forwards}}
@keyframes come{to{opacity:1}}
";

/// The picture.
pub(super) fn drawn(recorded: &[PicturedCommand]) -> String {
    let mut body = String::new();
    let (mut y, mut at) = (TOP, 0.4);
    for command in recorded {
        step(&mut body, at, |body| text(body, LEFT, y, "typed", &format!("$ {}", command.typed)));
        y += ROW;
        at += SAID;
        let from = y;
        step(&mut body, at, |body| {
            for (index, row) in command.rows.iter().enumerate() {
                let y = from + ROW * u32::try_from(index).map_or(0.0, f64::from);
                said(body, y, row);
            }
        });
        y += ROW * u32::try_from(command.rows.len()).map_or(0.0, f64::from) + ROW / 2.0;
        at += TYPED;
    }
    let (width, height) = (LEFT * 2.0 + LETTER * f64::from(COLUMNS), y);
    let alt: Vec<String> = recorded.iter().map(|command| command.typed.clone()).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title desc\" xml:space=\"preserve\">\n\
         <title id=\"title\">Runward on a terminal</title>\n<desc id=\"desc\">{}</desc>\n<style>\n{STYLE}</style>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\" class=\"sheet\"/>\n{BUTTONS}{body}</svg>\n",
        escaped(&alt.join("; ")),
        width - 1.0,
        height - 1.0,
    )
}

const BUTTONS: &str = "<g fill=\"#3d444d\"><circle cx=\"22\" cy=\"20\" r=\"5\"/><circle cx=\"40\" cy=\"20\" r=\"5\"/>\
<circle cx=\"58\" cy=\"20\" r=\"5\"/></g>\n";

/// What appears at one moment.
fn step(body: &mut String, at: f64, draw: impl FnOnce(&mut String)) {
    // Writing to a string cannot fail.
    let _ = writeln!(body, "<g class=\"step\" style=\"animation-delay:{at:.1}s\">");
    draw(body);
    body.push_str("</g>\n");
}

/// One row of output, its stretches each at their own column.
fn said(body: &mut String, y: f64, row: &[ColouredText]) {
    for stretch in row.iter().filter(|stretch| !stretch.text.trim().is_empty()) {
        let blanks = stretch.text.chars().take_while(|letter| *letter == ' ').count();
        let column = f64::from(stretch.column) + u32::try_from(blanks).map_or(0.0, f64::from);
        let class = match stretch.colour {
            TextColour::Plain => "said",
            TextColour::Bold => "bold",
            TextColour::Error => "error",
            TextColour::Hint => "hint",
        };
        text(body, LEFT + LETTER * column, y, class, stretch.text.trim());
    }
}

/// Letters have one width whatever the font, so that stretches stand where they stood on the terminal.
fn text(body: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let length = LETTER * u32::try_from(words.chars().count()).map_or(0.0, f64::from);
    let _ = writeln!(
        body,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\" textLength=\"{length:.1}\" lengthAdjust=\"spacing\">{}</text>",
        escaped(words)
    );
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_drawn_and_none_ends_an_element() {
        let stretch = ColouredText { column: 2, text: "  a < b & c".to_owned(), colour: TextColour::Hint };
        let drawn = drawn(&[PicturedCommand { typed: "echo \"x\"".to_owned(), rows: vec![vec![stretch]] }]);
        assert!(drawn.contains(">$ echo &quot;x&quot;</text>") && drawn.contains(">a &lt; b &amp; c</text>"));
        assert!(drawn.contains(&format!("x=\"{:.1}\"", LEFT + LETTER * 4.0)), "at its column: {drawn}");
        assert!(drawn.contains("prefers-reduced-motion"));
    }
}
