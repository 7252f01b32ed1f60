//! Redaction: what is masked, and what is left alone.

use super::*;
use proptest::prelude::*;

fn masked(text: &str) -> String {
    Redactor::default().mask(text).into_owned()
}

#[test]
fn known_shapes_are_masked() {
    let long = "a1B2".repeat(12);
    for secret in [
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        format!("ghp_{}", &long[..36]),
        format!("github_pat_{long}"),
        "xoxb-1234567890-abcdef".to_owned(),
        format!("sk-{long}"),
        format!("AIza{}", &long[..35]),
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk".to_owned(),
    ] {
        assert_eq!(masked(&format!("use {secret}, please")), format!("use {MASK}, please"));
    }
}

#[test]
fn a_private_key_goes_whole_even_when_it_is_cut_off() {
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----";
    assert_eq!(masked(&format!("x {key} y")), format!("x {MASK} y"));
    assert_eq!(masked("x -----BEGIN PRIVATE KEY-----\nMIIE"), format!("x {MASK}"));
    let public = "-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----";
    assert_eq!(masked(public), public);
}

#[test]
fn passwords_in_addresses_go_and_the_rest_stays() {
    assert_eq!(masked("git clone https://u:hunter2@host/x"), format!("git clone https://u:{MASK}@host/x"));
    assert_eq!(masked("https://u:p@ss@host"), format!("https://u:{MASK}@host"));
    assert_eq!(masked("see https://host:80/a@b"), "see https://host:80/a@b");
    assert_eq!(masked("ssh://git@host"), "ssh://git@host");
}

