//! Symbolic links, pipes and devices among imports.

use crate::gather_world::World;
use runward_engine::Coded;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

#[tokio::test]
async fn a_cycle_through_a_link_is_found() {
    let world = World::new(&[("a.md", "@./link.md"), ("sub/b.md", "@../c.md"), ("c.md", "@./folder/b.md")]);
    symlink("a.md", world.path("link.md")).unwrap();
    symlink("sub", world.path("folder")).unwrap();
    let file = world.gather("@./a.md").await.unwrap_err();
    assert_eq!(file.code().name(), "flow.import-cycle");
    assert_eq!(file.to_string(), "an import leads back to itself: `main.md` → `a.md` → `link.md`");
    let folder = world.gather("@./sub/b.md").await.unwrap_err();
    assert_eq!(folder.code().name(), "flow.import-cycle");
}

#[tokio::test]
async fn paths_are_read_from_where_the_link_lies() {
    let world = World::new(&[("sub/a.md", "@./n"), ("sub/n", "below"), ("n", "above")]);
    symlink("sub/a.md", world.path("a.md")).unwrap();
    assert_eq!(world.prompt("@./a.md @./sub/a.md").await, "above below");
}

#[tokio::test]
async fn a_link_that_leads_to_itself_is_an_error() {
    let world = World::new(&[]);
    symlink("loop.md", world.path("loop.md")).unwrap();
    assert_eq!(world.gather("@./loop.md").await.unwrap_err().code().name(), "flow.import-missing");
}

#[tokio::test]
async fn a_pattern_does_not_follow_links() {
    let world = World::new(&[("a.md", "a"), ("sub/b.md", "b")]);
    symlink("a.md", world.path("c.md")).unwrap();
    symlink("..", world.path("sub/up")).unwrap();
    assert_eq!(
        world.prompt("@./**/*.md").await,
        "<a path=\"a.md\">\na\n</a>\n<b path=\"sub/b.md\">\nb\n</b>"
    );
}

#[tokio::test]
async fn what_is_no_plain_file_is_not_opened() {
    let world = World::new(&[]);
    let _listener = UnixListener::bind(world.path("socket")).unwrap();
    for path in ["@./socket", "@/dev/zero"] {
        let error = world.gather(path).await.unwrap_err();
        assert_eq!(error.code().name(), "flow.import-missing");
        assert!(error.to_string().ends_with("cannot be read: it is no plain file"), "{error}");
    }
}
