//! What a session is doing is a fact from the kernel, whatever its output looks like.

use crate::{on_terminal, piped, sessions, start};
use runward_engine::registry::{Live, OutputPattern, SessionState, Until};

/// Waits until the session is in a state; the kernel is asked again until it is.
async fn becomes(live: &Live, wanted: SessionState) {
    let all = async {
        while live.state() != wanted {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    let state = tokio::time::timeout(testkit::LIMIT, all).await;
    assert!(state.is_ok(), "never {wanted:?}, but {:?}: {:?}", live.state(), live.screen().await);
}

async fn prints(live: &Live, wanted: &str) {
    let met = live.wait(&Until::Output(OutputPattern::new(wanted).unwrap()), testkit::LIMIT).await;
    assert_eq!(met.what, "output", "{:?}", met.reading);
}

#[tokio::test]
async fn a_line_on_a_terminal() {
    let live = start(&sessions(), on_terminal("read line; echo got $line; sleep 300")).await;
    becomes(&live, SessionState::WaitingInput).await;
    live.write(b"x\n".to_vec()).await.unwrap();
    prints(&live, "got x").await;
    becomes(&live, SessionState::Running).await;
}

#[tokio::test]
async fn a_password_on_a_terminal() {
    let live = start(&sessions(), on_terminal("read -s secret; echo; echo thanks")).await;
    becomes(&live, SessionState::WaitingPassword).await;
    live.write(b"hunter2\n".to_vec()).await.unwrap();
    live.ended().await;
    assert_eq!(live.state(), SessionState::Exited);
    assert!(!live.screen().await.unwrap().contains("hunter2"));
}

#[tokio::test]
async fn an_interpreter_that_edits_its_own_line() {
    let live = start(&sessions(), on_terminal("exec python3 -i -q")).await;
    becomes(&live, SessionState::LineEditor).await;
    live.write(b"1+1\n".to_vec()).await.unwrap();
    prints(&live, r"(?m)^2\r?$").await;
    becomes(&live, SessionState::LineEditor).await;
}

#[tokio::test]
async fn a_shell_at_its_prompt_and_what_it_runs() {
    let live = start(&sessions(), on_terminal("exec bash --norc -i")).await;
    becomes(&live, SessionState::LineEditor).await;
    // The shell is busy before what it starts is in front; only that can be interrupted, so it says when it is.
    live.write(b"sh -c 'echo in \"front\"; exec sleep 300'\n".to_vec()).await.unwrap();
    prints(&live, "in front").await;
    becomes(&live, SessionState::Running).await;
    live.press(&["ctrl-c".to_owned()]).await.unwrap().unwrap();
    becomes(&live, SessionState::LineEditor).await;
}

#[tokio::test]
async fn a_pipe_that_is_read() {
    let live = start(&sessions(), piped("cat")).await;
    becomes(&live, SessionState::WaitingInput).await;
    live.close_input().await.unwrap();
    live.ended().await;
    assert_eq!(live.state(), SessionState::Exited);
}

#[tokio::test]
async fn text_that_looks_like_a_prompt_is_no_prompt() {
    for text in [
        "printf '50%% done'",
        "printf '# heading'",
        "printf '> quote'",
        "printf 'Error: x\\n'",
        "printf '>>> '",
    ] {
        let live = start(&sessions(), on_terminal(&format!("{text}; exec sleep 300"))).await;
        prints(&live, ".").await;
        for _ in 0..5 {
            assert_eq!(live.state(), SessionState::Running, "{text}");
        }
    }
}
