//! Files of the program in real folders: what is put where, and what cannot be.

use crate::gather_world::{World, prompt};
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::run::gather::{Surroundings, gather};
use std::sync::Arc;

async fn error(world: &World, text: &str) -> FlowError {
    world.gather(text).await.unwrap_err()
}

#[tokio::test]
async fn files_are_put_where_they_are_named_and_read_from_where_they_lie() {
    let world = World::new(&[
        ("a.md", "A(@./sub/b.md)"),
        ("sub/b.md", "B $& \\1 @../c.ts:2-3 @./d.md."),
        ("c.ts", "one\ntwo\nthree\nfour\n"),
        ("sub/d.md", "D"),
    ]);
    assert_eq!(world.prompt("x @./a.md, y @./c.ts:9-3 |").await, "x A(B $& \\1 two\nthree D.), y  |");
}

#[tokio::test]
async fn a_text_without_imports_stays_as_it_is() {
    let world = World::new(&[]);
    let text = "mail user@example.com, `@./no.md` and {{ x }}\n\n    @./no.md\n";
    let gathered = world.gather(text).await.unwrap();
    assert_eq!(gathered.text.text(), text);
    assert_eq!((gathered.imports, gathered.notes), (vec![], vec![]));
}

#[tokio::test]
async fn commands_of_imported_files_are_sealed_and_their_fences_are_text() {
    let world = World::new(&[("a.md", "!`date {{ x }}`\n```\n#!/bin/sh\n```\n")]);
    let text = "@./a.md```sh\n#!/bin/sh\nls\n```\n";
    assert_eq!(world.prompt("@./a.md").await, "<date {{ x }}>\n```\n#!/bin/sh\n```\n");
    assert_eq!(world.prompt(&text[7..]).await, "<#!/bin/sh\nls\n>\n");
}

#[tokio::test]
async fn declarations_are_put_by_their_name() {
    let world = World::new(&[("a.rs", "fn a() {}\n/// B.\nfn b() { \"}\" }\nfn c() {}\n")]);
    assert_eq!(world.prompt("see @./a.rs#b.").await, "see /// B.\nfn b() { \"}\" }.");
    let missing = error(&world, "see @./a.rs#bb").await;
    assert_eq!(
        (missing.code().name(), missing.to_string().as_str()),
        ("flow.import-missing", "`./a.rs` declares no `bb`")
    );
    assert!(Coded::hint(&missing).unwrap().contains("`b`"));
    assert_eq!(missing.mark().unwrap().place(), "main.md:1:5");
}

#[tokio::test]
async fn a_path_may_begin_in_the_home_folder_or_at_the_root() {
    let world = World::new(&[("home/f.md", "HOME"), ("abs.md", "ABS")]);
    let mut surroundings = world.surroundings();
    surroundings.home = Some(world.path("home"));
    let text = format!("@~/f.md @{}", world.path("abs.md").display());
    assert_eq!(prompt(&world.gather_in(&text, surroundings).await.unwrap()), "HOME ABS");
    let nobody = error(&world, "@~/f.md").await;
    assert_eq!(nobody.to_string(), "nobody knows the home folder that `~/f.md` begins with");
}

#[tokio::test]
async fn a_mark_behind_a_path_belongs_to_it_if_there_is_such_a_file() {
    let world =
        World::new(&[("f.md", "short"), ("f.md!", "long"), ("sub/g.md", "@./h? @./h."), ("sub/h?", "h")]);
    assert_eq!(world.prompt("@./f.md! @./f.md.").await, "long short.");
    assert_eq!(error(&world, "@./sub/g.md").await.to_string(), "there is no file `./h`");
}

#[tokio::test]
async fn every_import_is_recorded_in_the_order_of_the_text() {
    let world = World::new(&[("a.md", "A @./sub/b.md"), ("sub/b.md", "Bü"), ("c.md", "")]);
    let gathered = world.gather("@./a.md @./c.md:1-2").await.unwrap();
    let told: Vec<(&str, &str, usize)> =
        gathered.imports.iter().map(|one| (one.what.as_str(), one.from.as_str(), one.characters)).collect();
    assert_eq!(told, [("@./a.md", "a.md", 13), ("@./sub/b.md", "sub/b.md", 2), ("@./c.md:1-2", "c.md", 0)]);
}

