//! Every curve of a result, side by side, on logarithmic axes.

use super::chart::{SIZE, chart};
use super::paper::Paper;
use crate::bench::amount::points;
use crate::bench::document::Document;
use crate::bench::{page, section};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 24.0;
const TOP: f64 = 78.0;
const HEAD: f64 = 42.0;
const GAP: f64 = 20.0;
const IN_A_ROW: usize = 3;

/// The picture.
pub(crate) fn curves(document: &Document) -> String {
    let mut paper = Paper::default();
    paper.text((LEFT, 36.0), "title", "How costs grow");
    let about =
        format!("Runward {}, {}, {}", document.runward, page::words(&document.machine), document.when);
    paper.text((LEFT, 56.0), "dim", &about);
    paper.text(
        (LEFT, 73.0),
        "dim",
        "Both axes are logarithmic: a line that is flat costs the same, however many there are.",
    );
    let mut y = TOP;
    for name in document.sections() {
        let curves: Vec<_> = document.curves.iter().filter(|curve| curve.section == name).collect();
        if curves.is_empty() {
            continue;
        }
        paper.text((LEFT, y + 28.0), "head", &format!("{name}: {}", section::about(name)));
        y += HEAD;
        for row in curves.chunks(IN_A_ROW) {
            let mut x = LEFT;
            for curve in row {
                chart(&mut paper, (x, y), curve);
                x += SIZE.0 + GAP;
            }
            y += SIZE.1;
        }
    }
    let each = document.curves.iter().map(|curve| format!("{}: {}", curve.what, points(curve)));
    paper.finish((WIDTH, y + 10.0), "Curves of Runward", &each.collect::<Vec<_>>().join(". "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    #[test]
    fn every_curve_is_drawn_within_the_sheet() {
        let document = sample::document();
        let text = curves(&document);
        assert_eq!(text.matches("<polyline").count(), document.curves.len());
        let dots: usize = document.curves.iter().map(|curve| curve.points.len()).sum();
        assert_eq!(text.matches("<circle").count(), dots);
        let rows = f64::from(u8::try_from(IN_A_ROW).unwrap());
        assert!(LEFT + rows * SIZE.0 + (rows - 1.0) * GAP <= WIDTH);
    }
}
