//! A real terminal with a shell on it, by way of tmux on a socket of its own.

use crate::runner::{Place, program};
use std::path::Path;
use std::process::Command;
use testkit::until;

/// A program that takes the whole screen: it shows its size, the last key and what it was asked, and ends with 7 when
/// `q` is pressed.
pub(crate) const FULL_SCREEN: &str = r#"import curses, sys
def show(screen):
    curses.raw()
    key = "none"
    asked = "".join(f", asked {word}" for word in sys.argv[1:])
    while key != "q":
        rows, cols = screen.getmaxyx()
        screen.erase()
        screen.addstr(0, 0, f"<{rows} by {cols}, key {key!a}{asked}>")
        screen.refresh()
        try:
            pressed = screen.getkey()
        except curses.error:
            continue
        if pressed != "KEY_RESIZE":
            key = pressed
curses.wrapper(show)
sys.exit(7)
"#;

/// A terminal of 100 by 30. It goes with everything on it when this does.
pub(crate) struct Tmux<'a> {
    place: &'a Place,
}

impl<'a> Tmux<'a> {
    /// A terminal with a shell that has said it is there.
    pub(crate) fn open(place: &'a Place) -> Self {
        let tmux = Self { place };
        let shell = "exec env PS1='$ ' bash --norc --noprofile";
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", shell]);
        tmux.shows("$");
        tmux
    }

    fn command(&self) -> Command {
        let mut command = program(Path::new("tmux"));
        command.env_clear().envs(self.place.env()).current_dir(self.place.work());
        command.env("TMUX_TMPDIR", self.place.work()).env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
        command.args(["-L", "attach"]);
        command
    }

    fn run(&self, args: &[&str]) -> String {
        let said = self.command().args(args).output().expect("tmux is here: see `cargo xtask install`");
        assert!(said.status.success(), "{args:?}: {:?}", String::from_utf8(said.stderr));
        String::from_utf8(said.stdout).unwrap()
    }

    /// Types this text.
    pub(crate) fn types(&self, text: &str) {
        self.run(&["send-keys", "-l", text]);
    }

    /// Types this text and presses Enter.
    pub(crate) fn enters(&self, text: &str) {
        self.types(text);
        self.presses("Enter");
    }

    /// Presses a key, by tmux's name of it.
    pub(crate) fn presses(&self, key: &str) {
        self.run(&["send-keys", key]);
    }

    /// What stands on the terminal.
    pub(crate) fn screen(&self) -> String {
        self.run(&["capture-pane", "-p"])
    }

    /// The same, and everything that was scrolled out of it.
    pub(crate) fn history(&self) -> String {
        self.run(&["capture-pane", "-p", "-S", "-"])
    }

    /// Waits until this text stands there.
    pub(crate) fn shows(&self, text: &str) {
        let mut seen = String::new();
        let shown = || {
            seen = self.screen();
            seen.contains(text)
        };
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| until(text, shown)));
        assert!(waited.is_ok(), "never shown: {text:?}\n{seen}");
    }

    /// Takes everything away that stands there. What is typed next is for the shell.
    pub(crate) fn wipes(&self) {
        self.enters("clear; echo wi''ped");
        self.shows("wiped\n$");
    }

    /// Makes it another size.
    pub(crate) fn resizes(&self, cols: u16, rows: u16) {
        self.run(&["resize-window", "-x", &cols.to_string(), "-y", &rows.to_string()]);
    }

    /// What tmux knows of the terminal, in its own words for it.
    pub(crate) fn knows(&self, format: &str) -> String {
        self.run(&["display-message", "-p", format]).trim_end().to_owned()
    }

    /// Every setting of the terminal, as `stty` tells it.
    pub(crate) fn settings(&self, file: &str) -> String {
        self.enters(&format!("stty -a > {file}.part; mv {file}.part {file}"));
        let path = self.place.work().join(file);
        until("the settings are written", || path.exists());
        std::fs::read_to_string(path).unwrap()
    }
}

impl Drop for Tmux<'_> {
    fn drop(&mut self) {
        // A server is gone already when its last shell has ended.
        let _ = self.command().arg("kill-server").output();
    }
}
