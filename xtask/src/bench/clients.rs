//! What real clients show has a target, and clients that are not installed show nothing: that is named, as any target that
//! was not measured. May not install them: `cargo xtask install` does.

use super::document::{Absent, Document};

/// Names every client about which the document says nothing.
pub(crate) fn name_absent(document: &mut Document) {
    for client in ["Claude Code", "Codex"] {
        let what = format!("characters that {client} shows for `echo hello`");
        if !document.rows.iter().any(|row| row.section == "answers" && row.what == what) {
            let why = "it is not installed: run `cargo xtask install`";
            document.absent.push(Absent::new(format!("answers: {what}"), why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_client_without_a_row_is_named_as_absent() {
        let mut document = sample::document();
        let mut row = document.rows[0].clone();
        row.section = "answers".to_owned();
        row.what = "characters that Codex shows for `echo hello`".to_owned();
        document.rows.push(row);
        document.absent.clear();
        name_absent(&mut document);
        let named: Vec<&str> = document.absent.iter().map(|one| one.what.as_str()).collect();
        assert_eq!(named, ["answers: characters that Claude Code shows for `echo hello`"]);
    }
}