#[tokio::test]
async fn a_missing_file_is_an_error_at_its_place_in_its_file() {
    let world = World::new(&[("a.md", "one\n two @./reedme.md"), ("readme.md", "")]);
    let missing = error(&world, "@./a.md").await;
    assert_eq!(
        (missing.code().name(), missing.to_string().as_str()),
        ("flow.import-missing", "there is no file `./reedme.md`")
    );
    assert!(Coded::hint(&missing).unwrap().starts_with("Look for `readme.md`, which is there."));
    assert_eq!(missing.mark().unwrap().place(), "a.md:2:6");
    assert_eq!(error(&world, "@./a.md/x").await.to_string(), "there is no file `./a.md/x`");
    assert_eq!(
        error(&world, &format!("@{}", world.root().display())).await.code().name(),
        "flow.import-missing"
    );
}

#[tokio::test]
async fn the_first_error_in_the_text_is_told() {
    let world = World::new(&[("deep.md", "@./deeper.md"), ("deeper.md", "@./none")]);
    for _ in 0..20 {
        assert_eq!(
            error(&world, "@./deep.md @./missing1 @./missing2").await.to_string(),
            "there is no file `./none`"
        );
    }
}

#[tokio::test]
async fn a_cycle_is_an_error_that_shows_the_way() {
    let world = World::new(&[("a.md", "@./b.md"), ("b.md", "x @./main.md"), ("main.md", "")]);
    let cycle = error(&world, "@./a.md").await;
    assert_eq!(cycle.code().name(), "flow.import-cycle");
    assert_eq!(cycle.to_string(), "an import leads back to itself: `main.md` → `a.md` → `b.md` → `main.md`");
    assert_eq!(cycle.mark().unwrap().place(), "b.md:1:3");
}

#[tokio::test]
async fn the_same_file_twice_is_no_cycle() {
    let world = World::new(&[("a.md", "A@"), ("b.md", "@./a.md")]);
    assert_eq!(world.prompt("@./a.md @./b.md @./a.md").await, "A@ A@ A@");
}

#[tokio::test]
async fn what_is_not_text_is_an_error() {
    let world = World::new(&[]);
    world.put("nul", b"a\0b");
    world.put("latin", b"\xe4");
    world.put("bom", b"\xEF\xBB\xBFx");
    for name in ["nul", "latin"] {
        let binary = error(&world, &format!("@./{name}")).await;
        assert_eq!(
            (binary.code().name(), binary.to_string()),
            ("flow.import-binary", format!("`./{name}` is not text"))
        );
    }
    assert_eq!(world.prompt("@./bom").await, "x");
}

#[tokio::test]
async fn a_file_may_have_ten_mebibytes_and_no_byte_more() {
    let world = World::new(&[]);
    let most = 10 * 1024 * 1024;
    world.put("most", &vec![b'x'; most]);
    world.put("more", &vec![b'x'; most + 1]);
    assert_eq!(world.prompt("@./most").await.len(), most);
    let large = error(&world, "@./more").await;
    assert_eq!(
        (large.code().name(), large.to_string().as_str()),
        ("flow.import-too-large", "`./more` is larger than 10 MiB")
    );
}

#[tokio::test]
async fn files_that_double_each_other_end_with_an_error() {
    let names: Vec<(String, String)> =
        (0..12).map(|n| (format!("f{n}"), format!("@./f{} @./f{}", n + 1, n + 1))).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("f12", "x"));
    let many = error(&World::new(&files), "@./f0").await;
    assert_eq!(
        (many.code().name(), many.to_string().as_str()),
        ("flow.import-too-large", "there are more than 1000 imports")
    );
}

#[tokio::test]
async fn a_remote_main_file_has_no_path_and_reads_from_the_folder_it_is_given() {
    let world = World::new(&[("a.md", "A")]);
    let mut main = world.main("@./a.md");
    main.path = None;
    let surroundings: Surroundings<crate::gather_world::Fake> = world.surroundings();
    let gathered = gather(&main, Arc::new(surroundings)).await.unwrap();
    assert_eq!(gathered.text.text(), "A");
}

#[tokio::test]
async fn a_place_in_the_template_leads_back_to_its_file() {
    let world = World::new(&[("a.md", "one\ntwo {{ a }}\n")]);
    let text = "@./a.md\n```sh\n#!/bin/sh\nls {{ b }}\n```\n!`x` {{ c }} @tree {{ d }}\n";
    let gathered = world.gather(text).await.unwrap();
    let whole = gathered.text.text();
    let place = |wanted: &str| {
        let at = whole.find(wanted).unwrap();
        gathered.text.mark(at..at + wanted.len()).place()
    };
    let places = ["{{ a }}", "{{ b }}", "{{ c }}", "{{ d }}"].map(place);
    assert_eq!(places, ["a.md:2:5", "main.md:4:4", "main.md:6:6", "main.md:6:20"]);
}
