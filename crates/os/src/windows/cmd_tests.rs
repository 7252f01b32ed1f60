//! What `cmd.exe` is told, character by character.

use super::*;

fn shell_line(words: &[&str]) -> Result<String, usize> {
    let argv: Vec<OsString> = words.iter().map(OsString::from).collect();
    shell(&argv).map(|line| String::from_utf16(&line).unwrap()).map_err(|unfit| unfit.number)
}

fn batch_line(words: &[&str]) -> Result<String, usize> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    batch(Path::new(r"C:\cmd.exe"), Path::new(r"C:\my files\x.cmd"), &words)
        .map(|line| String::from_utf16(&line).unwrap())
        .map_err(|unfit| unfit.number)
}

#[test]
fn a_script_is_passed_letter_by_letter() {
    for script in [r#"echo "a & b" & echo %PATH% ^| x"#, r#"""#, r"dir C:\", r#"echo \"x\""#] {
        let expected = format!(r#""cmd.exe" /d /s /c "{script}""#);
        assert_eq!(shell_line(&["cmd.exe", "/d", "/s", "/c", script]), Ok(expected));
    }
}

#[test]
fn a_script_in_pieces_means_what_its_pieces_say() {
    let expected = r#""cmd" /C "type "my file.txt" > out.txt""#;
    assert_eq!(shell_line(&["cmd", "/C", "type", "my file.txt", ">", "out.txt"]), Ok(expected.to_owned()));
    assert_eq!(shell_line(&["cmd", "/c", "type", r#"my "file""#]), Err(3));
}

#[test]
fn a_text_that_goes_on_after_a_line_break_is_refused() {
    assert_eq!(shell_line(&["cmd", "/c", "echo a\r\necho b"]), Err(2));
    assert!(shell_line(&["cmd", "/c", "echo a\r\n"]).is_ok());
    assert_eq!(batch_line(&["a", "b\nc"]), Err(2));
}

#[test]
fn arguments_of_a_batch_file_are_data() {
    let line = batch_line(&["plain", "two words", "&calc", r#"say "hi""#, "100%", r"dir\", ""]).unwrap();
    let expected = concat!(
        r#""C:\cmd.exe" /e:on /v:off /d /s /c ""C:\my files\x.cmd" plain "two words" "&calc" "#,
        r#""say ""hi""" "100%%cd:~,%" "dir\\" "#,
        r#"""""#
    );
    assert_eq!(line, expected);
}
