//! Where a sandboxed command may write, and where it may not.

use crate::ground::{Ground, KEEPING, lets, refuses};
use runward_engine::{Layer, Mode};

#[tokio::test]
async fn this_host_has_every_layer() {
    assert_eq!(runward_engine::host::sandbox_layers(), runward_engine::Layer::ALL);
}

#[tokio::test]
async fn nothing_outside_is_written() {
    for mode in [Mode::WorkspaceWrite, Mode::ReadOnly] {
        for layers in KEEPING {
            let ground = Ground::new(mode).layers(layers);
            for text in [
                "echo x > $OUT/new",
                "echo x > $OUT/file",
                "echo x >> $OUT/file",
                "truncate -s 0 $OUT/file",
                "mkdir $OUT/folder",
                "rm $OUT/file",
                "rmdir $OUT",
                "mv $OUT/file $OUT/moved",
                "ln -s /etc $OUT/link",
                "ln $OUT/file $OUT/hard",
                "ln $OUT/file hard && echo x > hard",
                "ln -s $OUT/file link; echo x > link",
                "echo x > /proc/self/root$OUT/new",
                "cd $OUT && echo x > new",
                "mkfifo $OUT/pipe",
                "cp /bin/true $OUT/program",
                "mv $OUT/../work $OUT/../elsewhere",
            ] {
                refuses(&ground, text).await;
            }
            assert_eq!(std::fs::read_to_string(ground.outside("file")).unwrap(), "outside");
            assert_eq!(std::fs::read_dir(ground.outside("")).unwrap().count(), 1);
        }
    }
}

#[tokio::test]
async fn the_workspace_is_written() {
    for layers in KEEPING {
        let ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        lets(&ground, "mkdir -p a/b && echo x > a/f && mv a/f a/b/g && ln a/b/g h && ln -s h l && rm h && rmdir a/c; cat a/b/g")
            .await;
        lets(&ground, "cat /etc/passwd $OUT/file > copied").await;
        assert!(std::fs::read_to_string(ground.work("copied")).unwrap().ends_with("outside"));
        assert_eq!(std::fs::read_to_string(ground.work("a/b/g")).unwrap(), "x\n");
    }
}

#[tokio::test]
async fn a_workspace_that_is_read_only_is_not_written() {
    for layers in KEEPING {
        let ground = Ground::new(Mode::ReadOnly).layers(layers);
        std::fs::write(ground.work("file"), "inside").unwrap();
        for text in ["echo x > new", "echo x > file", "rm file", "mkdir folder", "mv file moved"] {
            refuses(&ground, text).await;
        }
        assert_eq!(lets(&ground, "cat file").await, "inside");
        assert_eq!(std::fs::read_dir(ground.work("")).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn a_command_has_temporary_folders_of_its_own() {
    for mode in [Mode::WorkspaceWrite, Mode::ReadOnly] {
        let ground = Ground::new(mode);
        let said = lets(
            &ground,
            "ls -A /tmp /dev/shm && echo x > /tmp/mine && echo y > /dev/shm/mine && cat /tmp/mine",
        )
        .await;
        assert_eq!(said, "/dev/shm:\n\n/tmp:\nx\n");
        assert!(
            !std::path::Path::new("/tmp/mine").exists() && !std::path::Path::new("/dev/shm/mine").exists()
        );
        refuses(&ground, "cat /tmp/mine").await;
    }
}

#[tokio::test]
async fn a_workspace_in_the_temporary_folder_stays_where_it_is() {
    let ground = Ground::in_tmp(Mode::WorkspaceWrite);
    lets(&ground, "echo x > made && pwd && test ! -e $OUT").await;
    assert_eq!(std::fs::read_to_string(ground.work("made")).unwrap(), "x\n");
    let ground = Ground::in_tmp(Mode::ReadOnly);
    std::fs::write(ground.work("file"), "inside").unwrap();
    assert_eq!(lets(&ground, "cat file").await, "inside");
    refuses(&ground, "echo x > new").await;
}

#[tokio::test]
async fn a_further_folder_is_written_and_what_lies_beside_it_is_not() {
    for layers in KEEPING {
        let mut ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        std::fs::create_dir(ground.outside("more")).unwrap();
        ground.settings.writable = vec![ground.outside("more")];
        lets(&ground, "echo x > $OUT/more/new").await;
        refuses(&ground, "echo x > $OUT/new").await;
        refuses(&ground, "mv $OUT/more $OUT/other").await;
    }
}

#[tokio::test]
async fn usual_devices_work() {
    for layers in KEEPING {
        let ground = Ground::new(Mode::ReadOnly).layers(layers);
        lets(
            &ground,
            "echo x > /dev/null && head -c 8 /dev/urandom > /dev/null && head -c 8 /dev/zero | wc -c",
        )
        .await;
        lets(&ground, "echo x > /dev/stdout; echo y > /dev/stderr; cat < /dev/stdin; test -e /dev/fd/1")
            .await;
    }
}

#[tokio::test]
async fn other_devices_are_not_opened_even_by_root() {
    let device = |it: &std::fs::DirEntry| {
        use std::os::unix::fs::FileTypeExt;
        it.file_type().is_ok_and(|kind| kind.is_block_device())
    };
    let found = std::fs::read_dir("/dev").unwrap().flatten().find(device);
    let path = found.map_or_else(|| "/dev/kmsg".into(), |it| it.path());
    for layers in [&Layer::ALL[..], &[Layer::Landlock, Layer::Seccomp]] {
        let ground = Ground::new(Mode::WorkspaceWrite).layers(layers);
        refuses(&ground, &format!("head -c 1 {}", path.display())).await;
        refuses(&ground, &format!("true >> {}", path.display())).await;
    }
}
