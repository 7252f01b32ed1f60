//! Programs that start others in ways nobody looks through here.
//!
//! May not be taken for a list of dangerous programs: these are merely the ones whose words are not understood.

use super::name::{Rows, rows};
use super::{Opaque, Word};

/// They start what their words say.
const STARTERS: &str = "abduco ansible asciinema bwrap capsh cgexec chpst cpulimit daemon dsh dtach entr envdir execlineb \
    fakechroot fakeroot firejail gosu hyperfine ifne mispipe newgrp nodemon pdsh pee proot proxychains \
    proxychains4 rlwrap runcon runsv runsvdir schedtool schroot setuidgid sg softlimit sshpass \
    su-exec supervise systemd-inhibit systemd-nspawn torify torsocks trickle tsocks tsp valgrind \
    vglrun watchexec wine wine64 with-contenv wsl xterm zellij gnome-terminal konsole machinectl lxc-attach \
    lxc-execute run-parts runas start forfiles socat dropbear elvish nu xonsh osh ysh oil rc es scsh oksh \
    posh sash ion";

/// Other roots, machines and loaders: a name there is not the program of that name here.
const ELSEWHERE: &str = "chroot gchroot arch-chroot ld.so switch_root pivot_root";

/// How the names of loaders begin.
const LOADERS: &[&str] = &["ld-linux", "ld-musl", "ld64.so", "ld.so", "ld-2.", "qemu-", "s6-"];

/// Refuses the programs whose words are not understood, unless they are asked for help.
pub(super) fn is_understood(name: &str, words: &[Word]) -> Result<(), Opaque> {
    let help = |word: &Word| word.text().is_some_and(|word| word == "--help" || word == "--version");
    if matches!(words, [_, word] if help(word)) {
        return Ok(());
    }
    static FOREIGN: Rows = Rows::new(|| rows([ELSEWHERE].into_iter()));
    static STARTS: Rows = Rows::new(|| rows([STARTERS].into_iter()));
    if FOREIGN.contains_key(name) {
        return Err(Opaque::because("the programs it starts are those of another root"));
    }
    if STARTS.contains_key(name) || LOADERS.iter().any(|start| name.starts_with(start)) {
        return Err(Opaque::because(format!("what `{name}` starts is not understood")));
    }
    Ok(())
}