#[test]
fn what_a_secret_looking_name_is_given_is_masked() {
    for (text, shown) in [
        ("API_TOKEN=abc make", "API_TOKEN=[redacted] make"),
        ("curl -H 'Authorization: Bearer abcdefgh'", "curl -H 'Authorization: [redacted] [redacted]'"),
        ("x --password hunter2 y", "x --password [redacted] y"),
        ("x '--password' 'a b' y", "x '--password' '[redacted]' y"),
        ("x --password   hunter2 y", "x --password   [redacted] y"),
        ("x --password \\\n  hunter2 y", "x --password \\\n  [redacted] y"),
        (r#"["--token", "a b", "c"]"#, r#"["--token", "[redacted]", "c"]"#),
        ("x --token\nmake", "x --token\nmake"),
        ("x --password=hunter2 y", "x --password=[redacted] y"),
        (r#"{"apiKey": "a b", "n": 1}"#, r#"{"apiKey": "[redacted]", "n": 1}"#),
        ("TOKEN='a b' c", "TOKEN='[redacted]' c"),
        ("TOKEN=$OTHER c", "TOKEN=$OTHER c"),
        ("make --jobs 4 KEY=2", "make --jobs 4 KEY=2"),
        ("--password --verbose", "--password --verbose"),
    ] {
        assert_eq!(masked(text), shown, "{text}");
    }
}

#[test]
fn values_of_secret_variables_are_masked_wherever_they_stand() {
    let env = [("MY_TOKEN", "correct horse"), ("EDITOR", "vim-is-nice"), ("A_TOKEN", "1")];
    let env: Vec<(OsString, OsString)> = env.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
    let redactor = Redactor::of(env.iter().map(|(name, value)| (name, value)));
    assert_eq!(
        redactor.mask("say 'correct horse' 1 vim-is-nice"),
        "say '[redacted: MY_TOKEN]' 1 vim-is-nice"
    );
    let more = [("B_SECRET".into(), "battery".into())];
    let both = redactor.also(more.iter().map(|(n, v)| (n, v))).unwrap();
    assert_eq!(both.mask("correct horse battery"), "[redacted: MY_TOKEN] [redacted: B_SECRET]");
    assert!(redactor.also(env.iter().map(|(name, value)| (name, value))).is_none(), "nothing is new");
}

#[test]
fn what_was_typed_as_a_secret_is_known_to_every_clone_from_then_on() {
    let redactor = Redactor::default();
    let more: [(OsString, OsString); 1] = [("B_SECRET".into(), "battery".into())];
    let clone = redactor.also(more.iter().map(|(n, v)| (n, v))).unwrap();
    redactor.learn("tr0ub");
    redactor.learn("tr0ub");
    redactor.learn("a");
    assert_eq!(clone.mask("a tr0ub staple battery"), format!("a {MASK} staple [redacted: B_SECRET]"));
}

#[test]
fn a_word_after_a_secret_option_goes_whole() {
    let words = ["mysql", "--password", "two words", "-p", "x", "--token", "-v"].map(Cow::Borrowed);
    let shown = Redactor::default().mask_words(&words);
    assert_eq!(shown, ["mysql", "--password", MASK, "-p", "x", "--token", "-v"]);
    let words = ["/usr/bin/curl", "-u", "me:hunter2", "-v", "https://x"].map(Cow::Borrowed);
    let shown = Redactor::default().mask_words(&words);
    assert_eq!(shown, ["/usr/bin/curl", "-u", "me:[redacted]", "-v", "https://x"]);
}

#[test]
fn known_shapes_of_tools_are_masked() {
    for (text, shown) in [
        ("mysql -phunter2 -u root db", "mysql -p[redacted] -u root db"),
        ("mysql -p -u root", "mysql -p -u root"),
        ("sudo mysqldump -phunter2 db", "sudo mysqldump -p[redacted] db"),
        ("+ /usr/bin/mysql '-phunter2' db", "+ /usr/bin/mysql '-p[redacted]' db"),
        (r#"["mysql", "-phunter2"]"#, r#"["mysql", "-p[redacted]"]"#),
        ("curl -u me:hunter2 https://x", "curl -u me:[redacted] https://x"),
        ("curl -ume:hunter2 https://x", "curl -ume:[redacted] https://x"),
        ("curl --user me:hunter2 -v x", "curl --user me:[redacted] -v x"),
        ("curl --user=me:hunter2 x", "curl --user=me:[redacted] x"),
        ("curl -u me https://x:80", "curl -u me https://x:80"),
        ("curl -u \"$USER:$PASS\" x", "curl -u \"$USER:$PASS\" x"),
        ("sshpass -p hunter2 ssh host", "sshpass -p [redacted] ssh host"),
        ("sshpass -phunter2 ssh -p 22 host", "sshpass -p[redacted] ssh -p [redacted] host"),
        ("docker login -u me -p hunter2 reg", "docker login -u me -p [redacted] reg"),
        ("docker run -p 8080:80 x", "docker run -p 8080:80 x"),
        ("redis-cli -a hunter2 ping", "redis-cli -a [redacted] ping"),
        ("ldapsearch -w hunter2 -x", "ldapsearch -w [redacted] -x"),
        ("smbclient //s/x -U me%hunter2", "smbclient //s/x -U me%[redacted]"),
        ("zip -P hunter2 a b", "zip -P [redacted] a b"),
        ("7z x -phunter2 a", "7z x -p[redacted] a"),
        ("openssl rsa -passin pass:hunter2", "openssl rsa -passin pass:[redacted]"),
        ("http -a me:hunter2 host", "http -a me:[redacted] host"),
        ("mysql x; ls -phunter2", "mysql x; ls -phunter2"),
        ("mysql x\nls -phunter2", "mysql x\nls -phunter2"),
        ("tar -pxf a; grep -u b:c d", "tar -pxf a; grep -u b:c d"),
    ] {
        assert_eq!(masked(text), shown, "{text}");
    }
}

fn knows(value: &str) -> Redactor {
    let env: [(OsString, OsString); 1] = [("MY_TOKEN".into(), value.into())];
    Redactor::of(env.iter().map(|(name, value)| (name, value)))
}

#[test]
fn a_known_value_is_found_in_other_spellings() {
    let redactor = knows("hunter2&correct");
    let hidden = |text: &str| redactor.mask_answer(text).contains("[redacted: MY_TOKEN]");
    for text in [
        "hunter2&correct",
        "x hunter2&\ncorrect y",
        "hunt\r\ner2&correct",
        "h\nunter2&correc\nt",
        "aHVudGVyMiZjb3JyZWN0",         // the value itself
        "bWU6aHVudGVyMiZjb3JyZWN0",     // me:VALUE
        "eCBodW50ZXIyJmNvcnJlY3QgeQ==", // x VALUE y
        "eHkgaHVudGVyMiZjb3JyZWN0IHo=", // xy VALUE z
        "x aHVudGVyMiZj\nb3JyZWN0 y",   // broken as base64 breaks it
        "68756e7465723226636f7272656374",
        "68756E7465723226636F7272656374",
        "https://x/?q=hunter2%26correct",
    ] {
        assert!(hidden(text), "{text}");
    }
    assert_eq!(redactor.mask_answer("a aHVudGVyMiZjb3JyZWN0 b"), "a [redacted: MY_TOKEN] b");
    assert_eq!(redactor.mask_answer("one hunter2&\ncorrect two"), "one [redacted: MY_TOKEN] two");
    for text in ["hunter2 & correct", "aHVudGVy", "hunter2", "nothing\nhere"] {
        assert!(!hidden(text), "{text}");
    }
}

#[test]
fn whoever_works_with_a_text_sees_its_code() {
    for text in [
        "  password: string;",
        "const token = getToken();",
        "apiKey: process.env.API_KEY,",
        "auth: require('./auth')",
        "if (password === confirmation) {",
        "PASSWORD=$1",
        "token = await session.token()",
        "secret: ${{ secrets.TOKEN }}",
        "pass: ok",
        "--max-tokens 100",
    ] {
        assert_eq!(Redactor::default().mask_answer(text), text);
    }
    for (text, shown) in [
        ("API_TOKEN=a1b2c3d4e5", "API_TOKEN=[redacted]"),
        ("\"password\": \"s3cr3tP4ss\"", "\"password\": \"[redacted]\""),
        ("ghp_0123456789abcdefghij0123", "[redacted]"),
        ("postgres://u:hunter2@host", "postgres://u:[redacted]@host"),
    ] {
        assert_eq!(Redactor::default().mask_answer(text), shown);
    }
}

#[test]
fn the_owners_patterns_count_too() {
    #[derive(Debug)]
    struct Digits;
    impl SecretPattern for Digits {
        fn matches(&self, text: &str) -> Vec<Range<usize>> {
            text.find("42").map(|at| at..at + 2).into_iter().collect()
        }
    }
    let redactor = Redactor::default().with_patterns(vec![Arc::new(Digits)]);
    assert_eq!(redactor.mask("x42y"), format!("x{MASK}y"));
}

#[test]
fn bytes_that_are_no_text_stay_as_they_are() {
    let shown = Redactor::default().mask_bytes(b"\xff TOKEN=abc \xfe");
    assert_eq!(shown, [b"\xff TOKEN=".as_slice(), MASK.as_bytes(), b" \xfe"].concat());
}

/// Followed to its end from each of its beginnings, such a text takes so long that the test is stopped.
#[test]
fn a_text_that_begins_a_secret_at_every_word_is_masked_all_the_same() {
    const SIZE: usize = 512 * 1024;
    for hostile in [
        "token=",
        "token:",
        "--token ",
        "token='",
        "eyJ-",
        "eyJabc.",
        "sk-",
        "a://",
        "Bearer ",
        "-----BEGIN ",
        "mysql -p",
        "curl -u a:",
        "curl '",
        "openssl pass:",
    ] {
        let text = hostile.repeat(SIZE / hostile.len());
        assert!(masked(&text).len() < 2 * text.len(), "{hostile}");
    }
}

proptest! {
    #[test]
    fn any_text_can_be_masked(text in "(\\PC|[=: '\"\\-]|TOKEN|://|@|eyJ|-----BEGIN |é){0,40}") {
        let _ = masked(&text);
    }

    #[test]
    fn a_planted_token_never_survives(before in "[a-z =:'\"/]{0,20}", after in "[ ,;'\"]\\PC{0,20}") {
        let secret = "ghp_0123456789abcdefghij0123456789abcdef";
        let text = format!("{before} {secret}{after}");
        prop_assert!(!masked(&text).contains(secret));
    }
}

#[test]
fn a_part_of_a_text_shows_no_part_of_a_value() {
    let value = "correct-horse-battery";
    let redactor = knows(value);
    let text = format!("before {value} after");
    for cut in 0..=text.len() {
        let shown = format!("{}{}", redactor.mask_part(&text[..cut]), redactor.mask_part(&text[cut..]));
        let most = (4..=value.len())
            .rev()
            .find(|length| (0..=value.len() - length).any(|at| shown.contains(&value[at..at + length])));
        // Three characters are no part that could be told from others.
        assert!(most.is_none_or(|most| most < 4), "cut at {cut}: {shown}");
    }
}
